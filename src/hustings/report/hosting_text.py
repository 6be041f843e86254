"""Sentences about debates whose seats the caller plays: what is open, what became of an answer, what to do next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def open_questions(run_id: str, seats: Sequence[str]) -> str:
    """What is open, by seat; a seat with several questions is counted."""
    asked = [f"{seat} ({count} times)" if count > 1 else seat for seat, count in Counter(seats).items()]
    how = f"hustings answer {run_id} KEY --file FILE"
    if len(seats) == 1:
        return f"1 question is open in {run_id}: {asked[0]}. Answer it: {how}"
    return f"{len(seats)} questions are open in {run_id}: {', '.join(asked)}. Answer each: {how}"


def taken(remark: str = "") -> str:
    return f"Taken{f', though {remark}' if remark else ''}."


def sent_back(why: str, attempt: int, attempts: int) -> str:
    """The next attempt is a question of its own, with a new key."""
    counted = f"That was attempt {attempt} of {attempts}"
    if attempt >= attempts:
        return f"Not taken: {why}. {counted}, and no other follows."
    return f"Sent back: {why}. {counted}. Correct that when the question comes again, with a new key."


def then(run_id: str, left: int) -> str:
    """What to do after an answer."""
    if left:
        return f"{left} question{' is' if left == 1 else 's are'} left in this wave."
    return f"Nothing is left in this wave. Go on: hustings next {run_id}"


def debate_over(run_id: str, judging: str, *, played: bool) -> str:
    if not played:
        return f"The debate ended early. See why: hustings show {run_id}"
    return f"The debate is over. Judge it: hustings next {judging}"


def audit_over(run_id: str) -> str:
    return f"It is judged. Read it: hustings show {run_id} --briefing"


def paused(run_id: str, reason: str) -> str:
    return f"It is paused{f' ({reason})' if reason else ''}. Go on: hustings resume {run_id}"


def put_off(run_id: str, seconds: float) -> str:
    return f"A provider asks to wait. Go on in {max(1, round(seconds))} seconds: hustings next {run_id}"
