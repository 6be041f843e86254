"""Reads a file of another program: tells its shape, makes transcripts of its debates, and refuses the rest in words."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Literal, cast

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.transcript.models import Transcript
from hustings.transcript.rules import Finding, check, check_document
from hustings.transcript.rules.parse import ESCAPED_SURROGATE
from hustings.transcript.rules.reader import PUBLISHED, SURROGATE, Document, read, strings

from .contexts import looks_like_contexts, read_contexts
from .memory import looks_like_memory, read_memory
from .messages import looks_like_messages, read_messages
from .spoken import SpokenDebate, checked_name, checked_topic, counted, must_be_a_debate, transcript_of
from .text import read_text

Shape = Literal["transcript", "contexts", "memory", "messages", "text"]
SHAPES: Mapping[Shape, str] = {
    "transcript": "a transcript in format 2.0.0, with schema_version and rounds",
    "contexts": "questions, each with [[messages of every agent], answer]",
    "memory": "globalMemory, a list of entries with turn, agent_id and message",
    "messages": "a list of messages, each with a speaker (source, name or role) and content",
    "text": "plain text with `Name:` at the beginning of lines",
}
MOST_BYTES = PUBLISHED.size
MOST_DEBATES = 1_000


@dataclass(frozen=True)
class HowToRead:
    """What a person says about a file."""

    shape: Shape | None = None
    topic: str = ""
    """The question, for a file that does not tell it."""
    speakers: tuple[str, ...] = ()
    item: int | Literal["all"] | None = None
    """Which debate of the file, from 1; None: the only one."""


@dataclass(frozen=True)
class ReadTranscript:
    """One debate of a file."""

    transcript: Transcript
    topic: str
    """The question; its id, if a transcript names no question."""
    shape: Shape
    item: int
    items: int
    remarks: tuple[str, ...]
    """What was left out, joined or not known, in words."""


def read_foreign(raw: bytes, how: HowToRead, at: str) -> list[ReadTranscript]:
    """The debates of a file. `at` is the time of the import, for words whose time is not known."""
    if how.shape is not None and how.shape not in SHAPES:
        raise NotFound.among(SHAPES, "shape", how.shape)
    if len(raw) > MOST_BYTES:
        raise BrokenFile(f"the file has more than {MOST_BYTES:,} bytes", fix="import a part of it")
    source = f"file sha256:{sha256(raw).hexdigest()}"
    raw = raw.removeprefix(BOM_UTF8)
    reading = read(raw, PUBLISHED)
    shape = how.shape or _told(reading)
    _must_suit(how, shape)
    if shape == "transcript":
        return [_as_it_is(raw, how)]
    debates = _debates(reading, shape, how.speakers)
    if how.topic and how.item == "all" and len(debates) > 1:
        raise Unsuitable("one question can't be that of every debate", fix="import one debate: --item N")
    made = list[ReadTranscript]()
    for n in _chosen(how, len(debates)):
        transcript, remarks = transcript_of(debates[n - 1], how.topic, f"Imported from {shape}, {source}", at)
        errors, warnings = _found(check_document(transcript.document()))
        _must_be_sound(errors, "the debate can't be kept as a transcript")
        topic = transcript.debate_metadata.topic or ""
        made.append(ReadTranscript(transcript, topic, shape, n, len(debates), (*remarks, *_unseen(warnings))))
    return made


def _told(reading: Document) -> Shape:
    """The shape that a file has by its fields. What is no JSON at all is text."""
    if reading.why == "syntax" and not _JSON.match(reading.raw):
        return "text"
    _must_be_json(reading)
    value = reading.document
    for shape, fits in _FITS.items():
        if fits(value):
            return shape
    known = "; ".join(f"{name}: {what}" for name, what in SHAPES.items())
    raise BrokenFile("the file has none of the known shapes", why=known, fix="name its shape with --as, or change it")


def _must_suit(how: HowToRead, shape: Shape) -> None:
    if how.speakers and shape not in ("messages", "text"):
        raise Unsuitable(f"--speakers does not apply to {shape}, which names its speakers", fix="leave it out")
    for name in how.speakers:
        checked_name(name)
    if how.topic:
        checked_topic(how.topic)


def _must_be_json(reading: Document) -> None:
    """Refuse what the reader of transcripts refuses: too deep, too large, twice the same key, no exact number."""
    if reading.why:
        broken = check(reading.raw)[0]
        raise BrokenFile(f"the file can't be read as JSON: {broken.message}", fix="correct the file")
    half = ESCAPED_SURROGATE.search(reading.raw)  # only so can it be written in UTF-8
    if half and any(strings(reading.document, lambda text: SURROGATE.search(text) is not None)):
        raise BrokenFile("half of a surrogate pair stands alone in the file", fix="save it as UTF-8 again")


def _debates(reading: Document, shape: Shape, speakers: Collection[str]) -> list[SpokenDebate]:
    if shape == "text":
        try:
            return read_text(reading.raw.decode(), speakers)
        except UnicodeDecodeError:
            raise BrokenFile("the file is not UTF-8 text", fix="save it as UTF-8") from None
    _must_be_json(reading)
    value = reading.document
    found = read_messages(value, speakers) if shape == "messages" else _READERS[shape](value)
    if not found:
        raise BrokenFile("the file holds no debate", fix=f"it needs {SHAPES[shape]}")
    return found


def _chosen(how: HowToRead, count: int) -> Iterator[int]:
    """Numbers of the debates to import."""
    if how.item == "all" and count > MOST_DEBATES:
        raise Unsuitable(f"the file holds {count:,} debates, and {MOST_DEBATES:,} can be imported at once")
    if how.item is None and count > 1:
        raise Unsuitable(f"the file holds {count:,} debates", fix="choose one: --item 1, or take all: --item all")
    number = 1 if how.item is None else how.item
    if number == "all":
        yield from range(1, count + 1)
    elif number in range(1, count + 1):
        yield number
    else:
        raise Unsuitable(f"no debate {number} in the file", fix=f"choose from 1 to {count:,}")


# -- a transcript ----------------------------------------------------------------------------


def _as_it_is(raw: bytes, how: HowToRead) -> ReadTranscript:
    """A transcript is kept as it is, or refused with the rules that it breaks."""
    if how.item not in (None, 1, "all"):
        raise Unsuitable(f"no debate {how.item} in the file: a transcript is one debate", fix="leave --item out")
    errors, warnings = _found(check(raw))
    _must_be_sound(errors, "the transcript breaks the rules of its format")
    read_in = Transcript.model_validate_json(raw)
    # Fields that are null count as absent, and are not kept.
    transcript = Transcript.model_validate(read_in.document())
    own = transcript.debate_metadata.topic or ""
    if own and how.topic:
        raise Unsuitable("the transcript names its question, and is kept as it is", fix="leave --topic out")
    for seat in transcript.participants:
        for name in filter(None, (seat.display_name, seat.role, seat.team, seat.model_name)):
            checked_name(name)
    must_be_a_debate((seat.agent_id for seat in transcript.participants), len(transcript.turns))
    topic = checked_topic(own or how.topic or transcript.debate_id)
    return ReadTranscript(transcript, topic, "transcript", 1, 1, tuple(_unseen(warnings)))


def _found(findings: list[Finding]) -> tuple[list[Finding], list[Finding]]:
    errors = [found for found in findings if found.severity == "error"]
    return errors, [found for found in findings if found.severity == "warning"]


def _must_be_sound(errors: list[Finding], what: str) -> None:
    if errors:
        told = [f"{one.code} at {one.pointer or 'its root'}: {one.message}" for one in errors[:3]]
        more = [f"and {len(errors) - 3:,} more"] if len(errors) > 3 else []
        raise BrokenFile(what, why="; ".join([*told, *more]), fix="correct the file, then: hustings validate FILE")


def _unseen(warnings: list[Finding]) -> Iterator[str]:
    if hidden := sum(found.code == "DT-G003" for found in warnings):
        yield f"{counted(hidden, 'speech', 'speeches')} with characters that do not show"


def _looks_like_a_transcript(value: object) -> bool:
    fields = cast("dict[str, object]", value).keys() if isinstance(value, dict) else set[str]()
    return "schema_version" in fields or fields >= {"rounds", "participants"}


_FITS: Mapping[Shape, Callable[[object], bool]] = {
    "transcript": _looks_like_a_transcript,
    "memory": looks_like_memory,
    "messages": looks_like_messages,
    "contexts": looks_like_contexts,
}
_READERS: Mapping[Shape, Callable[[object], list[SpokenDebate]]] = {"contexts": read_contexts, "memory": read_memory}
_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[\[{"\]])')
"""How JSON begins; a plain text may begin with a bracket, too."""
