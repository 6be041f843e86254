"""Make the sample debates of `hustings demo`: written in samples/, played by the engine, judged by rule.

python -m tools.samples [NAME ...]          write the recordings anew; prints what came of each
python -m tools.samples --show NAME         print transcript, items to mark and the briefing of one, while it is written
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pydantic import JsonValue

import hustings
from hustings.errors import SeatError
from hustings.judging.anonymise import Mask, mask
from hustings.judging.arguments import argued, sides, speeches
from hustings.judging.audits.judging import Settings as JudgingSettings
from hustings.judging.audits.judging import read_stances, rubrics_for, seed_of
from hustings.judging.extract_claims import drawn
from hustings.judging.quote_support import laid_out, references
from hustings.judging.sheets import JudgeReading, Material, masked, sheets
from hustings.lab.gold import actor_of
from hustings.llm.improviser import clock
from hustings.report import judgement_markdown
from hustings.runs.judging_spec import judgement_of
from hustings.runs.recording import SUFFIX, Came, Head, Judging, Recording, Remains, dump, load, told_by
from hustings.runs.registry import find_script, rubrics
from hustings.runs.staging import START, Actor, plan, play_out, proceedings_of, set_stage
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.documents import TextsOf
from hustings.script.forms import Form
from hustings.script.rubric import Rubric
from hustings.script.seats import Player
from hustings.script.stage import AuditSubject, Stage
from hustings.transcript.events import Event, TurnEntered
from hustings.transcript.models import RunMetadata
from hustings.transcript.rules import check_document

from .sample_sources import Sample, WrittenMarks, read_sample

FOLDER = Path(hustings.__file__).parent / "data" / "recordings"
NAMES = ("monolith", "last-boat", "car-free", "rewrite", "phones", "backup")
"""In the order in which a demo lists them."""
NOTE = (
    "The words of this sample were written by the authors of hustings; everything else is what the engine made of them."
)
JUDGES = "ABC"
"""Three judges of three families, all made up: their marks are written down beside the debate."""
PACE = 4.0
"""Words a second, as people read."""
BREATH = 1.0
"""Seconds before a speaker begins, and for what is said off the record."""


# -- played and judged -------------------------------------------------------------------


@dataclass(frozen=True)
class Performance:
    proceedings: Proceedings
    events: tuple[Event, ...]


def performed(
    spec: DebateSpec, run_id: str, actor_for: Callable[[Stage[Any]], Actor], texts: TextsOf | None = None
) -> Performance:
    """What the engine makes of a debate or of its judging, if an actor answers every call."""
    metadata = RunMetadata(generation_mode="written")
    driver, stage = set_stage(spec, run_id, START, metadata, fence=f"sample {run_id}", texts=texts)
    play_out(driver, actor_for(stage))
    return Performance(proceedings_of(driver, stage), tuple(driver.events))


def played(sample: Sample) -> Performance:
    speakers = actor_of(sample.debate)

    def actor(call: Call) -> Reply | SeatError:
        if issubclass(call.brief.form, Rubric):
            return said(call, at_the_table(sample, call))
        return speakers(call)

    done = performed(sample.spec, f"sample-{sample.name}", lambda _: actor, sample.laid_down[1])
    speakers.must_be_used_up()
    return done


def said(call: Call, answer: Mapping[str, object], model: str = "scripted") -> Reply:
    return Reply(json.dumps(answer, ensure_ascii=False), clock(call), model=model)


def at_the_table(sample: Sample, call: Call) -> dict[str, object]:
    """The marks of a judge who hears a competition: those of the first of the panel, when it reads first."""
    [seat] = call.brief.choices["item"]
    turn = next(turn for turn in reversed(call.knowledge.turns) if turn.speaker_id == seat)
    return {"about": seat, **row(call.brief.form, sample.judging.marks[turn.turn_id], 0)}


def row(
    rubric: type[Rubric], written: WrittenMarks, place: int, words: Callable[[str], str] = str, same: str | None = None
) -> dict[str, object]:
    """One thing's marks as the form asks for them, by the judge and in the order of this place; `words` hides names."""
    seen = [flag for flag in written.flags if JUDGES[place // 2] in flag.judges]
    flags = [{"kind": flag.kind, "quote": words(flag.quote)} for flag in seen]
    beside: dict[str, object] = {"fallacies": flags, "violations": flags, "same_point_as": same}
    found: dict[str, object] = {}
    for name, field in rubric.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, Form):
            found[name] = _mark(field.annotation, written, name, place, words)
        elif name != "about":
            found[name] = beside.get(name, "")
    return found


def _mark(
    form: type[Form], written: WrittenMarks, name: str, place: int, words: Callable[[str], str]
) -> dict[str, object]:
    if name in written.scores:
        grounds = written.because.get(name) or written.because["all"]
        ground = grounds[place // 2 % len(grounds)]
        given = {"quote": words(ground.quote), "reason": words(ground.why), "score": written.scores[name][place]}
    else:
        given = {"quote": "", "reason": "nothing was said against it", "score": None}
    return {key: value for key, value in given.items() if key in form.model_fields}


def judging_of(sample: Sample, judged: Proceedings) -> DebateSpec:
    families: list[JsonValue] = [f"made-up family {judge}" for judge in JUDGES]
    settings: dict[str, JsonValue] = {"judges": len(JUDGES), "families": families, "claims_per_turn": 8}
    made = plan(find_script("judging"), sample.debate.motion, settings=settings, judged=judged, model="scripted")
    judges = {f"judge_{n}": Player(model=f"written judge {judge}") for n, judge in enumerate(JUDGES, 1)}
    documents = sample.laid_down[0]
    return made.model_copy(
        update={
            "rubric": sample.spec.rubric,
            "cast": {**made.cast, **judges},
            "documents": documents and documents.for_all(),
            **sample.about,
        }
    )


class Panel:
    """A clerk and three judges who answer every sheet with what is written in the sample."""

    def __init__(self, sample: Sample, spec: DebateSpec, stage: Stage[Any]) -> None:
        assert spec.judged is not None
        self.sample, self.judged, self.stage = sample, spec.judged, stage
        self.settings = JudgingSettings.model_validate(spec.settings)
        self.seed = seed_of(self.settings, self.judged)

    @cached_property
    def material(self) -> Material:
        """What lies before the judges, once the clerk is done."""
        found, subject = argued(self.judged), AuditSubject(self.judged, rubrics())
        case = found if found.claims else drawn(self.judged, self.stage.recorder.notes)
        material = Material(self.judged, case, rubrics_for(subject, self.stage.rubric))
        asked = {item.id for items in material.items.values() for item in items}
        given = set(self.sample.judging.marks)
        if asked != given:
            missing, spare = sorted(asked - given), sorted(given - asked)
            raise LookupError(f"judging.toml has no marks for {missing}, and marks that nobody asks for: {spare}")
        return material

    @cached_property
    def asked(self) -> dict[tuple[str, str, tuple[str, ...]], tuple[int, Mask]]:
        """Which order a sheet belongs to, and the names on it, by judge, kind and labels."""
        found: dict[tuple[str, str, tuple[str, ...]], tuple[int, Mask]] = {}
        for judge in range(1, len(JUDGES) + 1):
            for order in range(self.settings.orders):
                reading = JudgeReading(f"judge_{judge}", order, self.seed)
                hidden = masked(self.material, reading)
                briefs = (
                    *sheets(self.material, reading, self.settings.items_per_sheet),
                    *read_stances(self.material, self.settings.options, reading),
                )
                found |= {(reading.judge, brief.name, brief.choices["item"]): (order, hidden) for brief in briefs}
        return found

    def __call__(self, call: Call) -> Reply:
        return said(call, self._answer(call), self._model(call))

    def _model(self, call: Call) -> str:
        place = call.seat.id.removeprefix("judge_")
        return f"written judge {JUDGES[int(place) - 1]}" if place.isdigit() else "scripted"

    def _answer(self, call: Call) -> dict[str, object]:
        match call.brief.name:
            case "claims":
                return {"drawn": [*self._claims(call)]}
            case "relations":
                return {"relations": [*self._relations(call)]}
            case "final stances":
                _, hidden = self.asked[call.seat.id, call.brief.name, call.brief.choices["item"]]
                return {"stances": [self._stance(name, hidden) for name in call.brief.choices["item"]]}
            case "quote support":
                return {"quotes": [*self._supports(call)]}
            case _:
                order, hidden = self.asked[call.seat.id, call.brief.name, call.brief.choices["item"]]
                place = 2 * (int(call.seat.id.removeprefix("judge_")) - 1) + order
                return {"marks": [self._marks(call, label, hidden, place) for label in call.brief.choices["item"]]}

    # -- the clerk

    @cached_property
    def _clerk(self) -> Mask:
        turns, seats = speeches(self.judged.transcript), sides(self.judged.transcript)
        return mask(self.judged.transcript, {t.turn_id: seats[t.speaker_id] for t in turns}, self.seed, "clerk")

    def _turn(self, call: Call) -> str:
        """The turn that lies before the clerk, by its label."""
        shown = {exhibit.name for group in call.brief.exhibits for exhibit in group}
        return next(turn for turn, label in self._clerk.labels.items() if label in shown)

    def _claims(self, call: Call) -> Iterator[dict[str, object]]:
        for claim in self.sample.debate.claims.get(self._turn(call), ()):
            quote, told = self._clerk.words(claim.quote), self._clerk.words(claim.claim)
            yield {"quote": quote, "claim": told, "issue": claim.issue or None}

    def _relations(self, call: Call) -> Iterator[dict[str, object]]:
        turn = self._turn(call)
        shown = {exhibit.words: exhibit.name for group in call.brief.exhibits for exhibit in group}
        claims = drawn(self.judged, self.stage.recorder.notes).claims
        labels = {claim.id: shown.get(self._clerk.words(claim.words)) for claim in claims}
        for one in self.sample.debate.relations.get(turn, ()):
            yield {
                "quote": self._clerk.words(one.quote),
                "target": labels[one.target],
                "kind": one.kind,
                "extent": one.extent or None,
                "source": labels[one.source] if one.source else None,
            }

    # -- a judge

    def _stance(self, name: str, hidden: Mask) -> dict[str, str]:
        seat = next(seat for seat in self.sample.judging.stances if hidden.names[seat] == name)
        read = self.sample.judging.stances[seat]
        told = {"condition": read.condition, "quote": read.quote, "moved_by": read.moved_by}
        words = {what: hidden.words(text) for what, text in told.items()}
        return {"about": name, "began": read.began, "ends": read.ended, **words}

    def _supports(self, call: Call) -> Iterator[dict[str, str]]:
        judge = int(call.seat.id.removeprefix("judge_")) - 1
        laid = {exhibit.name: exhibit.words for group in call.brief.exhibits for exhibit in group}
        hidden = masked(self.material, JudgeReading(call.seat.id, 0, self.seed))
        given = references(self.material.case.claims, self.material.turns, self.judged.notes)
        shown = {laid_out(one, hidden): one.id for one in given if one.citation.accepted}
        for name in call.brief.choices["item"]:
            yield {"about": name, "supports": self.sample.judging.quotes[shown[laid[name]]].split()[judge]}

    def _marks(self, call: Call, label: str, hidden: Mask, place: int) -> dict[str, object]:
        written = self.sample.judging.marks[hidden.item(label)]
        rubric = self.material.rubrics[call.brief.name.partition(" ")[0]]
        same = hidden.labels.get(written.same_point_as)  # only what lies on the same sheet can be named
        same = same if same in call.brief.choices["item"] else None
        return {"about": label, **row(rubric, written, place, hidden.words, same)}


# -- recorded ----------------------------------------------------------------------------


def timed(events: tuple[Event, ...]) -> tuple[Came, ...]:
    """Words come as fast as people read; the rest follows on them."""
    came: list[Came] = []
    now = 0.0
    for event in events:
        if isinstance(event, TurnEntered):
            now += BREATH + len(event.turn.said.split()) / PACE
        came.append(Came(at=round(now, 3), event=event))
    return tuple(came)


def recorded(sample: Sample) -> Recording:
    debate = played(sample)
    spec = judging_of(sample, debate.proceedings)
    judging = performed(spec, f"sample-{sample.name}.judging", lambda stage: Panel(sample, spec, stage))
    judgement = judgement_of(spec, judging.proceedings)
    assert judgement is not None
    came = timed(debate.events)
    head = Head(
        **told_by(debate.proceedings.transcript),
        judges=tuple(judge.model for judge in judgement.panel),
        recorded=START[:10],
        engine=f"hustings {version('hustings')}",
        note=NOTE,
        seconds=came[-1].at,
    )
    kept = Judging(debate=spec.model_copy(update={"judged": None}), proceedings=judging.proceedings)
    told = debate.proceedings
    remains = Remains(
        result=told.result, decision=told.decision, sections=told.sections, judgement=judgement, judging=kept
    )
    return Recording(head, came, remains)


def path_of(name: str) -> Path:
    return FOLDER / f"{NAMES.index(name) + 1}-{name}{SUFFIX}"


def faults(recording: Recording) -> Iterator[str]:
    """What must not be in a sample: findings of the strict rules, sheets sent back, marks without their words."""
    for finding in check_document(recording.proceedings.document()):
        yield f"{finding.code} at {finding.pointer}: {finding.message}"
    judging, judgement = recording.remains.judging, recording.remains.judgement
    assert judging is not None
    assert judgement is not None
    for note in judging.proceedings.notes:
        if note.kind == "failure":
            yield f"judging: {note.body}"
        rows: Any = note.body.get("items", {}) if note.kind == "marks" else {}
        for item, row in rows.items():
            yield from (f"{item} {name}: its quote is not there" for name in (*row["unfounded"], *row["near"]))
        if dropped := note.body.get("dropped"):
            yield f"{note.kind} of {note.body['turn']}: {dropped} dropped"
    if recording.recomputed() != judgement:
        yield "its judgement is another when computed again"


def show(sample: Sample) -> None:
    debate = played(sample)
    for turn in debate.proceedings.transcript.turns:
        print(f"## {turn.turn_id} {turn.speaker_id}\n{turn.said}\n")
    for note in debate.proceedings.notes:
        if note.kind in {"agenda", "docket", "ruling", "stance", "reading", "failure", "citations"}:
            print(f"# {note.kind} by {note.by}: {note.body}")
    made = recorded(sample)
    print(judgement_markdown.render_judgement(made.remains.judgement, depth=3, cost=made.dossier.cost))
    print("\n".join(faults(made)) or "SOUND")


def main(*wanted: str) -> None:
    if wanted[:1] == ("--show",):
        show(read_sample(wanted[1]))
        return
    for name in wanted or NAMES:
        made = recorded(read_sample(name))
        if wrong := [*faults(made)]:
            sys.exit(f"{name}: {wrong}")
        raw = dump(made)
        assert load(raw, name) == made
        path_of(name).write_bytes(raw)
        outcome = made.remains.judgement.outcome if made.remains.judgement else None
        print(f"{path_of(name).name}: {len(raw)} bytes, {made.head.seconds:.0f} s to read, {outcome}")


if __name__ == "__main__":
    main(*sys.argv[1:])
