"""Seats held by people: find the questions that wait for them, record their answers, make tokens for a seat.

The question is found by replaying the run from the ledger: the same script, the same answers, no
calls. Words that do not fit go back to the person, not to the debate.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import count

from hustings.db import tokens
from hustings.db.caps import OVER
from hustings.db.instants import instant
from hustings.db.instructions import Instruction
from hustings.db.tokens import Access
from hustings.errors import NotFound, Unsuitable
from hustings.runs.call_result import CallResult
from hustings.runs.queries import RunQueries
from hustings.runs.spec import RunSpec
from hustings.runs.staging import set_stage
from hustings.script.attempts import weigh
from hustings.script.calls import Call, Reply
from hustings.transcript.events import HumanAwaited
from hustings.transcript.record import progress_after

from .run_control import RunControl


class QuestionClosed(Unsuitable):
    """The question was answered before, and the first answer stands."""


def open_calls(spec: RunSpec, known: Callable[[str], str | None], told: Sequence[Instruction] = ()) -> Sequence[Call]:
    """Unanswered calls of the first incomplete wave; empty if the record covers the whole debate."""
    driver, _ = set_stage(spec.debate, spec.run_id, spec.created_at, spec.metadata, fence=spec.fence, texts=spec.texts)
    for wave in count():
        if driver.ending is not None:
            break
        for each in (each for each in told if each.wave == wave):
            driver.intervene(each.seat, each.text)
        calls = driver.calls
        answers = [known(call.key) for call in calls]
        if None in answers:
            return [call for call, answer in zip(calls, answers, strict=True) if answer is None]
        call_results = [CallResult.load(answer) for answer in answers if answer is not None]
        driver.resume([d.reply(call) for call, d in zip(calls, call_results, strict=True)])
    return ()


def questions(runs: RunQueries, run_id: str) -> list[Call]:
    """Questions to people that are open now. If the ledger is ahead of the run, its next question is not open yet."""
    asked = {question.key for question in _questions_to_people(runs, run_id)}
    waiting = open_calls(runs.whole_spec(run_id), runs.answers(run_id).get, runs.instructions(run_id))
    return [call for call in waiting if call.key in asked]


def short_key(key: str) -> str:
    """The key of a question as people and hosts write it: place and fingerprint, without spaces."""
    return f"{key.partition(' ')[0]}-{key.rpartition('#')[2]}"


def whole_key(runs: RunQueries, run_id: str, given: str) -> str:
    """The key of a question that was put to a person, by its short form."""
    for question in _questions_to_people(runs, run_id):
        if given in (question.key, short_key(question.key)):
            return question.key
    raise NotFound(
        f"no person was asked a question with the key {given!r}", fix=f"see who is asked: hustings show {run_id}"
    )


def closed(runs: RunQueries, run_id: str, key: str) -> str:
    """Why a question waits for no answer any more; empty if it does."""
    if runs.is_answered(run_id, key):
        return "the question was answered in another window"
    return "the debate is over" if runs.light_row(run_id)["state"] in OVER else ""


def has_spoken(runs: RunQueries, run_id: str, seat: str) -> bool:
    """Whether a person has answered a question to that seat."""
    answers = runs.answers(run_id)
    questions_to_people = _questions_to_people(runs, run_id)
    return any(question.seat == seat and question.key in answers for question in questions_to_people)


def speak(control: RunControl, run_id: str, seat: str, text: str, *, by: str = "a person", key: str = "") -> str:
    """Answer for a seat; the first answer stands. With a key, answer only that question. Returns its address."""
    runs = control.runs
    before = runs.answers(run_id).get(key)
    if before is not None and CallResult.load(before).text != text:
        raise QuestionClosed(f"{seat!r} already answered, or was too late. The first answer counts")
    if before is not None:
        return _address(key)
    found = [call for call in questions(runs, run_id) if call.seat.id == seat and key in ("", call.key)]
    if not found and (last := _last_said(runs, run_id, seat)) and last[1].text == text:
        return _address(last[0])
    if not found:
        raise NotFound(
            f"there is no open question for {seat!r} in {run_id!r}", fix=f"see who it waits for: hustings show {run_id}"
        )
    call, at = found[0], instant()
    if complaints := weigh(call.brief, Reply(text, at)).complaints:
        raise Unsuitable(f"not accepted as {call.brief.name}: {'; '.join(complaints)}")
    call_result = CallResult("ok", at, text, model="human")
    record = {"answer": call_result.dump(), "kind": "ok", "model": "human", "answered_at": at}
    if not control.answer(run_id, call.key, record, by):
        raise QuestionClosed(f"{seat!r} already answered {call.brief.name!r}. The first answer counts")
    return _address(call.key)


def seat_token(control: RunControl, run_id: str, seat: str, seconds: float) -> str:
    """Make a token that opens one seat of one debate, held by a person, until it expires."""
    spec = control.runs.spec(run_id)
    people = [name for name, player in spec.debate.cast.items() if player.model == "human"]
    if seat not in people:
        raise Unsuitable(
            f"the seat {seat!r} of {run_id!r} is not taken by a person",
            fix=f"choose from {', '.join(people)}" if people else "give a seat to a person: --seat SEAT=human",
        )
    access = Access(spec.owner, "seat", run_id, seat)
    return tokens.issue(control.runs.database, access, seconds=seconds, by=control.actor)


def link_path(run_id: str, seat: str, token: str) -> str:
    """Path of the page of a seat. The token is in the fragment, which browsers send to no server, and none logs."""
    return f"/debates/{run_id}/seat/{seat}#link={token}"


def _questions_to_people(runs: RunQueries, run_id: str) -> Collection[HumanAwaited]:
    """Every question that was put to a person, from the log."""
    return progress_after(runs.events(run_id)).people.values()


def _last_said(runs: RunQueries, run_id: str, seat: str) -> tuple[str, CallResult] | None:
    """Key and answer of the latest question to a seat, if the answer is on record."""
    asked = [question.key for question in _questions_to_people(runs, run_id) if question.seat == seat]
    answer = runs.answers(run_id).get(asked[-1]) if asked else None
    return (asked[-1], CallResult.load(answer)) if answer is not None else None


def _address(key: str) -> str:
    return key.partition(" #")[0]
