"""What a person has typed at a question and not posted: kept in a private file, and offered when it is asked again."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from textwrap import indent

from pydantic import BaseModel, ValidationError

from hustings.config.paths import data_folder, read_text, write_private
from hustings.errors import HustingsError, Unsuitable
from hustings.readers.files import is_file

from .ask_form import Person


class Draft(BaseModel):
    """What was typed at one question, line by line."""

    place: str = ""
    """The field that the person has come to; empty in a speech."""
    typed: list[tuple[str, str]] = []
    """Fields, and what was entered there."""
    begun: str = ""
    """A line without its Enter."""

    @property
    def words(self) -> str:
        """All but what only chooses, such as a number."""
        lines = [(place, line) for place, line in (*self.typed, (self.place, self.begun)) if len(line) > 1]
        return "\n".join(f"{place}: {line}" if place else line for place, line in lines)

    @property
    def goes_on(self) -> str:
        return f"goes on at {self.place}" if self.place else "goes on with it"


class KeptDraft:
    """Keeps the draft of one question while a person types it, and enters again what was typed before."""

    def __init__(self, run_id: str, key: str) -> None:
        self._path = data_folder() / "drafts" / f"{run_id}-{sha256(key.encode()).hexdigest()[:12]}.json"
        self.draft = _stored(self._path)
        self._again: deque[str] | None = None
        self._kept = True

    def typist(self, person: Person) -> Person:
        """The person, whose draft is offered with the first line."""

        def tell(text: str) -> None:
            if not self._again:
                person.tell(text)

        def read(prompt: str) -> str:
            if self._again is None:
                self._again = self._offered(person)
            if self._again:
                return self._again.popleft()
            if self.draft.begun:
                person.begin(self.draft.begun)
            try:
                return self._entered(person.read(prompt), person)
            except KeyboardInterrupt as left:
                self.draft.begun = "".join(left.args)
                self._keep(person)
                raise

        def edit(draft: str, remarks: Sequence[str]) -> str:
            assert person.edit  # noqa: S101  else this is not offered
            return self._again.popleft() if self._again else self._entered(person.edit(draft, remarks), person)

        def reach(place: str) -> None:
            self.draft.place = place

        return Person(read, tell, person.edit and edit, person.begin, reach)

    def forget(self) -> None:
        """What was typed is posted, or not wanted."""
        self.draft = Draft()
        self._path.unlink(missing_ok=True)

    def set_aside(self) -> str:
        """Leave the words to the person in a text file, and say where: their question is closed."""
        if not (words := self.draft.words):
            return ""
        there = self._path.with_suffix(".txt")
        try:
            write_private(there, f"{words}\n")
        except Unsuitable:
            return f" Your words: {words}"
        self.forget()
        return f" Your words: {there}"

    def _offered(self, person: Person) -> deque[str]:
        """The lines to enter again."""
        if self.draft.typed and self.draft.words:
            person.tell(f"\nYour draft:\n{indent(self.draft.words, '  ')}")
            said = person.read(f"It {self.draft.goes_on}. Press Enter, or n to begin anew: ")
            if said.strip().lower().startswith("n"):
                self.forget()
        return deque(line for _, line in self.draft.typed)

    def _entered(self, line: str, person: Person) -> str:
        self.draft.typed.append((self.draft.place, line))
        self.draft.begun = ""
        self._keep(person)
        return line

    def _keep(self, person: Person) -> None:
        if not self._kept or not self.draft.words:
            return
        try:
            write_private(self._path, self.draft.model_dump_json(indent=1))
        except Unsuitable as error:
            self._kept = False
            person.tell(f"  No draft is kept: {error.what} ({error.why}).")


def _stored(path: Path) -> Draft:
    """The draft of an earlier time; a damaged file has no draft."""
    try:
        return Draft.model_validate_json(read_text(path)) if is_file(path) else Draft()
    except (HustingsError, ValidationError):
        return Draft()
