"""Words around an executive summary that a model wrote, not yet escaped."""

from __future__ import annotations

from hustings.judging.judgement import ExecutiveSummary, SummarySentence


def summary_title(summary: ExecutiveSummary) -> str:
    return f"Summary written by a model ({summary.model})"


def summary_sentence(sentence: SummarySentence) -> str:
    return f"{sentence.text} [{', '.join(sentence.ids)}: “{sentence.quote}”]"


def summary_key(summary: ExecutiveSummary) -> str:
    dropped = summary.dropped
    left = f" {dropped} sentence{'s were' if dropped > 1 else ' was'} dropped." if dropped else ""
    return f"Code checked that each quote stands in an argument it cites.{left}"
