"""Rules of the controller: from each round's figures, how sharply the next may argue and what evidence it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hustings.lab.artefact import LawName
from hustings.lab.signals import Look, alarm

Tone = Literal["collaborative", "neutral", "adversarial"]
Trigger = Literal["pid_escalation", "evidence_gate", "sycophancy_alarm"]

START = 0.5
"""Where tone begins, between 0 (collaborative) and 1 (adversarial)."""
LOW, HIGH = 0.33, 0.67
POOR_EVIDENCE, GOOD_EVIDENCE = 0.55, 0.70
TINY = 1e-9


@dataclass(frozen=True)
class Law:
    """Proportional unless gains are given. The bounds hold whatever the gains are."""

    kp: float = 0.8
    ki: float = 0.0
    kd: float = 0.0
    leak: float = 0.9
    target: float = 0.8
    neutral: float = 0.5
    alarm: float = 0.25
    """What an alarm adds to the error."""
    dead_band: float = 0.05
    most: float = 0.25
    """Largest change of tone between two rounds."""
    integral_limit: float = 0.5
    guard: float = 0.04
    """If quality falls by more than this after tone rose, tone goes back to neutral for good; 0 for no guard."""


LAWS: Mapping[LawName, Law] = {
    "p": Law(),
    "pid": Law(ki=0.2, kd=0.1),
    "raudit_literal": Law(kp=0.15, ki=0.01, kd=0.03, neutral=0.0, alarm=1.0, dead_band=0.0, most=1.0, guard=0.0),
}
"""The last has the published constants, for reproduction: it drifts to 0 where nothing is wrong."""


@dataclass(frozen=True)
class ControllerState:
    """All that a `controller` note keeps: the next state follows from this and the next look alone."""

    beta: float = START
    gate: int = 0
    error: float = 0.0
    output: float = 0.0
    integral: float = 0.0
    frozen: bool = False
    rose: bool = False
    """Whether tone rose in the last step."""
    rho: float | None = None
    alarm: bool | None = None

    @property
    def tone(self) -> Tone:
        return "collaborative" if self.beta < LOW else "adversarial" if self.beta > HIGH else "neutral"


def step(
    law: Law, state: ControllerState, rho: float | None, evidence: float | None = None, *, hollow: bool | None = None
) -> ControllerState:
    """One round: its mean ρ, its mean evidence pillar and its alarm in; tone and gate of the next round out.

    Without a ρ nothing changes: no observation, no action.
    """
    if rho is None:
        return replace(state, output=0.0, alarm=hollow)
    error = law.target - rho
    error = (0.0 if abs(error) < law.dead_band - TINY else error) + law.alarm * bool(hollow)
    slope = error - state.error if state.rho is not None else 0.0
    output = law.kp * error + law.ki * (state.integral + error) + law.kd * slope
    wanted = law.neutral + law.leak * (state.beta - law.neutral) + output
    bounded = _within(0.0, _within(state.beta - law.most, wanted, state.beta + law.most), 1.0)
    # Anti-windup: the sum grows only while the dial follows, or where it would lead back.
    follows = abs(bounded - wanted) < 1e-12 or (wanted - bounded) * error < 0
    integral = _within(-law.integral_limit, state.integral + error * follows, law.integral_limit)
    harmed = law.guard > 0 and state.rose and state.rho is not None and state.rho - rho > law.guard + TINY
    frozen = state.frozen or harmed
    beta = law.neutral if frozen else bounded
    gate = next_gate(state.gate, evidence, hollow=hollow)
    return ControllerState(beta, gate, error, output, integral, frozen, beta > state.beta, rho, hollow)


def next_gate(gate: int, evidence: float | None, *, hollow: bool | None) -> int:
    """The evidence gate, 0 to 2, a step a round: up on poor evidence, down on good, at least 1 after an alarm."""
    if evidence is not None and evidence < POOR_EVIDENCE - TINY:
        gate += 1
    elif evidence is not None and evidence >= GOOD_EVIDENCE - TINY:
        gate -= 1
    return min(2, max(1 if hollow else 0, gate))


@dataclass(frozen=True)
class ControllerInstruction:
    """What a seat is to be told, and why."""

    trigger: Trigger
    words: str


def instructions(before: ControllerState, after: ControllerState) -> list[ControllerInstruction]:
    """Nothing if neither tone nor gate changed and no agreement was hollow."""
    told: list[ControllerInstruction] = []
    if after.tone != before.tone:
        told.append(ControllerInstruction("pid_escalation", TONES[after.tone]))
    if after.gate > before.gate:
        told.append(ControllerInstruction("evidence_gate", GATES[after.gate]))
    if after.alarm:
        told.append(ControllerInstruction("sycophancy_alarm", ALARM))
    return told


def replay(law: Law, looks: Sequence[Look], evidence: Sequence[float | None]) -> list[ControllerState]:
    """All states from the record, the first before any round; evidence is the mean pillar of each round."""
    states: list[ControllerState] = [ControllerState()]
    before: Look | None = None
    for look, support in zip(looks, evidence, strict=True):
        hollow = alarm(before, look) if before else None
        states.append(step(law, states[-1], look.rho, support, hollow=hollow))
        before = look
    return states


def _within(low: float, value: float, high: float) -> float:
    return min(high, max(low, value))


TEXTS_VERSION = 1
"""Version of the texts below."""
TONES: Mapping[Tone, str] = {
    "collaborative": "Look for what holds in the other positions before you say what does not.",
    "neutral": "Test the other positions on their reasons, and say plainly where they hold and where they fail.",
    "adversarial": "Press the weakest step of each position you meet. Concede only to a reason you can name.",
}
GATES: Mapping[int, str] = {
    1: "Name what each of your claims rests on. A claim without ground will not count.",
    2: "Quote what each of your claims rests on, word for word. A claim without a quote goes back to you.",
}
ALARM = (
    "Positions have come closer without a common reason. If yours moved, say which argument moved it; "
    "if none did, say so."
)
