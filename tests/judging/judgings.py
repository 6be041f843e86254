"""Debates and their judgings, played on the spot, and notes as a panel leaves them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache

from hustings.judging.build_judgement import build_judgement
from hustings.judging.judgement import Judgement
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_protocol, find_rubric, find_script, rubrics
from hustings.runs.staging import Rehearsal, plan, rehearse
from hustings.script.calls import Call, Reply
from hustings.script.prompt import prompt_of
from hustings.script.rubric import Rubric
from hustings.script.stage import AuditSubject
from hustings.transcript.models import Participant, Transcript
from hustings.transcript.notes import RULES, Note, Subject

TOPIC = "Should a town close its centre to cars?"
EVERY = ("structured", "competition", "roundtable", "adaptive", "moderated", "critique")
SHORT: Mapping[str, Mapping[str, object]] = {
    "structured": {},
    "competition": {"free_words": 200},
    "roundtable": {"rounds": 2},
    "adaptive": {"max_rounds": 1},
    "moderated": {"panelists": 3, "max_exchanges": 2},
    "critique": {},
}
THEN = "2026-01-01T00:00:00.000Z"


def debated(protocol: str, actor=None, *, retries=None, renamed: Callable | None = None, **settings) -> Rehearsal:
    """A short debate, improvised unless somebody answers; `renamed` gives each seat another name and a model."""
    chosen = {**SHORT[protocol], **settings}
    debate = plan(find_protocol(protocol), TOPIC, settings=chosen, retries=retries, model="scripted")
    if renamed:
        seats = tuple(replace(seat, name=renamed(seat)) for seat in debate.seats)
        cast = {seat.id: replace(debate.cast[seat.id], model=f"acme/zephyr-{seat.id}") for seat in seats}
        debate = debate.model_copy(update={"seats": seats, "cast": cast})
    return rehearse(debate, actor or Improviser())


def saying(*words: str):
    """Whoever is asked says the next of these, and the last one again."""
    lines = list(words)

    def answer(call: Call) -> Reply:
        return Reply(lines.pop(0) if len(lines) > 1 else lines[0], clock(call))

    return answer


def judged(played: Rehearsal, actor=None, *, rubric: str | None = "usual", **settings) -> Rehearsal:
    """Its judging, by the rubric of its protocol."""
    chosen = {"families": ["alpha", "beta", "gamma"], **settings}
    audit = plan(find_script("judging"), TOPIC, judged=played.proceedings, settings=chosen, model="scripted")
    named = played.debate.rubric if rubric == "usual" else rubric
    return rehearse(audit.model_copy(update={"rubric": named}), actor or Improviser(3))


def judgement(played: Rehearsal, actor=None, **chosen) -> Judgement:
    """The whole way, to what follows from the marks."""
    return concluded(judged(played, actor, **chosen))


@cache
def judgement_of(protocol: str) -> Judgement:
    """The same of a rehearsed debate, made once."""
    return judgement(debated(protocol))


def concluded(sat: Rehearsal) -> Judgement:
    audit = sat.debate
    assert audit.judged is not None
    rubric = find_rubric(audit.rubric) if audit.rubric else Rubric
    return build_judgement(audit, sat.proceedings, AuditSubject(audit.judged, rubrics()), rubric)


def calls(sat: Rehearsal, brief: str = "", seat: str = "") -> list[Call]:
    every = [call for wave in sat.waves for call in wave]
    return [call for call in every if brief in ("", call.brief.name) and seat in ("", call.seat.id)]


def prompts(sat: Rehearsal) -> list[str]:
    return [prompt_of(call, sat.debate.cast[call.seat.id]).text for call in calls(sat)]


def shown(call: Call) -> dict[str, str]:
    """What lies before a seat: name to words."""
    return {exhibit.name: exhibit.words for group in call.brief.exhibits for exhibit in group}


def noted(sat: Rehearsal, kind: str) -> list[dict]:
    return [note.body for note in sat.proceedings.notes if note.kind == kind]


def note(kind: str, body: dict, turn_id: str | None = None) -> Note:
    about = (Subject(turn_id=turn_id),) if turn_id else ()
    return Note(note_id="n", kind=kind, by=RULES, about=about, created_at=THEN, body=body)


def marks(judge: str, order: int, items: Mapping[str, Mapping[str, int | None]], *, sheet=0, flags=(), same=None):
    """One accepted sheet: item to dimension to score; flags and the same point stand with its first item."""
    rows = {}
    for n, (item, scores) in enumerate(items.items()):
        beside = {"flags": [] if n else list(flags), "same_point_as": None if n else same}
        rows[item] = {"scores": dict(scores), "quotes": {}, "reasons": {}, "near": [], **beside}
    sat = {"judge": judge, "order": order, "sheet": sheet, "rubric": "argument"}
    return note("marks", {**sat, "items": rows, "shown": list(items)})


def at_table(transcript: Transcript, **seats: tuple[str | None, str | None]) -> Transcript:
    """The same record at another table: seat to role and team."""
    people = [Participant(agent_id=seat, role=role, team=team) for seat, (role, team) in seats.items()]
    return transcript.model_copy(update={"participants": people})
