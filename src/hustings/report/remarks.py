"""Sentences about violations, penalties, and answers that were sent back or lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from hustings.judging.board import Penalised
from hustings.text.figures import listed, signed
from hustings.transcript.models import Attempt
from hustings.transcript.notes import Note

RULES_IN_WORDS = {
    "overtime": "went over the word limit",
    "counter_question": "asked back instead of answering",
    "attacker_answered": "answered instead of asking",
    "not_direct_answer": "did not answer what was asked",
    "consecutive_team": "spoke twice in a row",
    "off_topic": "left the motion",
    "scripted_summary": "summed up prepared text, not the debate",
    "personal_attack": "attacked a person",
    "answers_nobody": "answered no speaker by name or by quote",
}


def broken(body: Mapping[str, Any]) -> str:
    """Describe the rule that a violation or a penalty names."""
    rule, facts = str(body.get("rule", "")), ""
    if "words" in body and "allowed" in body:
        facts = f", {body['words']} words of {body['allowed']}"
    alone = " (one judge says so)" if body.get("provisional") else ""
    return f"{body.get('seat', 'a speaker')} {_rule(rule)}{facts}{alone}"


def penalty(body: Mapping[str, Any]) -> str:
    """Describe a penalty that was noted during the debate."""
    points = [
        f"{body[name]:+d} {whose}"
        for name, whose in (("individual", str(body.get("seat", ""))), ("on_team", f"team {body.get('team', '')}"))
        if isinstance(body.get(name), int) and body[name]
    ]
    return f"penalty: {', '.join(points) or 'no points'}; {broken(body)}"


def penalised(one: Penalised) -> str:
    """Describe a penalty on the score board."""
    points = [
        f"{signed(count, 0)} {whose}"
        for count, whose in ((one.individual, one.seat), (one.on_team, f"team {one.team}"))
        if count
    ]
    found = f"judges: {listed(one.families)}" if one.found_by == "panel" else "by the rules"
    return f"penalty: {', '.join(points) or 'no points'}; {one.seat} {_rule(one.rule)} ({found})"


def sent_back(attempt: Attempt) -> str:
    return f"attempt {attempt.attempt_index + 1} was not accepted: {_why(attempt)}"


def lost(attempt: Attempt) -> str:
    """Why there is no usable answer; empty if there is one."""
    return "" if attempt.status == "ok" else f"no usable answer: {_why(attempt)}"


def noted(note: Note) -> Iterator[str]:
    """Describe a violation; one that names no rule carries the complaints themselves."""
    match note.kind, note.body:
        case "violation", {"rule": str()} as body:
            yield broken(body)
        case (("violation" | "unparsed"), {"complaints": list(complaints)}):
            yield from (
                f"{'not in the required form' if note.kind == 'unparsed' else 'broke a rule'}: {c}" for c in complaints
            )
        case _:
            pass


def _rule(rule: str) -> str:
    return RULES_IN_WORDS.get(rule, f"broke {rule.replace('_', ' ')}")


def _why(attempt: Attempt) -> str:
    told = attempt.diagnostics
    return (told and (told.error_message or told.error_type)) or "no reason given"
