"""Runs the controller between rounds: has turns read, applies the rules of `controller`, tells speakers the result.

It reads as an evaluation does, with one judge, and only what was said since it last looked. Every term of every
decision is noted. A reading that fails is an abstention: without observation nothing changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from pydantic import JsonValue

from hustings.judging.anonymise import Mask
from hustings.judging.arguments import speaking
from hustings.script.calls import DebateContext
from hustings.script.debate import Proceedings
from hustings.script.moves import Brief, or_none
from hustings.script.oversight import CONTROLLED, ControlAction, Directive
from hustings.script.seats import CONTROLLER, ControllerLaw
from hustings.script.stage import Stage
from hustings.transcript.models import ControllerSnapshot, ControlState, Transcript, Turn
from hustings.transcript.notes import RULES, Note, Played

from .answers_noted import answers_noted
from .build_bundles import DebateMaterial
from .bundle import Bundle, Distribution, moved
from .claim_listing import claims_brief
from .controller import LAWS, TEXTS_VERSION, TONES, ControllerState, instructions, step
from .crit import judged
from .crit_sheet import crit_brief
from .dial import HOLD, RELEASE, tone_of
from .point_matching import match_brief
from .reading import READING_RULES, EvaluatorReading, masked_for
from .signals import Look, alarm, movement
from .stance_reading import stance_brief
from .turn_sheet import TurnSheet

OPTIONS = ("yes", "no")
"""Answers between which a stance is read, where seats were given no side."""
EXTENSION = "x_hustings"
"""Field of a snapshot for terms that the public transcript has no names for."""
STRICT = 2
"""The evidence gate from which an answer without a quote goes back."""
PERSON = "human_override"
GAVE_REASON = frozenset({"concede", "partial", "withdraw", "support"})
"""Relations by which a seat names an argument that moved it."""


@dataclass(frozen=True)
class Observed:
    """What one look found."""

    look: Look
    evidence: float | None
    """Mean mark of the pillar `evidential_support` over the turns of this look."""
    read: int
    """Turns that have a ρ."""
    moved: tuple[str, ...] = ()
    """Seats whose position moved without an argument that they name."""


class DebateMonitor:
    """Watches one debate. What it keeps follows from the recorded answers alone, so a replay ends in the same state."""

    seat = CONTROLLER

    def __init__(self, law: ControllerLaw, options: Sequence[str] = OPTIONS) -> None:
        self._name, self._law, self._options = law, LAWS[law], tuple(options)
        self._state, self._held = ControllerState(), False
        self._notes: list[Note] = []
        self._before: Look | None = None
        self._speakers: tuple[str, ...] = ()

    def context(self, debate: DebateContext) -> DebateContext:
        """No seats, no documents, no format of the debate: the reader knows the question and what it is shown."""
        return DebateContext(
            CONTROLLED,
            debate.topic,
            READING_RULES,
            (CONTROLLER,),
            debate.language,
            debate.run_id,
            debate.fence,
            table=False,
            subject=True,
            going_on=True,
        )

    async def look(self, stage: Stage[Any], turns: Sequence[Turn]) -> ControlAction:
        record = stage.recorder.record
        self._speakers = speakers_of(record.transcript)
        fresh = [turn.turn_id for turn in turns]
        so_far = Proceedings(transcript=record.transcript, notes=tuple(record.notes), result=None, ending=Played())
        for briefs in (self._first, self._second, self._third):
            await self._read(stage, briefs(self._material(so_far), fresh))
        return self._act(self._observe(self._material(so_far), fresh), fresh)

    # -- reading -------------------------------------------------------------------------

    def _material(self, so_far: Proceedings) -> DebateMaterial:
        return DebateMaterial(so_far, tuple(self._notes), self._options)

    def _first(self, material: DebateMaterial, fresh: Sequence[str]) -> list[Brief[Any]]:
        """Where each turn stands, and what it claims."""
        hidden, seed = _mask(material), _seed(material)
        read = [turn for turn in material.read_turns if turn.turn_id in fresh]
        listed = [] if material.on_forms else [turn for turn in material.spoken if turn.turn_id in fresh]
        return [
            *(stance_brief(turn, hidden, self._options, CONTROLLER.id, seed) for turn in read),
            *(claims_brief(turn, hidden, clerk=CONTROLLER.id) for turn in listed),
        ]

    def _second(self, material: DebateMaterial, fresh: Sequence[str]) -> list[Brief[Any]]:
        """What of it was said before, and on which grounds."""
        hidden = _mask(material)
        asked = (
            match_brief(
                turn,
                material.claims_of(turn.turn_id),
                material.claims_before(turn.turn_id),
                material.heard[turn.turn_id],
                hidden,
                material.sides,
            )
            for turn in material.spoken
            if turn.turn_id in fresh and not material.on_forms
        )
        return [brief for brief in asked if brief is not None]

    def _third(self, material: DebateMaterial, fresh: Sequence[str]) -> list[Brief[Any]]:
        """How well each turn reasons."""
        hidden, reading = _mask(material), EvaluatorReading(CONTROLLER.id)
        made = [bundle for bundle in material.bundles if bundle.turn_id in fresh and bundle.claims]
        return [crit_brief(TurnSheet(material, bundle, hidden, reading)) for bundle in made]

    async def _read(self, stage: Stage[Any], briefs: Sequence[Brief[Any]]) -> None:
        """Ask side by side. What code concludes is kept here: on the record it would count as the debate's own."""
        asks = [stage.consult(CONTROLLER, replace(brief, observers=())) for brief in briefs]
        answers = await stage.together(*(or_none(ask) for ask in asks))
        for brief, answer in zip(briefs, answers, strict=True):
            for observer in brief.observers if answer is not None else ():
                for remark in observer(answer):
                    name, at = f"c{len(self._notes)}", stage.recorder.now
                    self._notes.append(
                        Note(note_id=name, kind=remark.kind, by=RULES, created_at=at, body=dict(remark.body))
                    )

    # -- deciding ------------------------------------------------------------------------

    def _observe(self, material: DebateMaterial, fresh: Sequence[str]) -> Observed:
        answers = answers_noted(self._notes)
        marks = [judged(answer) for turn in fresh if turn in answers for answer in answers[turn].crit]
        rhos = [rho for mark in marks if (rho := mark.rho()) is not None]
        supported = [mark.pillars["evidential_support"] for mark in marks if "evidential_support" in mark.pillars]
        rho = fmean(rhos) if rhos and 2 * len(rhos) >= len(fresh) else None
        look = table(material.bundles, fresh, rho)
        evidence = fmean(supported) if supported else None
        return Observed(look, evidence, len(rhos), self._unreasoned(material, look, fresh))

    def _unreasoned(self, material: DebateMaterial, look: Look, fresh: Sequence[str]) -> tuple[str, ...]:
        reasoned = {one.seat for one in material.matches.relations if one.turn_id in fresh and one.kind in GAVE_REASON}
        before: Mapping[str, Distribution] = self._before.stances if self._before else {}
        return tuple(
            seat
            for seat, stance in look.stances.items()
            if moved(before.get(seat), stance) in {"part", "full"} and seat not in reasoned
        )

    def _act(self, seen: Observed, fresh: Sequence[str]) -> ControlAction:
        before, hollow = self._state, alarm(self._before, seen.look) if self._before else None
        after = step(self._law, before, seen.look.rho, seen.evidence, hollow=hollow)
        if self._held:
            kept = {"beta": before.beta, "integral": before.integral, "frozen": before.frozen, "rose": False}
            after = replace(after, **kept)
        directives = tuple(self._directives(before, after, seen.moved))
        terms: dict[str, JsonValue] = {
            "round": seen.look.round,
            "turns": [*fresh],
            "read": seen.read,
            "evidence": _rounded(seen.evidence),
            "movement": _rounded(movement(self._before, seen.look)) if self._before else None,
            "novelty": _rounded(seen.look.novelty),
            "moved_without_reason": [*seen.moved],
            "told": [{"seat": one.seat, "trigger": one.trigger, "words": one.words} for one in directives if one.words],
        }
        self._state, self._before = after, seen.look
        return self._action(directives, terms, seen.look)

    def _directives(
        self, before: ControllerState, after: ControllerState, moved_without: Sequence[str]
    ) -> Iterable[Directive]:
        """All speakers are told the same. An alarm is told to those whose position moved without a reason."""
        for told in instructions(before, after):
            whom = moved_without if told.trigger == "sycophancy_alarm" else self._speakers
            yield from (Directive(seat, told.trigger, told.words) for seat in whom)
        if after.gate < before.gate:
            yield from (Directive(seat, "evidence_gate", "") for seat in self._speakers)

    def turn_dial(self, order: str) -> ControlAction:
        """Obey a person: hold the tone, set it and hold it there, or let the law have it again."""
        before, tone = self._state, tone_of(order)
        self._held = (self._held or order == HOLD or tone is not None) and order != RELEASE
        if tone is not None:
            self._state = replace(before, beta=tone, rose=False)
        words = TONES[self._state.tone] if self._state.tone != before.tone else ""
        # What the law still wanted told about tone is out of date.
        dropped = [Directive(seat, "pid_escalation", "") for seat in self._speakers] if words else []
        told = [Directive(seat, PERSON, words) for seat in self._speakers] if words else []
        return self._action((*dropped, *told), {"dial": order})

    def _action(
        self, directives: tuple[Directive, ...], terms: Mapping[str, JsonValue], look: Look | None = None
    ) -> ControlAction:
        law, state = self._law, self._state
        gains = {"k_p": law.kp, "k_i": law.ki, "k_d": law.kd}
        shared = {"e_t": round(state.error, 6), "u_t": round(state.output, 6), **gains}
        found: dict[str, JsonValue] = {
            "beta": round(state.beta, 6),
            "gate": state.gate,
            "rho": _rounded(look.rho) if look else None,
            "js": _rounded(look.js) if look else None,
            "ov": _rounded(look.ov) if look else None,
            "alarm": state.alarm,
        }
        known = {name: value for name, value in found.items() if value is not None}
        snapshot = ControllerSnapshot.model_validate({**shared, EXTENSION: known})
        noted: dict[str, JsonValue] = {
            "law": self._name,
            "texts_version": TEXTS_VERSION,
            **shared,
            **found,
            "integral": round(state.integral, 6),
            "tone": state.tone,
            "frozen": state.frozen,
            "held": self._held,
            **terms,
        }
        control = ControlState.model_validate({**shared, "beta": found["beta"], "strategy_level": state.tone})
        return ControlAction(directives, snapshot, control, noted, strict=state.gate == STRICT)


# -- from the record ---------------------------------------------------------------------


def speakers_of(transcript: Transcript) -> tuple[str, ...]:
    return tuple(participant.agent_id for participant in speaking(transcript))


def table(bundles: Sequence[Bundle], fresh: Sequence[str], rho: float | None) -> Look:
    """Where the seats stand and what they cite after these turns; a silent seat keeps its last."""
    stances: dict[str, Distribution] = {}
    grounds: dict[str, frozenset[str]] = {}
    earlier, new, claims = set[str](), set[str](), 0
    for bundle in bundles:
        grounds[bundle.seat] = bundle.grounds
        if bundle.beliefs is not None:
            stances[bundle.seat] = bundle.beliefs
        points = {claim.point for claim in bundle.claims}
        if bundle.turn_id in fresh:
            claims += len(bundle.claims)
            new |= points - earlier
        else:
            earlier |= points
    last = max((bundle.round for bundle in bundles), default=0)
    return Look(stances, grounds, claims, len(new - earlier), rho, last)


def _mask(material: DebateMaterial) -> Mask:
    return masked_for(material.judged.transcript, _seed(material), CONTROLLER.id)


def _seed(material: DebateMaterial) -> str:
    """The same in a fork, which reuses the readings of the turns that it inherits."""
    return f"controller/{material.judged.transcript.debate_id}"


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
