"""Sentences about violations, penalties, false quotes, and answers that were sent back or lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import JsonValue

from hustings.judging.board import Penalised
from hustings.script.citing import ACCEPTED
from hustings.script.citing import NOTE as CHECKED
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
    """Describe a violation, or false quotes; a violation that names no rule carries the complaints themselves."""
    match note.kind, note.body:
        case "violation", {"rule": str()} as body:
            yield broken(body)
        case "unparsed", {"why": "truncated"}:
            yield CUT_OFF
        case (("violation" | "unparsed"), {"complaints": list(complaints)}):
            yield from (
                f"{'not in the required form' if note.kind == 'unparsed' else 'broke a rule'}: {c}" for c in complaints
            )
        case _:
            yield from false_quotes(note)


def docket_line(body: Mapping[str, JsonValue]) -> str:
    """The issues of a debate as they are noted, in a line."""
    return ", ".join(f"{issue} {_noted(told)}" for issue, told in body.items())


def _noted(told: JsonValue) -> str:
    if not isinstance(told, dict):
        return str(told)
    return f"{told['state']}: {told['answer']}" if told["answer"] else str(told["state"])


CUT_OFF = "the answer was cut off before its end"


def quotes(note: Note) -> str:
    """How many quotes of a turn stand in the documents; empty if the note tells of none."""
    checked, false = _checked(note), list(false_quotes(note))
    return f"quotes: {len(checked) - len(false)} of {len(checked)} found in the documents" if checked else ""


def false_quotes(note: Note) -> Iterator[str]:
    """Each quote of a turn that was not accepted, and what is wrong with it."""
    for one in _checked(note):
        if one.get("verdict") not in ACCEPTED:
            why = str(one.get("why") or one.get("verdict") or "no reason given")
            yield f"false quote, {one.get('named', '')}: “{one.get('quote', '')}” {why}"


def _checked(note: Note) -> list[Mapping[str, Any]]:
    """The quotes that a note tells of; it may come from a file, and hold anything."""
    each = note.body.get("each") if note.kind == CHECKED else None
    return [one for one in each if isinstance(one, dict)] if isinstance(each, list) else []


def _rule(rule: str) -> str:
    return RULES_IN_WORDS.get(rule, f"broke {rule.replace('_', ' ')}")


def _why(attempt: Attempt) -> str:
    told = attempt.diagnostics
    return (told and (told.error_message or told.error_type)) or "no reason given"
