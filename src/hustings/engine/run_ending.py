"""How a run ends before its script does: where it was stopped, and which answers of a wave end it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from hustings.report import failure_text
from hustings.runs.call_result import CallResult
from hustings.script.calls import Call
from hustings.script.debate import DebateSpec
from hustings.transcript.notes import BudgetStopped, Cancelled, Ending, Failed

ENDING: TypeAdapter[Ending] = TypeAdapter(Ending)


@dataclass(frozen=True)
class StoppedAt:
    """The wave at which a run stops, and why. It is decided once and stored."""

    wave: int
    ending: Ending

    def dump(self) -> str:
        return json.dumps({"wave": self.wave, "ending": self.ending.model_dump(mode="json")})

    @staticmethod
    def load(text: str) -> StoppedAt:
        value = json.loads(text)
        return StoppedAt(value["wave"], ENDING.validate_python(value["ending"]))


def nobody_spoke(silent: Mapping[str, CallResult], models: Mapping[str, str]) -> Failed | None:
    """The ending of a debate in which every model was asked, none has said a word, and none is likely to.

    `silent` has the last result of each seat that was asked, `models` the model of each seat. One seat of several with
    the same model may have had bad luck, unless its prompt was too long: those of the others are no shorter.
    """
    asked = {models[seat] for seat in silent}
    kinds = {result.kind for result in silent.values()}
    if not silent or asked != {*models.values()} or (len(silent) == 1 < len(models) and kinds != {"too_long"}):
        return None
    first = next(iter(silent.values()))
    return Failed(code="nobody_spoke", reason=failure_text.nobody_spoke(first.kind, first.detail))


SPOKE = frozenset({"ok", "truncated", "malformed"})
"""The seat said something, or may well do so when it is asked again."""


class Silence:
    """Who has failed to speak, until the first word of a debate is said. People and hosts are waited for."""

    def __init__(self, debate: DebateSpec) -> None:
        players = debate.players
        self._models = {seat: player.model for seat, player in players.items()}
        self._over = bool(debate.judged) or any(each.model == "human" or each.hosted for each in players.values())
        self._silent: dict[str, CallResult] = {}

    def after(self, answers: Iterable[tuple[Call, CallResult]]) -> Failed | None:
        """The ending that the answers of a wave bring, if nobody can speak."""
        said = {call.seat.id: result for call, result in answers if call.seat.id in self._models}
        self._over = self._over or any(result.kind in SPOKE for result in said.values())
        self._silent |= said
        return None if self._over else nobody_spoke(self._silent, self._models)


def ending_by(call_results: Sequence[CallResult], *, of_an_audit: bool) -> Ending | None:
    """An ending that the answers of a wave cause. In an audit, a judge whose model is rejected abstains instead."""
    for d in call_results:
        if d.kind == "called_off":
            return Cancelled(by=d.detail)
        if d.kind == "broke":
            return BudgetStopped(
                spent=d.spent, cap=d.cap, unit=d.unit, held=d.held, held_calls=d.held_calls, needed=d.needed
            )
        if d.kind == "rejected" and not of_an_audit:
            return Failed(code="rejected", reason=d.why())
    return None
