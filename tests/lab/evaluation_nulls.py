"""Null tests of evaluation: debates and judges from which no verdict may follow, and changes that must not matter."""

import random
import re
from collections.abc import Iterator, Mapping
from statistics import fmean

from hustings.lab.artefact import Evaluation, TurnEvaluation
from hustings.script.debate import Proceedings
from hustings.transcript.models import SILENT_ROLES
from tests.judging import debaters
from tests.judging.debaters import Debater

from .held_evaluations import EVERY, FAMILIES, FairEvaluator, evaluated, garbage, turn_of

QUALITY = re.compile(r"\(quality (\d+)\)")
PADDING = 0.05
"""How far the mean ρ of a seat may move if it says the same at three times the length."""


class QualityReader(FairEvaluator):
    """Gives the levels that the words themselves carry, and reads the stance that they state."""

    def __init__(self):
        super().__init__(stance=lambda said: ("yes", "holds") if "I say yes" in said else ("no", "holds"))

    def CritSheet(self, call):  # noqa: N802  named as its form
        found = [int(figure) for figure in QUALITY.findall(turn_of(call))]
        self.level = round(0.6 * fmean(found)) if found else 3
        return super().CritSheet(call)


def held_by(protocol: str, *voices: Debater) -> Proceedings:
    return debaters.held(protocol, voices).proceedings


def two(seed: int) -> tuple[Debater, Debater]:
    return Debater(f"one {seed}", (7, 5, 8), "I say yes."), Debater(f"two {seed}", (6, 8, 4), "I say no.")


def figures(record: Proceedings, actor=None, **settings) -> Evaluation:
    return evaluated(record, actor or QualityReader(), **settings).figures


def nothing_from_garbage(protocol: str, seed: int) -> Iterator[str]:
    """Every reply of the judges is garbage."""
    summary = figures(held_by(protocol, *two(seed)), garbage).run_summary
    for part in (summary.crit_summary, summary.rca_summary, summary.t3_summary):
        yield from (f"{name} is {value}" for name, value in part.model_dump().items() if value is not None)


def no_alarm_among_equals(protocol: str, seed: int) -> Iterator[str]:
    """All seats say the same: they agree from the start, and no one gave in."""
    same = Debater(f"same {seed}", (7, 5, 8), "I say yes.")
    found = figures(held_by(protocol, same, same))
    yield from (f"divergence {look.js}" for look in found.x_hustings.looks if look.js)
    yield from ("an alarm" for look in found.x_hustings.looks if look.alarm)
    verdicts = (turn.rca_summary.verdict for turn in found.turn_evaluations)
    yield from (verdict for verdict in verdicts if verdict == "INCONSISTENT_SYCOPHANTIC")


def names_mean_nothing(protocol: str, seed: int) -> Iterator[str]:
    """Seats with other names, that also sort in another order, have the same figures."""
    record = held_by(protocol, *two(seed))
    yield from differing(figures(record), figures(renamed(record, seed)))


def order_means_nothing(protocol: str, seed: int) -> Iterator[str]:
    """Judges in another order, names and lists drawn anew: the same figures."""
    record = held_by(protocol, *two(seed))
    first = figures(record, judges=3, families=[*FAMILIES], seed="first")
    yield from differing(first, figures(record, judges=3, families=[*reversed(FAMILIES)], seed=f"draw {seed}"))


def length_earns_nothing(protocol: str, seed: int) -> Iterator[str]:
    """One voice says the same at three times the length."""
    one, other = two(seed)
    long = Debater(one.seed, one.quality, one.stand, padded=True)
    plain, padded = (figures(held_by(protocol, voice, other)) for voice in (one, long))
    before, after = rho_by_seat(plain), rho_by_seat(padded)
    yield from (f"ρ of {seat} moved" for seat, rho in before.items() if abs(after.get(seat, 9) - rho) > PADDING)
    if words(plain) != words(padded):
        yield f"{words(plain)} became {words(padded)}"


def differing(first: Evaluation, second: Evaluation) -> Iterator[str]:
    if first.run_summary != second.run_summary:
        yield "other figures of the run"
    if first.x_hustings.metrics != second.x_hustings.metrics:
        yield "other metrics"
    if rounds(first) != rounds(second):
        yield "other rounds"
    pairs = zip(first.turn_evaluations, second.turn_evaluations, strict=True)
    yield from (f"another turn {one.turn_id}" for one, other in pairs if scores(one) != scores(other))


def rounds(found: Evaluation) -> list[dict[str, object]]:
    return [look.model_dump(exclude={"stances"}) for look in found.x_hustings.looks]


def scores(turn: TurnEvaluation) -> tuple[object, ...]:
    return turn.crit_summary, turn.rca_summary, turn.t3_summary


def words(found: Evaluation) -> tuple[object, ...]:
    summary = found.run_summary
    return summary.crit_summary.threshold_pass, summary.rca_summary.verdict, summary.t3_summary.passes


def rho_by_seat(found: Evaluation) -> dict[str, float]:
    rhos: dict[str, list[float]] = {}
    for turn in found.turn_evaluations:
        if turn.crit_summary.gamma_mean is not None:
            rhos.setdefault(turn.speaker_id, []).append(turn.crit_summary.gamma_mean)
    return {seat: fmean(each) for seat, each in rhos.items()}


def renamed(record: Proceedings, seed: int) -> Proceedings:
    """The same debate with other ids and names for its speakers; sides and roles stay what they are."""
    speakers = [one for one in record.transcript.participants if one.role not in SILENT_ROLES]
    fresh = [f"seat_{n}" for n in range(len(speakers))]
    random.Random(seed).shuffle(fresh)
    names = {one.agent_id: new for one, new in zip(speakers, fresh, strict=True)}
    shown = {one.display_name: f"Nym {names[one.agent_id].title()}" for one in speakers if one.display_name}
    return Proceedings.model_validate(in_other_names(record.model_dump(mode="json"), names | shown))


def in_other_names(value: object, names: Mapping[str, str], field: str = "") -> object:
    """Every name, as value, as key and in speeches; a side is no name, and `pro` in a speech is a word."""
    match value:
        case dict():
            return {names.get(key, key): in_other_names(item, names, key) for key, item in value.items()}
        case list():
            return [in_other_names(item, names, field) for item in value]
        case str() if field not in SIDES:
            spoken = "|".join(re.escape(name) for name in names if not name.isalpha()) or "(?!)"
            return names.get(value) or re.sub(rf"\b({spoken})\b", lambda found: names[found[1]], value)
        case _:
            return value


SIDES = frozenset({"role", "team", "kind"})
EVALUABLE = (*EVERY, "critique")
EVALUATION_NULLS = {
    "garbage": (nothing_from_garbage, EVALUABLE),
    "identical seats": (no_alarm_among_equals, EVALUABLE),
    "renamed seats": (names_mean_nothing, EVALUABLE),
    "shuffled order": (order_means_nothing, EVALUABLE),
    "padded three times": (length_earns_nothing, EVALUABLE),
}
"""Name to the test and the protocols that it is about."""
