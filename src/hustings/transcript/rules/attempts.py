"""DT-A: the attempts of a turn end in the one that counts, and everything said about them agrees."""

from __future__ import annotations

from collections.abc import Iterator

from .index import Index, IndexedTurn, inside, rule
from .rulebook import Found, quoted


@rule("DT-A001", "error", "the turn has no attempts")
def none(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        if not turn.attempts:
            yield Found(turn.at("attempts"))


@rule("DT-A002", "error", "attempt_index does not count 0, 1, 2 …")
def not_counted(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        for position, attempt in enumerate(turn.attempts):
            if attempt.body["attempt_index"] != position:
                yield Found(turn.at("attempts"), f"{attempt.body['attempt_index']} at position {position}")
                break


@rule("DT-A003", "error", "more than one attempt is ok")
def several_ok(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        if (count := _statuses(turn).count("ok")) > 1:
            yield Found(turn.at("attempts"), f"{count} are")


@rule("DT-A004", "error", "the ok attempt is not the last")
def ok_not_last(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        statuses = _statuses(turn)
        if statuses.count("ok") == 1 and statuses[-1] != "ok":
            yield Found(turn.at("attempts"))


@rule("DT-A005", "error", "the last attempt asks for another")
def ends_in_retry(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        if turn.attempts and turn.attempts[-1].status == "retry":
            yield Found(turn.attempts[-1].at())


@rule("DT-A006", "error", "final_attempt_index or turn_outcome contradicts the attempts")
def other_outcome(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        if not turn.attempts:
            continue
        final, outcome = turn.body.get("final_attempt_index"), turn.body.get("turn_outcome")
        if final not in {None, len(turn.attempts) - 1}:
            yield Found(turn.at("final_attempt_index"), f"{final} of {len(turn.attempts)} attempts")
        if outcome is not None and (outcome == "success") != turn.succeeded:
            yield Found(turn.at("turn_outcome"), f"{outcome}, the last attempt is {turn.attempts[-1].status}")


@rule("DT-A007", "error", "retry_count contradicts the attempts")
def other_retry_count(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        count = turn.body.get("retry_count")
        if turn.attempts and count not in {None, len(turn.attempts) - 1}:
            yield Found(turn.at("retry_count"), f"{count} with {len(turn.attempts)} attempts")
    for attempt in index.attempts:
        count = inside(attempt.body, "control_state").get("retry_count")
        if count not in {None, attempt.body["attempt_index"]}:
            place = attempt.at("control_state/retry_count")
            yield Found(place, f"{count} at attempt_index {attempt.body['attempt_index']}")


@rule("DT-A008", "error", "the attempt is ok, but says nothing")
def blank(index: Index) -> Iterator[Found]:
    for attempt in index.attempts:
        if attempt.status == "ok" and (not attempt.body["content"] or attempt.body["content"].isspace()):
            yield Found(attempt.at("content"), quoted(attempt.body["content"]))


@rule("DT-A009", "error", "the turn was lost, but its round is marked complete")
def lost_in_complete(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        lost = bool(turn.attempts) and not turn.succeeded
        if index.in_loop and lost and turn.round.get("round_status") == "complete":
            yield Found(turn.at())


def _statuses(turn: IndexedTurn) -> list[str]:
    return [attempt.status for attempt in turn.attempts]
