"""Marks around words that are material, not instruction: derived from a secret of the run, so nobody can guess them.

What all seats share is marked alike in the whole run, so that a provider's cache can keep it. What one call alone is
sent has a mark of its own, which nobody has seen before. Copies are removed from the words, in whatever letters.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from unicodedata import normalize

from hustings.transcript.models import Turn
from hustings.transcript.notes import Note

from .forms import in_lines

TAKEN_OUT = "[mark]"
LENGTH = 10
"""Hexadecimal digits of a mark."""
_UNREAD = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Fence:
    secret: str
    run_id: str
    call_key: str = ""
    """Of the only call that is sent this mark; empty for the mark of the whole run."""

    @cached_property
    def of_run(self) -> str:
        return self._derived("run")

    @cached_property
    def mark(self) -> str:
        """The mark of a call begins with that of its run."""
        return self.of_run + (self._derived(f"call {self.call_key}") if self.call_key else "")

    def around(self, label: str, words: str) -> str:
        return f"<<{self.mark} {label}>>\n{without(self.of_run, words)}\n<<end {self.mark}>>\n"

    def note(self, note: Note) -> str:
        about = ", ".join(dict.fromkeys(filter(None, (s.claim_id or s.turn_id for s in note.about))))
        return self.around(f"note by {note.by}: {note.kind}{f', about {about}' if about else ''}", in_lines(note.body))

    def _derived(self, what: str) -> str:
        return hmac.new(self.secret.encode(), f"{self.run_id} {what}".encode(), sha256).hexdigest()[:LENGTH]


def spoken(turn: Turn) -> tuple[str, str]:
    """Label and text of a turn."""
    kind = f", {turn.metadata.kind}" if turn.metadata and turn.metadata.kind else ""
    return f"{turn.turn_id}: {turn.speaker_id}{kind}", turn.said


def without(mark: str, words: str) -> str:
    """Words without a mark, in capitals or small, wide or narrow letters, and whatever stands between them."""
    if mark not in _UNREAD.sub("", _folded(words)):
        return words
    read = [(sign, at) for at, letter in enumerate(words) for sign in _folded(letter) if sign.isalnum()]
    text = "".join(sign for sign, _ in read)
    kept, begin = list[str](), 0
    for found in re.finditer(mark, text):
        first, last = read[found.start()][1], read[found.end() - 1][1]
        kept += [words[begin:first], TAKEN_OUT]
        begin = last + 1
    return "".join((*kept, words[begin:]))


def _folded(text: str) -> str:
    return normalize("NFKD", text).casefold()
