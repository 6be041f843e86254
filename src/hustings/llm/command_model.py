"""CommandModel: a program of the user answers. It reads the prompt from standard input and writes its answer."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pydantic import SecretStr

from hustings.errors import without_keys

from .child_process import KILL, child_environment, signal_group
from .http_model import HIDDEN, SHORTEST_KEY
from .model import Billed, Kind, LlmRequest, LlmResponse, OnText

if TYPE_CHECKING:
    from asyncio.subprocess import Process

LOOK = 0.05
"""Seconds between two looks at how much a program has written."""
MOST_ERRORS = 1_000_000
"""Bytes of its standard error."""
TOLD = 300
"""Characters that are shown of what a failing program wrote last."""
BYTES = 4
"""That a character takes at most."""


@dataclass(frozen=True)
class LocalCommand:
    """A program as the user set it up on this machine."""

    name: str
    argv: tuple[str, ...]
    characters: int
    """The longest answer."""
    variables: Mapping[str, SecretStr] = field(default_factory=dict[str, SecretStr])


class CommandModel:
    """One program behind the `Model` interface. It is started for each call, in an empty folder, without a shell."""

    def __init__(self, command: LocalCommand) -> None:
        self._command = command

    async def answer(self, request: LlmRequest, on_text: OnText) -> LlmResponse:
        # Files, not pipes: what a program leaves behind in the background could keep a pipe open for ever.
        with TemporaryDirectory(prefix="hustings-", ignore_cleanup_errors=True) as folder:
            response = await self._answered(Path(folder), request)
        if response.kind == "ok":
            on_text(response.text)
        return response

    async def _answered(self, folder: Path, request: LlmRequest) -> LlmResponse:
        said, errors = folder / "said", folder / "errors"
        try:
            process = await self._started(folder, request.prompt.text, said, errors)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or "its name or arguments can't be used"
            return self._failed("rejected", f"{self._command.argv[0]} can't be started: {why}", billed="no")
        most = BYTES * self._command.characters
        try:
            async with asyncio.timeout(request.seconds):
                within = await _ended_within(process, {said: most, errors: MOST_ERRORS})
        except TimeoutError:
            return self._failed("timed_out", f"no answer in {request.seconds:.0f} seconds, so it was stopped")
        finally:
            signal_group(process, KILL)  # the program, or what it left behind
            await process.wait()
        text = self._cleaned(said, most)
        if not within or len(text) > self._command.characters:
            return self._failed("malformed", f"it wrote more than {self._command.characters:,} characters")
        if process.returncode:
            last = self._cleaned(errors, MOST_ERRORS) or text
            return self._failed("rejected", f"exit code {process.returncode}: {_told(last)}")
        if not text:
            return self._failed("empty", "it wrote nothing")
        return LlmResponse("ok", text, model=self._label)

    async def _started(self, folder: Path, prompt: str, said: Path, errors: Path) -> Process:
        work, asked = folder / "work", folder / "asked"
        work.mkdir()
        asked.write_bytes(prompt.encode("utf-8", "replace"))
        with asked.open("rb") as reads, said.open("wb") as writes, errors.open("wb") as complains:
            return await asyncio.create_subprocess_exec(
                *self._command.argv,
                stdin=reads,
                stdout=writes,
                stderr=complains,
                env=child_environment(self._command.variables),
                cwd=work,
                start_new_session=True,
            )

    @property
    def _label(self) -> str:
        return f"cli/{self._command.name}"

    def _failed(self, kind: Kind, detail: str, billed: Billed = "maybe") -> LlmResponse:
        return LlmResponse(kind, detail=detail, billed=billed, model=self._label)

    def _cleaned(self, path: Path, most: int) -> str:
        """What it wrote: no colours, no control characters, no value of a variable that it was given."""
        with path.open("rb") as file:
            text = file.read(most + 1).decode("utf-8", "replace")
        text = "".join(sign for sign in _COLOURS.sub("", text) if sign.isprintable() or sign in "\n\t")
        for secret in (value.get_secret_value() for value in self._command.variables.values()):
            text = text.replace(secret, HIDDEN) if len(secret) >= SHORTEST_KEY else text
        return text.strip()


def _told(text: str) -> str:
    """The end of what a failing program wrote, in one line."""
    return without_keys(" ".join(text[-TOLD:].split()))


async def _ended_within(process: Process, limits: Mapping[Path, int]) -> bool:
    """Whether a program ends before a file of its output is longer than it may be."""
    ending = asyncio.ensure_future(process.wait())
    try:
        while True:
            done, _ = await asyncio.wait({ending}, timeout=LOOK)
            if any(path.stat().st_size > most for path, most in limits.items()):
                return False
            if done:
                return True
    finally:
        ending.cancel()


_COLOURS = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
"""What a program sends to a terminal beside its words."""
