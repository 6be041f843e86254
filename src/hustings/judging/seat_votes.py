"""Counts where the seats ended: a majority is of all seats, including abstentions and void votes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hustings.transcript.outcome import Decided, NoQuorum, Outcome, TooClose

from .judgement import Votes


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
    """A strict majority of the seats decides; the margin is the lead in votes."""
    valid, needed = sum(votes.options.values()), votes.seats // 2 + 1
    if valid < max(2, needed):
        return NoQuorum(needed=max(2, needed), had=valid, abstentions=len(votes.silent) + len(votes.void))
    counts = sorted(votes.options.values(), reverse=True)
    lead = float(counts[0] - sum(counts[1:2]))
    if counts[0] >= needed:
        what = next(option for option, count in votes.options.items() if count == counts[0])
        return Decided(what=what, extent="full" if counts[0] == votes.seats else "partial", margin=lead)
    first = [option for option, count in votes.options.items() if count == counts[0]]
    told = f"{' and '.join(first)} tie at {counts[0]}" if len(first) > 1 else f"{first[0]} has {counts[0]}"
    return TooClose(margin=lead, reasons=(f"{told} of {votes.seats} votes, and a majority is {needed}",))
