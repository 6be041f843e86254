"""Where a command runs: which database it uses, what it knows of models and keys, and files that were named to it."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hustings.core.errors import BrokenFile, Unsuitable
from hustings.llm.voices import Voice

LONGEST_FILE = 2**20
"""Bytes of a topic, an answer or a `.env`."""


def address(given: str) -> str:
    """The database that was named, else one of the user's own, which nobody else can read."""
    if given:
        return given
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    folder = data / "hustings"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'hustings.db'}"


@dataclass(frozen=True)
class Variables:
    """What the process was given, and what the working directory's `.env` adds about models; the process wins."""

    process: Mapping[str, str]
    added: Mapping[str, str]

    @property
    def all(self) -> dict[str, str]:
        return {**self.added, **self.process}

    def must_not_divert(self, voice: Voice) -> None:
        """A folder that somebody else wrote must not send a key of yours to an address of theirs."""
        diverted = any(name.endswith("LLM_BASE_URL") and value == voice.base_url for name, value in self.added.items())
        if diverted and voice.key.endswith("LLM_API_KEY") and voice.key in self.process:
            raise Unsuitable(
                f".env sends {voice.label} to {voice.base_url}, but the key {voice.key} is not from there: "
                "set address and key in the same place"
            )


def variables() -> Variables:
    path = Path(".env")
    found = assignments(read_text(path)) if path.is_file() else {}
    about_models = {name: value for name, value in found.items() if "LLM_" in name or name.endswith("_API_KEY")}
    process = {name: value for name, value in os.environ.items() if value}
    return Variables(process, {name: value for name, value in about_models.items() if name not in process})


def assignments(text: str) -> dict[str, str]:
    """`KEY=VALUE` lines, values plain or in quotes; what is none of it is passed over."""
    return {found["name"]: (found["quoted"] or found["plain"] or "").strip() for found in _LINE.finditer(text)}


_LINE = re.compile(
    r"^[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*"
    r"(?:(?P<quote>['\"])(?P<quoted>.*?)(?P=quote)|(?P<plain>[^\s#'\"].*?)??)[ \t]*(?:[ \t]#.*)?\r?$",
    re.MULTILINE,
)


def words_of(given: str) -> str:
    """Words as they are, or those of a file named by `@path`."""
    return read_text(Path(given[1:])) if given.startswith("@") else given


def read_text(path: Path, most: int = LONGEST_FILE) -> str:
    """A regular file of a sensible size: no pipe that never ends, no device, nothing swapped in while we look."""
    try:
        file = os.open(path.resolve(strict=True), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(file, "rb") as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise BrokenFile(f"{str(path)!r} is no regular file: name one that holds text")
            content = opened.read(most + 1)
    except (OSError, ValueError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise BrokenFile(f"{str(path)!r} cannot be read ({why}): name a text file") from None
    if len(content) > most:
        raise BrokenFile(f"{str(path)!r} is longer than {most} bytes: shorten it")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BrokenFile(f"{str(path)!r} is no text in UTF-8: save it as such") from None
