"""Describes notes in text lines: dockets, broken rules, and findings of an audit so far."""

from __future__ import annotations

from collections.abc import Iterator

from hustings.report import remarks
from hustings.transcript.notes import Note


def worded(note: Note) -> Iterator[str]:
    """Lines for a note; many kinds have none."""
    match note.kind, note.body:
        case "docket", issues:
            yield f"docket: {', '.join(f'{issue} {state}' for issue, state in issues.items()) or 'no issue'}"
        case "violation", {"rule": str(), "seat": str()} as body:
            yield remarks.broken(body)
        case "assessment", {"reason": str(reason), "rounds": int(rounds)}:
            yield f"planned: {rounds} rounds ({reason})"
        case _:
            yield from _audited(note)


def _audited(note: Note) -> Iterator[str]:
    """Lines for the notes of an audit."""
    match note.kind, note.body:
        case "drawn", {"turn": turn, "claims": [_, *more]}:
            yield f"{len(more) + 1} claims in {turn}" if more else f"one claim in {turn}"
        case "failure", {"seat": seat, "brief": brief, "why": why}:
            yield f"{seat} gave nothing for {brief}: {why}"
        case "marks", {"judge": judge, "order": int(order), "sheet": int(sheet), "rubric": rubric, "shown": shown}:
            tried = "".join(f", {note.body[name]}" for name in ("base", "variant") if name in note.body)
            count = len(shown) if isinstance(shown, list) else 0
            yield f"{judge} gave {rubric} marks to {count} (sheet {sheet + 1}, order {order + 1}{tried})"
        case "blind", {"voice": model_spec, "answer": answer, "confidence": sure}:
            yield f"Without debate: {answer} ({model_spec}, {sure} % sure)"
        case "after", {"voice": model_spec, "answer": answer, "confidence": sure}:
            yield f"After reading it: {answer} ({model_spec}, {sure} % sure)"
        case _:
            pass
