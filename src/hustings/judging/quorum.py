"""Quorum: whether enough seats spoke and enough sheets were accepted; also counts the seats' own votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hustings.transcript.models import SILENT_ROLES, Round, Transcript
from hustings.transcript.notes import Decided, NoQuorum, Outcome, TooClose

from .judgement import Votes
from .score_board import stage_of

OPPOSED = ("pro", "con")


@dataclass(frozen=True)
class SeatsHeard:
    """Whether enough was heard, counted in parts with both sides or in seats of the last pass."""

    needed: int
    had: int
    why_not: str = ""


@dataclass(frozen=True)
class Sheets:
    """Sheets of one judge in one order."""

    asked: int
    """As planned, even if the judge could not be reached."""
    accepted: int

    @property
    def count(self) -> bool:
        """Whether the observation counts: at least half of its sheets were accepted."""
        return self.accepted > 0 and 2 * self.accepted >= self.asked


def voices(transcript: Transcript) -> SeatsHeard:
    """Check that enough seats spoke.

    With two sides, each must speak in every part in which the other does. Otherwise more than half of the seats that
    were ever asked, and at least two, must speak in the last pass.
    """
    seats = {p.agent_id: p for p in transcript.participants if p.role not in SILENT_ROLES}
    teams = {seat: p.team for seat, p in seats.items() if p.team}
    roles = {seat: p.role for seat, p in seats.items() if p.role in OPPOSED}
    for side_of in (teams, roles):
        sides = sorted(set(side_of.values()))
        if len(sides) == 2:
            return _of_two_sides(transcript.rounds, side_of, sides)
    return _of_many(transcript.rounds, seats.keys())


def _of_two_sides(
    rounds: Iterable[Round], side_of: Mapping[str, str | None], sides: Sequence[str | None]
) -> SeatsHeard:
    heard: dict[str, set[str | None]] = {}
    for round_ in rounds:
        spoke = {side_of[turn.speaker_id] for turn in round_.turns if turn.said and turn.speaker_id in side_of}
        if spoke:
            heard.setdefault(stage_of(round_.label), set()).update(spoke)
    lost = [f"{side} did not speak in {part}" for part, spoke in heard.items() for side in sides if side not in spoke]
    return SeatsHeard(max(len(heard), 1), len(heard) - len(lost), "; ".join(lost) if heard else "nobody spoke")


def _of_many(rounds: Sequence[Round], seats: Iterable[str]) -> SeatsHeard:
    """Check the last pass of a debate without two sides.

    It is the shortest run of final rounds that asks every seat that was ever asked: one round where all speak in each,
    many where questions go to one seat at a time.
    """
    speaking = set(seats)
    everybody = {seat for round_ in rounds for seat in _asked(round_)} & speaking
    asked, spoke = set[str](), set[str]()
    for round_ in reversed(rounds):
        if asked >= everybody:
            break
        asked |= set(_asked(round_)) & speaking
        spoke |= {turn.speaker_id for turn in round_.turns if turn.said} & speaking
    needed = max(2, len(everybody) // 2 + 1)
    why = f"{len(spoke)} of {len(everybody)} seats spoke in the last pass, and {needed} are needed"
    return SeatsHeard(needed, len(spoke), why if len(spoke) < needed else "")


def _asked(round_: Round) -> Iterable[str]:
    return (*(round_.planned_speaking_order or ()), *(turn.speaker_id for turn in round_.turns))


def tally(seats: Sequence[str], ballots: Mapping[str, str | None], options: Sequence[str]) -> Votes:
    """Count each seat's choice; ballots of others are ignored."""
    chosen = {seat: choice for seat in seats if (choice := ballots.get(seat)) is not None}
    valid = {seat: choice for seat, choice in chosen.items() if choice in options and choice != seat}
    return Votes(
        options={option: sum(choice == option for choice in valid.values()) for option in options},
        void=tuple(seat for seat in chosen if seat not in valid),
        silent=tuple(seat for seat in seats if seat not in chosen),
        seats=len(seats),
    )


def by_votes(votes: Votes) -> Outcome:
    """A strict majority of the seats decides; the margin is the lead in votes.

    A majority that needs seats with conditions decides in part.
    """
    valid, needed = sum(votes.options.values()), votes.seats // 2 + 1
    if valid < max(2, needed):
        return NoQuorum(needed=max(2, needed), had=valid, abstentions=len(votes.silent) + len(votes.void))
    counts = sorted(votes.options.values(), reverse=True)
    lead = float(counts[0] - sum(counts[1:2]))
    if counts[0] >= needed:
        what = next(option for option, count in votes.options.items() if count == counts[0])
        whole = counts[0] == votes.seats and not votes.conditions
        return Decided(what=what, extent="full" if whole else "partial", margin=lead)
    first = [option for option, count in votes.options.items() if count == counts[0]]
    told = f"{' and '.join(first)} tie at {counts[0]}" if len(first) > 1 else f"{first[0]} has {counts[0]}"
    return TooClose(margin=lead, reasons=(f"{told} of {votes.seats} votes, and a majority is {needed}",))
