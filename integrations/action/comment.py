"""The comment of a pull request, rendered by code: what a debate says stands in code spans, where nothing acts."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import Any, cast

MARKER = "<!-- hustings critique -->"
"""Begins our comment, so that we find it again."""
LONGEST_TEXT = 500
LONGEST_COMMENT = 60_000
"""Characters; GitHub takes 65,536."""
MOST_OBJECTIONS = 16
VERDICTS = ("accept", "revise", "reject")
HIDDEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
"""Kinds of characters that change how others are shown."""


@dataclass(frozen=True)
class Debated:
    """A document and what came of its debate; without a verdict, why not."""

    path: str
    verdict: str | None = None
    why: str = ""
    objections: tuple[dict[str, Any], ...] = ()
    silent: tuple[str, ...] = ()


def debated(path: str, result: object) -> Debated:
    """Read the result of a critique, whatever shape it has."""
    body = cast("dict[str, Any]", result) if isinstance(result, dict) else {}
    verdict = body.get("verdict")
    objections = body.get("objections")
    silent = body.get("silent")
    return Debated(
        path,
        verdict if verdict in VERDICTS else None,
        str(body.get("why") or "The debate gave no result."),
        tuple(one for one in objections if isinstance(one, dict)) if isinstance(objections, list) else (),
        tuple(map(str, silent)) if isinstance(silent, list) else (),
    )


def fails(found: list[Debated], fail_on: str) -> bool:
    """Whether the check fails: a verdict is as strict as that, or missing."""
    if fail_on not in VERDICTS:
        return False
    return any(one.verdict is None or VERDICTS.index(one.verdict) >= VERDICTS.index(fail_on) for one in found)


@dataclass(frozen=True)
class Comment:
    commit: str
    model: str
    found: list[Debated]
    left_out: int = 0
    notes: list[str] = field(default_factory=list)

    def render(self) -> str:
        told = ", ".join(dict.fromkeys(one.verdict or "no verdict" for one in self.found)) or "nothing to debate"
        caveats = [
            "The same kind of model sat in every seat.",
            *(f"No usable answer from {code(name)} on {code(one.path)}." for one in self.found for name in one.silent),
            *([f"{self.left_out} more changed documents were left out."] if self.left_out else []),
            *self.notes,
        ]
        head = f"Debated at {code(self.commit[:12])} under critique: {told}. Caveats: {' '.join(caveats)}"
        parts = [MARKER, head, *(_document(one) for one in self.found)]
        parts.append(f"By {code(self.model)}. Text in code spans is quoted from the debate or the document.")
        return _bounded("\n\n".join(parts))


def _document(one: Debated) -> str:
    lines = [f"### {code(one.path)}: {one.verdict or 'no verdict'}", code(one.why)]
    lines += [_objection(each) for each in one.objections[:MOST_OBJECTIONS]]
    left = len(one.objections) - MOST_OBJECTIONS
    return "\n\n".join([*lines, *([f"{left} more objections were left out."] if left > 0 else [])])


def _objection(each: dict[str, Any]) -> str:
    told = ", ".join(code(each.get(name)) for name in ("state", "severity") if each.get(name))
    lines = [f"- {code(each.get('id'))} ({told}): {code(each.get('claim'))}"]
    parts = {"About": "quote", "The judge": "ruling", "Decided by": "ruling_quote", "Change": "change"}
    lines += [f"  - {name}: {code(each.get(key))}" for name, key in parts.items() if each.get(key)]
    return "\n".join(lines)


def code(text: object) -> str:
    """Any text as one code span: no link, image, mention or markup in it is ever acted on."""
    shown = "".join(" " if unicodedata.category(sign) in HIDDEN else sign for sign in str(text or ""))
    shown = re.sub(r"\s+", " ", shown).replace("`", "'").strip()
    shown = shown if len(shown) <= LONGEST_TEXT else f"{shown[:LONGEST_TEXT]}…"
    return f"`{shown}`" if shown else "`–`"


def _bounded(text: str) -> str:
    """Cut between lines, so that no code span stays open."""
    if len(text) <= LONGEST_COMMENT:
        return text
    return text[:LONGEST_COMMENT].rpartition("\n")[0] + "\n\nThe rest was left out: it is too long for a comment."
