"""Reads a file of debates that another program wrote down; what is longer than a few pages in a limited process."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from hustings.errors import BrokenFile, NotFound, Unsuitable, UserError
from hustings.transcript.imports.recognise import HowToRead, ReadTranscript, read_foreign

from .file_text import Unreadable
from .limited import ReaderLimits, run_limited

AT_ONCE = 64_000
"""Bytes that are read without a process of their own: starting it takes longer, and the time grows with the length."""


class Read(NamedTuple):
    """What the limited process hands back."""

    debates: str = ""
    """As JSON."""
    error: Mapping[str, str] | None = None
    """A refusal, by its class, with its sentences."""


def read_debates(content: bytes, how: HowToRead, at: str, limits: ReaderLimits | None = None) -> list[ReadTranscript]:
    """The debates of a file. `at` is the time of the import, for words whose time is not known."""
    if len(content) <= AT_ONCE:
        return read_foreign(content, how, at)
    request = json.dumps([asdict(how), at]).encode()
    try:
        return _checked(run_limited("foreign_debates", request + b"\n" + content, limits))
    except Unreadable as error:
        raise BrokenFile("the file cannot be read", why=error.why, fix=error.fix) from None


def _checked(answer: Mapping[str, Any]) -> list[ReadTranscript]:
    """What the process handed back. A file may have got the better of it, so nothing in it is taken on trust."""
    match answer:
        case {"error": {"kind": str() as kind, "what": str() as what, "why": str() as why, "fix": str() as fix}}:
            raise REFUSALS.get(kind, BrokenFile)(what, why=why, fix=fix)
        case {"debates": str() as debates}:
            with suppress(ValidationError):
                return DEBATES.validate_json(debates)
        case _:
            pass
    raise Unreadable("its reader broke down")


# -- in the limited process --------------------------------------------------------------------


def prepare(_: bytes) -> None:
    """Load what checking needs: later nothing can be opened."""
    for sample in (SAMPLE, b"{}"):
        with suppress(UserError):
            found = read_foreign(sample, HowToRead(), "2000-01-01T00:00:00.000Z")
            document = json.dumps(found[0].transcript.document()).encode()
            DEBATES.dump_json(read_foreign(document, HowToRead(), ""))


def read(content: bytes) -> Read:
    request, _, raw = content.partition(b"\n")
    options, at = json.loads(request)
    how = HowToRead(options["shape"], options["topic"], tuple(options["speakers"]), options["item"])
    try:
        return Read(debates=DEBATES.dump_json(read_foreign(raw, how, at)).decode())
    except UserError as error:
        return Read(error={"kind": type(error).__name__, "what": error.what, "why": error.why, "fix": error.fix})


SAMPLE = b"Is it so?\nAda: Yes.\nBen: No.\nAda: It is.\nBen: It is not."
REFUSALS: Mapping[str, type[UserError]] = {each.__name__: each for each in (BrokenFile, NotFound, Unsuitable)}
DEBATES = TypeAdapter(list[ReadTranscript])
