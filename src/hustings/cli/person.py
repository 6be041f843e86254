"""A person at this terminal who holds a seat: shows the question, asks until the answer fits, and sends it."""

from __future__ import annotations

import json
import os
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from hustings.db.instants import instant
from hustings.db.outage import Outage
from hustings.engine.people import QuestionClosed, closed, questions, speak
from hustings.errors import HustingsError, NotFound
from hustings.script.attempts import weigh
from hustings.script.calls import Call, Reply
from hustings.script.documents import first_listed
from hustings.script.forms import schema_of
from hustings.text.words import count_words, shortened
from hustings.transcript.events import Event, HumanAwaited

from .ask_form import EDIT, FormAsker, Person
from .drafts import KeptDraft
from .question_watch import Closed, QuestionWatch
from .terminal import safe_text, show_prose

if TYPE_CHECKING:
    from hustings.engine.service import RunService

    from .display import Display

WORDS_OF_AN_ID = 14
"""Words that stand beside an id one may choose."""
REMARK = "# "
PASTE_SECONDS = 0.02
"""A line that follows so soon was not typed."""
FAR_TOO_MANY = 2
"""Times the words that were asked for; more are not posted without a question."""
RULE = "Lines that begin with # are left out. Save an empty text to leave the question open."


def person_here() -> Person:
    edit = _in_editor if _editor() else None
    try:
        import readline  # noqa: PLC0415  not on Windows; without it a line cannot be edited, and is cut at 4,096 signs
    except ImportError:
        return Person(input, show_prose, edit)
    readline.parse_and_bind("set enable-bracketed-paste on")

    def read(prompt: str) -> str:
        try:
            return "\n".join([input(prompt), *_rest_of_paste()])
        except KeyboardInterrupt:
            raise KeyboardInterrupt(readline.get_line_buffer()) from None
        finally:
            readline.set_startup_hook()

    def begin(text: str) -> None:
        readline.set_startup_hook(lambda: readline.insert_text(text))

    return Person(read, show_prose, edit, begin)


def _rest_of_paste() -> Iterator[str]:
    """Lines that came with the one before, from a terminal that does not mark what is pasted."""
    while sys.stdin.isatty() and select.select([sys.stdin], [], [], PASTE_SECONDS)[0]:
        yield input()


def forget_keys() -> None:
    """Forget the keys that were pressed before a question was shown: they can't be its answer."""
    with suppress(ImportError):  # not on Windows
        import termios  # noqa: PLC0415

        if sys.stdin.isatty():
            termios.tcflush(sys.stdin, termios.TCIFLUSH)


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
            show_prose(
                f"  Your editor could not be started ({error.strerror}): set EDITOR, or type it here on one line."
            )
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
        if not _refused(call, text, person) and _is_posted(call, text, person):
            return text


def introduction(call: Call) -> Iterator[str]:
    """What the person is asked, and how to answer."""
    brief = call.brief
    limit = f", at most {brief.words} words" if brief.words else ""
    yield f"\n{call.seat.id.upper()}, it is your turn: {brief.name}{limit}."
    yield from (brief.text, *(f"The chair tells you: {told}" for told in call.instructions))
    yield from _reading(call)
    how = "Type or paste it; Enter alone opens your editor." if brief.form.prose else f"{EDIT} opens your editor."
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
        if edited := said in {"", EDIT}:
            said = asker.edited(draft, [*introduction(call)])
        while said and not _refused(call, said, person):
            if _is_posted(call, said, person, pasted=not edited and "\n" in said):
                return said
            if person.edit is None:
                person.begin(said)
                break
            said, edited = asker.edited(said, [*introduction(call)]), True
        draft = said or draft


def _refused(call: Call, text: str, person: Person) -> bool:
    """Tell the person what is wrong with an answer, if anything is."""
    weighed = weigh(call.brief, Reply(text, instant()))
    if weighed.complaints:
        person.tell("\nNot accepted yet:")
        for complaint in weighed.complaints:
            person.tell(f"  - {complaint}")
    return bool(weighed.complaints)


def _is_posted(call: Call, text: str, person: Person, *, pasted: bool = False) -> bool:
    """Whether the person posts an answer: asked of one that is far too long, or was pasted in paragraphs."""
    if told := too_many_words(call, text):
        said = person.read(f"{told} Post it? y posts, e edits: ").strip().lower()
        return said.startswith("y")
    words = f"{count_words(text):,} words"
    if pasted:
        paragraphs = sum(bool(line.strip()) for line in text.splitlines())
        said = person.read(f"Post {paragraphs} paragraphs, {words}? Enter posts, e edits: ").strip().lower()
        return said in {"", "y", "yes"}
    if call.brief.words:
        person.tell(f"{words}.")
    return True


def too_many_words(call: Call, text: str) -> str:
    """How far an answer is too long, as a sentence; empty if it is not, or is no answer."""
    asked, answer = call.brief.asked_words, weigh(call.brief, Reply(text, instant())).answer
    many = count_words(answer.counted()) if answer else 0
    return f"{many:,} words; about {asked:,} were asked." if asked and many > FAR_TOO_MANY * asked else ""


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
                answer_here(self._service, self._run_id, call, self._person, pauses=True)
            except EOFError:
                return False
            except KeyboardInterrupt:
                self.left = call.seat.id
                self._pause()
                return False
        self._told.heard(call.address)
        return True


def answer_here(service: RunService, run_id: str, call: Call, person: Person, *, pauses: bool = False) -> None:
    """Ask the person, and send the answer; the first answer to a question stands. `pauses` says that Ctrl-C does."""
    kept, watch = KeptDraft(run_id, call.key), QuestionWatch(lambda: closed(service.runs, run_id, call.key))
    forget_keys()
    try:
        with watch.watching():
            text = ask(call, kept.typist(replace(person, read=watch.reading(person.read))))
            _spoken(service, run_id, call, text, person)
    except Closed:
        person.tell(f"\n{watch.closed[:1].upper()}{watch.closed[1:]}.{kept.set_aside()}")
    except (QuestionClosed, NotFound) as error:
        person.tell(f"{_began(error)}. What you wrote was not used.{kept.set_aside()}")
    except (EOFError, KeyboardInterrupt) as left:
        paused = pauses and isinstance(left, KeyboardInterrupt)
        later = f"hustings resume {run_id}" if paused else f"hustings say {run_id} {call.seat.id}"
        open_ = "" if paused else f"Left open. Answer it later: {later}"
        person.tell(f"\nKept as a draft. {later} {kept.draft.goes_on}." if kept.draft.words else f"\n{open_}")
        raise
    else:
        kept.forget()
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
