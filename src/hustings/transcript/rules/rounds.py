"""DT-R: rounds are numbered in order, and in each of them those speak who should, in the order they should."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .index import Index, IndexedRound, rule
from .rulebook import Found, quoted


@rule("DT-R001", "error", "round_index does not increase")
def goes_back(index: Index) -> Iterator[Found]:
    for before, round_ in pairwise(index.rounds):
        if round_.number <= before.number:
            yield Found(round_.at("round_index"), f"{round_.number} after {before.number}")


@rule("DT-R002", "error", "round_index of a turn is not that of its round")
def other_round(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        said, meant = turn.body["round_index"], turn.round["round_index"]
        if said != meant:
            yield Found(turn.at("round_index"), f"{said} in round {meant}")


@rule("DT-R003", "error", "turn_index_in_round is not the position")
def other_position(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        said, meant = turn.body["turn_index_in_round"], turn.place[1]
        if said != meant:
            yield Found(turn.at("turn_index_in_round"), f"{said} at position {meant}")


@rule("DT-R004", "error", "a participant speaks twice in a complete round")
def twice_in_complete(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        if round_.attendance.status == "complete" and _repeats(round_.speakers):
            yield Found(round_.at())


@rule("DT-R005", "error", "the round is marked complete, but an expected participant has no turn")
def incomplete(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        missing = round_.attendance.missing
        if round_.body.get("round_status") == "complete" and round_.turns and missing is not None:
            yield Found(round_.at(), quoted(missing))


@rule("DT-R006", "error", "the round has no turns, but is not marked partial or aborted")
def empty(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        if not round_.turns and round_.body.get("round_status") not in {"partial", "aborted"}:
            yield Found(round_.at())


@rule("DT-R007", "warning", "round_index leaves numbers out or does not start at 1")
def gap(index: Index) -> Iterator[Found]:
    expected = 1
    for round_ in index.rounds:
        if round_.number > expected or (round_.position == 0 and round_.number != expected):
            yield Found(round_.at("round_index"), f"{round_.number} instead of {expected}")
        expected = round_.number + 1


@rule("DT-R008", "error", "the turns do not follow planned_speaking_order")
def out_of_order(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        planned = round_.body.get("planned_speaking_order")
        if planned is None or _unusable(planned, index) or _repeats(round_.speakers):
            continue
        rest = iter(planned)
        for speaker in round_.speakers:
            if speaker in index.participants and speaker not in rest:
                yield Found(round_.at("planned_speaking_order"), f"{quoted(speaker)} was not next")
                break


@rule("DT-R009", "error", "planned_speaking_order repeats a participant or names an unknown one")
def unusable_order(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        if _unusable(round_.body.get("planned_speaking_order") or (), index):
            yield Found(round_.at("planned_speaking_order"))


@rule("DT-R010", "error", "the order is not the rotation that order_regime declares")
def not_rotated(index: Index) -> Iterator[Found]:
    if index.document["run_metadata"].get("order_regime") != "rotating":
        return
    first: tuple[int, list[str]] | None = None
    for round_ in index.rounds:
        order = _order(round_)
        everybody = len(order) == len(index.speaking) and index.speaking.issuperset(order)
        if not order or not everybody or _repeats(order) or round_.attendance.away:
            continue
        first = first or (round_.position, order)
        shift = (round_.position - first[0]) % len(order)
        if order != first[1][shift:] + first[1][:shift]:
            yield Found(round_.at(), f"{quoted(order[0])} begins, {quoted(first[1][shift])} should")


@rule("DT-R011", "warning", "the round is partial, but no event and no lost turn explains it")
def unexplained(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        if round_.attendance.status == "partial" and not round_.attendance.explained:
            yield Found(round_.at())


@rule("DT-R012", "warning", "a participant speaks twice in a partial or aborted round")
def twice_in_partial(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        if round_.attendance.status != "complete" and _repeats(round_.speakers):
            yield Found(round_.at())


def _repeats(names: Sequence[str]) -> bool:
    return len(set(names)) != len(names)


def _unusable(planned: Sequence[str], index: Index) -> bool:
    return _repeats(planned) or any(name not in index.participants for name in planned)


def _order(round_: IndexedRound) -> list[str]:
    planned = round_.body.get("planned_speaking_order")
    return round_.speakers if planned is None else planned
