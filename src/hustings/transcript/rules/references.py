"""DT-X: everything addressed or named exists, came earlier and could be seen; every speaker was present."""

from __future__ import annotations

from collections.abc import Iterator

from .index import Body, Index, IndexedTurn, inside, rule
from .rulebook import Found, quoted


@rule("DT-X001", "error", "the turn addressed does not exist")
def unknown_turn(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        for target, pointer in _targets(turn):
            if target not in index.turn_of:
                yield Found(pointer, quoted(target))


@rule("DT-X002", "error", "a turn addresses itself or a later one")
def not_before(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        for target, pointer in _targets(turn):
            if target in index.turn_of and index.turn_of[target].place >= turn.place:
                yield Found(pointer, quoted(target))


@rule("DT-X003", "error", "the participant addressed does not exist")
def unknown_agent(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        for edge, pointer in _edges(turn):
            if edge["target_agent_id"] not in index.participants:
                yield Found(f"{pointer}/target_agent_id", quoted(edge["target_agent_id"]))


@rule("DT-X004", "error", "a turn addresses one that its speaker could not see")
def hidden(index: Index) -> Iterator[Found]:
    for turn in index.turns:
        regime = turn.round.get("transcript_visibility")
        shown = inside(turn.body, "metadata").get("context_turn_ids")
        chosen = None if shown is None else frozenset(shown)
        for target, pointer in _targets(turn):
            known = index.turn_of.get(target)
            if known is None or known.place >= turn.place:
                continue
            if not _visible(target, regime, turn.place[0] - known.place[0], chosen):
                yield Found(pointer, f"{quoted(target)}, visibility is {regime}")


@rule("DT-X005", "error", "participant_state_log names a stranger")
def stranger(index: Index) -> Iterator[Found]:
    for event in index.events:
        if event.body["agent_id"] not in index.participants:
            yield Found(event.at("agent_id"), quoted(event.body["agent_id"]))


@rule("DT-X006", "error", "the speaker had dropped out or not yet joined")
def absent(index: Index) -> Iterator[Found]:
    for round_ in index.rounds:
        for turn in round_.turns:
            if turn.speaker in round_.attendance.intruders:
                yield Found(turn.at("speaker_id"), quoted(turn.speaker))


def _edges(turn: IndexedTurn) -> Iterator[tuple[Body, str]]:
    for i, edge in enumerate(turn.body.get("addresses") or ()):
        yield edge, turn.at(f"addresses/{i}")


def _targets(turn: IndexedTurn) -> Iterator[tuple[str, str]]:
    for edge, pointer in _edges(turn):
        if edge.get("target_turn_id") is not None:
            yield edge["target_turn_id"], f"{pointer}/target_turn_id"


def _visible(target: str, regime: str | None, rounds_ago: int, chosen: frozenset[str] | None) -> bool:
    match regime:
        case "isolated":
            return rounds_ago > 0
        case "prior_round_only":
            return rounds_ago == 1
        case "partial":
            return chosen is None or target in chosen
        case _:
            return True
