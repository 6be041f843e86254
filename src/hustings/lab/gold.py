"""Gold debates: written by us in full, marked as a fair judge would, with two careful readers' verdicts on each."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from hustings.errors import SeatFailed
from hustings.judging.build_judgement import build_judgement
from hustings.judging.findings import Findings
from hustings.judging.judgement import Judgement, Standing
from hustings.llm.improviser import Scripted
from hustings.runs.registry import find_protocol, find_rubric, find_script, rubrics
from hustings.runs.staging import START, Rehearsal, plan, rehearse
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.rubric import LONGEST, Rubric
from hustings.script.stage import AuditSubject
from hustings.transcript.notes import RULES, Note, Played


class SaidBySeat(BaseModel, frozen=True, defer_build=True):
    """What a seat answers to one brief: plain words, or a form."""

    model_config = ConfigDict(extra="forbid")

    seat: str
    text: str = ""
    form: dict[str, JsonValue] = {}
    fails: str = ""
    """Why no answer came, if none did."""

    @property
    def line(self) -> str | SeatFailed:
        if self.fails:
            return SeatFailed(self.fails)
        return self.text.strip() or json.dumps(self.form, ensure_ascii=False)


class GoldClaim(BaseModel, frozen=True, defer_build=True):
    """A claim as a fair clerk would draw it from a turn."""

    model_config = ConfigDict(extra="forbid")

    claim: str
    quote: str
    issue: str = ""


class GoldRelation(BaseModel, frozen=True, defer_build=True):
    """How a turn bears on an earlier claim, as a fair clerk would read it."""

    model_config = ConfigDict(extra="forbid")

    target: str
    """Id of the earlier claim: its turn and number, such as r1.t0-2."""
    kind: Literal["refute", "challenge", "partial", "concede", "withdraw", "support", "agree", "answer"]
    quote: str
    source: str = ""
    extent: Literal["all", "core", "point", ""] = ""


class GoldStance(BaseModel, frozen=True, defer_build=True):
    """Where a seat began and ended, as a fair judge would read it."""

    model_config = ConfigDict(extra="forbid")

    began: str
    ended: str
    condition: str = ""
    quote: str
    moved_by: str = ""


class ReadStanding(BaseModel, frozen=True, defer_build=True):
    model_config = ConfigDict(extra="forbid")

    standing: Standing
    why: str


class GoldReading(BaseModel, frozen=True, defer_build=True):
    """What a careful reader of the transcript alone says came of it."""

    model_config = ConfigDict(extra="forbid")

    by: str
    standings: dict[str, ReadStanding]
    issues: dict[str, str] = {}
    """Issue to its state and answer, such as "converged: no"."""
    outcome: Literal["decided", "too_close", "deadlocked", "no_quorum"]
    what: str = ""
    """What was decided: a side, an answer, or the issues that were settled."""
    why: str


class GoldDebate(BaseModel, frozen=True, defer_build=True):
    model_config = ConfigDict(extra="forbid")

    name: str
    motion: str
    background: str = ""
    """A paper of a fictional organisation, which the speakers may quote."""
    protocol: str
    faults: tuple[str, ...]
    """Faults and turns of events that were written into it on purpose."""
    settings: dict[str, JsonValue] = {}
    said: tuple[SaidBySeat, ...]
    claims: dict[str, tuple[GoldClaim, ...]] = {}
    """By turn, where the debate was held in plain words."""
    relations: dict[str, tuple[GoldRelation, ...]] = {}
    stances: dict[str, GoldStance] = {}
    marks: dict[str, dict[str, int]] = {}
    """A fair judge's marks: item to dimension to 1..10."""
    readings: tuple[GoldReading, ...] = Field(default=(), alias="reading")

    @property
    def topic(self) -> str:
        return f"{self.motion}\n\n{self.background.strip()}" if self.background else self.motion


@cache
def gold_debates() -> Mapping[str, GoldDebate]:
    return {debate.name: debate for debate in _read()}


def _read() -> Iterator[GoldDebate]:
    for file in sorted(files("hustings.data").joinpath("gold").iterdir(), key=lambda file: file.name):
        if file.name.endswith(".toml"):
            body: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
            yield GoldDebate.model_validate({"name": file.name.removesuffix(".toml"), **body})


def spec_of(gold: GoldDebate) -> DebateSpec:
    return plan(find_protocol(gold.protocol), gold.topic, settings=gold.settings, model="scripted")


def actor_of(gold: GoldDebate) -> Scripted:
    """An actor that says what is written."""
    lines: dict[str, list[str | SeatFailed]] = {}
    for said in gold.said:
        lines.setdefault(said.seat, []).append(said.line)
    return Scripted(lines)


def played(gold: GoldDebate) -> Rehearsal:
    """The debate as the engine records it; an answer that is sent back, or a line too many, is an error."""
    actor = actor_of(gold)
    done = rehearse(spec_of(gold), actor, how="written")
    actor.must_be_used_up()
    return done


# -- judged by a fair panel --------------------------------------------------------------

Noise = Callable[[str, int, str, int], int]
"""What a judge makes of a fair mark: judge, order, item and dimension, the mark."""


def judged(
    gold: GoldDebate,
    debate: Rehearsal,
    *,
    judges: int = 3,
    orders: int = 2,
    noise: Noise | None = None,
) -> Judgement:
    """What follows from the fair marks, as given by each judge of a panel of different families."""
    families = [f"family {n}" for n in range(1, judges + 1)]
    settings: dict[str, JsonValue] = {"judges": judges, "orders": orders, "items_per_sheet": LONGEST}
    audit = plan(
        find_script("judging"),
        gold.topic,
        settings={**settings, "families": [*families]},
        judged=debate.proceedings,
        model="scripted",
    )
    subject = AuditSubject(debate.proceedings, rubrics())
    rubric = find_rubric(debate.debate.rubric) if debate.debate.rubric else Rubric
    drawn = [*_clerk(gold)]
    found = Findings(audit, _judging(debate, drawn), subject, rubric)
    readings = [(f"judge_{n}", order) for n in range(1, judges + 1) for order in range(orders)]
    notes = [note for judge, order in readings for note in _sheets(gold, found, judge, order, noise)]
    return build_judgement(audit, _judging(debate, [*drawn, *notes]), subject, rubric)


def _judging(debate: Rehearsal, notes: Iterable[Note]) -> Proceedings:
    numbered = tuple(note.model_copy(update={"note_id": f"n{n}"}) for n, note in enumerate(notes))
    return Proceedings(transcript=debate.proceedings.transcript, notes=numbered, result=None, ending=Played())


def _note(kind: str, body: Mapping[str, JsonValue]) -> Note:
    return Note(note_id="n", kind=kind, by=RULES, created_at=START, body=dict(body))


def _clerk(gold: GoldDebate) -> Iterator[Note]:
    """Claims and relations as a fair clerk notes them."""
    for turn, claims in gold.claims.items():
        rows: list[JsonValue] = [
            {"id": f"{turn}-{n}", "claim": c.claim, "quote": c.quote, **({"issue": c.issue} if c.issue else {})}
            for n, c in enumerate(claims, 1)
        ]
        yield _note("drawn", {"turn": turn, "claims": rows, "dropped": 0})
    for turn, relations in gold.relations.items():
        bodies: list[JsonValue] = [
            {"id": f"{turn}>{r.target} {r.kind}", "turn": turn, **r.model_dump(mode="json")} for r in relations
        ]
        yield _note("related", {"turn": turn, "relations": bodies, "dropped": 0})


def _sheets(gold: GoldDebate, found: Findings, judge: str, order: int, noise: Noise | None) -> Iterator[Note]:
    """Every sheet that a judge would be given, filled in with the fair marks."""
    sat: dict[str, JsonValue] = {"judge": judge, "order": order}
    sheet = 0
    for name, items in found.material.items.items():
        for start in range(0, len(items), LONGEST):
            some = [item.id for item in items[start : start + LONGEST]]
            rows: dict[str, JsonValue] = {}
            for item in some:
                scores: dict[str, JsonValue] = {
                    dimension: noise(judge, order, f"{item} {dimension}", mark) if noise else mark
                    for dimension, mark in gold.marks.get(item, {}).items()
                }
                rows[item] = {"scores": scores, "quotes": {}, "reasons": {}, "flags": [], "same_point_as": None}
            shown: list[JsonValue] = [*some]
            yield _note("marks", {**sat, "sheet": sheet, "rubric": name, "items": rows, "shown": shown})
            sheet += 1
    if gold.stances:
        told = {seat: stance.model_dump(mode="json") for seat, stance in gold.stances.items()}
        body: dict[str, JsonValue] = {what: {seat: said[what] for seat, said in told.items()} for what in ALSO_READ}
        ended: dict[str, JsonValue] = {seat: said["ended"] for seat, said in told.items()}
        yield _note("stances", {**sat, **body, "stances": ended})


# -- held against the readers ------------------------------------------------------------


class GoldScore(BaseModel, frozen=True, defer_build=True):
    """How far a verdict agrees with careful readers; where they differ, either is right."""

    name: str
    standings: Mapping[str, tuple[Standing, tuple[Standing, ...]]]
    """Argument to its computed standing, and the readers'."""
    states: Mapping[str, tuple[str, tuple[str, ...]]]
    outcome: tuple[str, tuple[str, ...]]

    @property
    def exact(self) -> list[bool]:
        return [computed in read for computed, read in self.standings.values()]

    @property
    def decided(self) -> list[bool]:
        """As `exact`, of the arguments whose standing is not uncertain."""
        return [computed in read for computed, read in self.standings.values() if computed != "uncertain"]

    @property
    def off_by_more(self) -> list[str]:
        return [
            argument
            for argument, (computed, read) in self.standings.items()
            if min(apart(computed, one) for one in read) > 1
        ]

    @property
    def right_states(self) -> list[bool]:
        return [computed in read for computed, read in self.states.values()]

    @property
    def right_outcome(self) -> bool:
        return self.outcome[0] in self.outcome[1]


def score(gold: GoldDebate, verdict: Judgement) -> GoldScore:
    readings = gold.readings
    standings: dict[str, tuple[Standing, tuple[Standing, ...]]] = {
        row.id: (row.standing, tuple(reading.standings[row.id].standing for reading in readings))
        for row in verdict.trace
        if all(row.id in reading.standings for reading in readings)
    }
    states = {
        issue.id: (
            _state(f"{issue.state}: {issue.answer}"),
            tuple(_state(reading.issues.get(issue.id, "")) for reading in readings),
        )
        for issue in verdict.settled
    }
    read = tuple(_told(reading.outcome, reading.what) for reading in readings)
    outcome = verdict.outcome
    return GoldScore(
        name=gold.name,
        standings=standings,
        states=states,
        outcome=(_told(outcome.kind, getattr(outcome, "what", "")), read),
    )


def _state(told: str) -> str:
    """State and answer, where that is yes or no: an answer in other words is compared by people."""
    state, _, answer = told.partition(":")
    return f"{state}: {answer.strip()}" if answer.strip() in {"yes", "no"} else state


def _told(kind: str, what: str) -> str:
    """The outcome with what was decided, where that is a side or an answer; issues have their own row."""
    return f"{kind}: {what}" if what in {"pro", "con", "yes", "no"} else kind


def apart(one: Standing, other: Standing) -> int:
    """How many classes lie between two standings; an uncertain one is next to every other."""
    if one == other:
        return 0
    if "uncertain" in {one, other} or {one, other} == {"withdrawn", "refuted"}:
        return 1
    order = {"withdrawn": 0, "refuted": 0, "partially_upheld": 1, "upheld": 2}
    return abs(order[one] - order[other])


ALSO_READ = ("began", "condition", "quote", "moved_by")
