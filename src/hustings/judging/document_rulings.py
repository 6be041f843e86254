"""Reads what the judge of a critique found about the document: the verdict, and what became of each objection."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from hustings.protocols.critique import FOLLOWS, VERDICTS, VERIFIED, CritiqueResult, ObjectionState
from hustings.script.debate import Proceedings
from hustings.text.figures import listed
from hustings.transcript.notes import Decided

from .explanation import WORDS
from .judgement import ArgumentResult, Judgement, Standing


def document_rulings(judged: Proceedings) -> CritiqueResult | None:
    """The result of a critique; None for any other debate, or if another version wrote something else there."""
    if (judged.transcript.run_metadata.protocol or "").partition("/")[0] != "critique":
        return None
    try:
        return CritiqueResult.model_validate(judged.result, strict=False)
    except ValidationError:
        return None


def ruled(row: ArgumentResult, found: CritiqueResult) -> ArgumentResult:
    """An objection with the standing that the check against the document gave it; the scores stay as they are."""
    one = next((objection for objection in found.objections if objection.id == row.id), None)
    standing = STANDINGS.get(one.state) if one else None
    if one is None or standing is None or row.standing == "withdrawn":
        return row
    because = f"checked against the document. {one.ruling}" if one.state in CHECKED else NOT_THERE
    return row.model_copy(
        update={
            "standing": standing,
            "reason": f"{WORDS[standing]}: {because.rstrip('.')}.",
            "examined": f"Checked against the document: {one.state}" if one.state in CHECKED else "Put aside",
            "guards": ("checked",),
            "interval": None,
            "shares": {},
            "certainty": None,
            "flip": None,
        }
    )


def what_would_change_it(found: CritiqueResult) -> str:
    """Which objections the verdict depends on, and what it would be without them."""
    if found.verdict is None:
        return "A usable ruling on every objection."
    verified = [one for one in found.objections if one.state in VERIFIED]
    gravest = [one.id for one in verified if FOLLOWS[one.severity] == found.verdict]
    if found.verdict == VERDICTS[0] or not gravest:
        return "An objection that holds and is serious."
    rest = [VERDICTS.index(FOLLOWS[one.severity]) for one in verified if one.id not in gravest]
    return f"If {listed(gravest)} did not hold, the verdict would be: {VERDICTS[max(rest, default=0)]}."


def on_document(judgement: Judgement) -> str:
    """The verdict of a critique in a sentence; empty for any other outcome."""
    outcome = judgement.outcome
    critique = judgement.protocol.partition("/")[0] == "critique" and judgement.votes is None
    return IN_A_SENTENCE.get(outcome.what, "") if critique and isinstance(outcome, Decided) else ""


CHECKED: frozenset[ObjectionState] = frozenset({"holds", "holds in part", "does not hold"})
STANDINGS: Mapping[ObjectionState, Standing] = {
    "holds": "upheld",
    "holds in part": "partially_upheld",
    "does not hold": "refuted",
    "put aside": "refuted",
}
NOT_THERE = "the words that it quotes are not in the document"
IN_A_SENTENCE: Mapping[str, str] = {
    "accept": "Accept the document as it is.",
    "revise": "Revise the document first.",
    "reject": "Reject the document.",
}
