"""Where the seats ended: their stances and votes, who moved, and how the issues of a panel were settled."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

from hustings.script.debate import Proceedings
from hustings.transcript.notes import RULES, Note

from .arguments import Claim, opposed, voters
from .case import IssueEnd
from .extract_claims import issues_of
from .judgement import IssueResult, Movement, Votes
from .marks import Key, ballots, readings
from .quorum import tally


def stances(notes: Iterable[Note]) -> dict[str, Mapping[str, str]]:
    """Seat to where it says it stands (says, condition, why), by its latest form, where forms ask for that."""
    said: dict[str, Mapping[str, str]] = {}
    for note in notes:
        if note.kind == "stance" and note.by == RULES:
            said[str(note.body.get("seat"))] = {name: str(value) for name, value in note.body.items()}
    return said


def votes(judged: Proceedings, counted: Sequence[Note], heard: Collection[Key], options: Sequence[str]) -> Votes | None:
    """Where the seats ended, where none was given a side: from their own forms, else as the panel read their words."""
    if opposed(judged.transcript) is not None:
        return None
    seats, said = voters(judged.transcript), stances(judged.notes)
    if seats and all(seat in said for seat in seats):
        read: dict[str, str | None] = {seat: said[seat]["says"] for seat in seats}
        conditions = {seat: said[seat]["condition"] for seat in seats if said[seat]["condition"]}
    else:
        read, conditions = ballots(counted, seats, heard), _conditions(counted, heard)
    chosen = {seat: option for seat in seats if (option := read.get(seat)) in options}
    kept = {seat: condition for seat, condition in conditions.items() if seat in chosen}
    return tally(seats, read, options).model_copy(update={"conditions": kept, "chosen": chosen})


def _conditions(counted: Sequence[Note], heard: Collection[Key]) -> dict[str, str]:
    """Seats whose answer has a condition, as more than half of the observations that count read it."""
    found = readings(counted, "condition", heard)
    most = {seat: [words for words in said if words] for seat, said in found.items()}
    return {seat: said[0] for seat, said in most.items() if 2 * len(said) > len(heard)}


def movements(votes: Votes, counted: Sequence[Note], heard: Collection[Key]) -> tuple[Movement, ...]:
    """Where each seat began and ended, and the words that it says moved it, as the panel read them."""
    told = {what: readings(counted, what, heard) for what in ("began", "moved_by", "quote")}
    return tuple(
        Movement(
            seat=seat,
            began=_most(told["began"].get(seat, ())),
            ended=option,
            condition=votes.conditions.get(seat, ""),
            moved_by=_most(told["moved_by"].get(seat, ())),
            quote=_most(told["quote"].get(seat, ())),
        )
        for seat, option in votes.chosen.items()
    )


def _most(said: Sequence[str]) -> str:
    """The most frequent reading, the first of those that tie."""
    return max(dict.fromkeys(said), key=said.count, default="")


# -- issues of a moderated panel ---------------------------------------------------------


def questions(notes: Sequence[Note]) -> Mapping[str, str]:
    """Issue to its question."""
    agendas = [note for note in notes if note.kind == "agenda"]
    return issues_of([*agendas[-1:], *(note for note in notes if note.kind == "reading")])


def states(notes: Sequence[Note]) -> dict[str, str]:
    """State of each issue in the last docket; all are open if there is an agenda and no docket."""
    ended: dict[str, str] = {issue.id: issue.state for issue in settled(notes)}
    return ended or dict.fromkeys(questions(notes), "open")


def settled(notes: Sequence[Note]) -> tuple[IssueResult, ...]:
    """How each issue ended, with its answer, by the last docket."""
    asked = questions(notes)
    dockets = [note.body for note in notes if note.kind == "docket"]
    docket = cast("Mapping[str, Mapping[str, Any]]", dockets[-1] if dockets else {})
    return tuple(
        IssueResult.model_validate({"id": issue, "question": asked.get(issue, ""), **body})
        for issue, body in docket.items()
    )


def issue_ends(claims: Iterable[Claim], issues: Iterable[IssueResult]) -> dict[str, IssueEnd]:
    """Claim to how its issue ended for its author."""
    known, found = {issue.id: issue for issue in issues}, dict[str, IssueEnd]()
    for claim in claims:
        issue = known.get(claim.issue)
        if issue is None or claim.seat not in issue.says:
            continue
        if issue.state == "deadlocked":
            found[claim.id] = "deadlocked"
        elif issue.state == "converged":
            found[claim.id] = "lost" if claim.seat in issue.moved else "won"
    return found
