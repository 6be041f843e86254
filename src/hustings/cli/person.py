"""A person at this terminal who holds a seat: shows the question, asks until the answer fits, and sends it."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from hustings.db.outage import Outage
from hustings.engine.people import QuestionClosed, questions, speak
from hustings.errors import HustingsError, NotFound
from hustings.runs.spec import instant
from hustings.script.attempts import weigh
from hustings.script.calls import Call, Reply
from hustings.script.documents import first_listed
from hustings.script.forms import schema_of
from hustings.text.words import count_words, shortened
from hustings.transcript.events import Event, HumanAwaited

from .ask_form import EDIT, FormAsker, Person
from .terminal import safe_text, show

if TYPE_CHECKING:
    from hustings.engine.service import RunService

    from .display import Display

WORDS_OF_AN_ID = 14
"""Words that stand beside an id one may choose."""
REMARK = "# "
RULE = "Lines that begin with # are left out. Save an empty text to leave the question open."


def person_here() -> Person:
    with suppress(ImportError):  # not on Windows; without it a line cannot be edited, and is cut at 4,096 characters
        import readline  # noqa: F401, PLC0415  # pyright: ignore[reportUnusedImport]
    return Person(input, show, _in_editor if _editor() else None)


def _editor() -> list[str]:
    return shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")


def _in_editor(draft: str, remarks: Sequence[str]) -> str:
    """Open the editor on a private file; what the person was asked stands there as remarks."""
    lines = [line for remark in (*remarks, RULE) for line in safe_text(remark).splitlines()]
    with tempfile.TemporaryDirectory(prefix="hustings-") as folder:
        file = Path(folder) / "answer.txt"
        file.write_text(f"{draft}\n\n" + "".join(f"{REMARK}{line}\n" for line in lines), "utf-8")
        try:
            with _keys_for_the_editor():
                subprocess.run([*_editor(), str(file)], check=False)  # noqa: S603  the person chose the program
        except OSError as error:
            show(f"  Your editor could not be started ({error.strerror}): set EDITOR, or type it here on one line.")
        kept = file.read_text("utf-8", "replace").splitlines()
    return "\n".join(line for line in kept if not line.startswith(REMARK.strip())).strip()


def _unheard(_number: int, _frame: FrameType | None) -> None:
    """Do nothing; a program that is started does not inherit this."""


@contextmanager
def _keys_for_the_editor() -> Generator[None]:
    """Leave Ctrl-C to the editor, which has a use of its own for it."""
    before = signal.signal(signal.SIGINT, _unheard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


# -- one question ------------------------------------------------------------------------


def ask(call: Call, person: Person) -> str:
    """The person's answer, as soon as it keeps every rule of the question."""
    for line in introduction(call):
        person.tell(line)
    brief = call.brief
    if brief.form.prose:
        return _speech(call, person)
    schema, value = schema_of(brief.form), dict[str, Any]()
    asker = FormAsker(person, brief.choices, _words_of_ids(call))
    while True:
        value = asker.group(schema, value)
        text = json.dumps(value, ensure_ascii=False)
        if not _refused(call, text, person):
            return text


def introduction(call: Call) -> Iterator[str]:
    """What the person is asked, and how to answer."""
    brief = call.brief
    limit = f", at most {brief.words} words" if brief.words else ""
    yield f"\n{call.seat.id.upper()}, it is your turn: {brief.name}{limit}."
    yield from (brief.text, *(f"The chair tells you: {told}" for told in call.instructions))
    yield from _reading(call)
    how = "Type it on one line, or press Enter for your editor." if brief.form.prose else f"{EDIT} opens your editor."
    yield f"\n{how} Ctrl-D answers later, Ctrl-C pauses."


def _reading(call: Call) -> Iterator[str]:
    """The documents that the person may read and quote, and how."""
    context = call.context
    given = context.documents.readable_by(call.seat.id) if context.documents else ()
    own = (*given, *(one for one in context.fetched if call.seat.id in one.seats))
    if listed := (*first_listed(context.background), *own):
        yield "\nYou may read:"
        for one in listed:
            yield f"  {' '.join(one.remark.split())}"
            yield f"    hustings show {context.run_id} --document {one.id}"
        yield f'Quote them as [{listed[-1].id}: "words of the document"]. Every quote is checked word for word.'


def _speech(call: Call, person: Person) -> str:
    draft, asker = "", FormAsker(person, {}, {})
    while True:
        said = person.read("> ").strip()
        if said in {"", EDIT}:
            said = asker.edited(draft, [*introduction(call)])
        if said and not _refused(call, said, person):
            return said
        draft = said or draft


def _refused(call: Call, text: str, person: Person) -> bool:
    """Tell the person what is wrong with an answer, if anything is."""
    weighed = weigh(call.brief, Reply(text, instant()))
    if weighed.complaints:
        person.tell("\nNot accepted yet:")
        for complaint in weighed.complaints:
            person.tell(f"  - {complaint}")
    elif weighed.answer and call.brief.words:
        person.tell(f"{count_words(weighed.answer.counted())} words.")
    return bool(weighed.complaints)


def _words_of_ids(call: Call) -> Mapping[str, str]:
    """The beginning of each argument that the person may read, by its id."""
    said = "\n".join(turn.said for turn in call.knowledge.turns)
    return {name: shortened(words, WORDS_OF_AN_ID) for name, words in re.findall(r"(?m)^\[([\w-]+)\] (.+)$", said)}


# -- while a run goes on -----------------------------------------------------------------


class Host:
    """Shows the events of a run, and asks the person here whenever a seat of a person is awaited."""

    def __init__(
        self, service: RunService, run_id: str, told: Display, pause: Callable[[], object], person: Person
    ) -> None:
        self._service, self._run_id, self._told, self._pause, self._person = service, run_id, told, pause, person
        self.left = ""
        """The seat whose question was left by Ctrl-C."""

    def show(self, event: Event) -> None:
        self._told.show(event)
        if isinstance(event, HumanAwaited):
            self.ask_open(event.key)

    def ask_open(self, key: str = "") -> None:
        """Ask the question with that key, or all that are open, unless another person was faster."""
        for call in questions(self._service.runs, self._run_id):
            if key in ("", call.key) and not self._ask(call):
                return

    def _ask(self, call: Call) -> bool:
        """Return False if the person left without an answer."""
        with self._told.aside(), interruptible():
            try:
                answer_here(self._service, self._run_id, call, self._person)
            except EOFError:
                self._person.tell(f"\nLeft open. Answer it later: hustings say {self._run_id} {call.seat.id}")
                return False
            except KeyboardInterrupt:
                self._person.tell("")
                self.left = call.seat.id
                self._pause()
                return False
        self._told.heard(call.address)
        return True


def answer_here(service: RunService, run_id: str, call: Call, person: Person) -> None:
    """Ask the person, and send the answer; the first answer to a question stands."""
    text = ask(call, person)
    try:
        _spoken(service, run_id, call, text, person)
    except (QuestionClosed, NotFound) as error:
        person.tell(f"{_began(error)}. What you wrote was not used.")
    else:
        person.tell(f"{call.seat.id.upper()} has spoken.")


def _spoken(service: RunService, run_id: str, call: Call, text: str, person: Person) -> None:
    """Send an answer, as soon as the database takes it."""
    outage = Outage()
    while True:
        try:
            speak(service.control, run_id, call.seat.id, text, key=call.key)
        except DBAPIError as error:
            person.tell("The database does not take your answer yet; trying again. Leave this window open.")
            outage.wait(error)
        else:
            return


def _began(error: HustingsError) -> str:
    return error.what[:1].upper() + error.what[1:]


@contextmanager
def interruptible() -> Generator[None]:
    """Let Ctrl-C end a question, where a command has another use for it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
