"""The top of the report, for whoever must decide: what weakens the verdict, what to do, and why."""

from __future__ import annotations

from collections.abc import Iterable

from hustings.core.dossier import Dossier
from hustings.core.judgement import Judgement
from hustings.export import wording

from .markup import Html, element, items, joined, section


def top(dossier: Dossier) -> Html:
    judgement = dossier.judgement
    return _judged(judgement, dossier.cost) if judgement else _unjudged(dossier)


def _judged(judgement: Judgement, cost: str) -> Html:
    label, advice = wording.advice(judgement)
    return joined(
        [
            _banner(wording.warning(judgement)[0], judgement.degraded),
            element("p", element("b", label), advice, class_="advice", dir="auto"),
            facts(wording.facts(judgement, cost)),
        ],
        "\n",
    )


def _unjudged(dossier: Dossier) -> Html:
    return joined([_banner(wording.NOT_JUDGED, [wording.UNJUDGED]), facts(wording.unjudged_facts(dossier))], "\n")


def _banner(label: str, reasons: Iterable[str]) -> Html:
    lines = items(reasons)
    return element("div", element("b", label), lines, class_="banner", role="note") if lines else Html("")


def facts(told: dict[str, str]) -> Html:
    pairs = [joined([element("dt", name), element("dd", text, dir="auto")]) for name, text in told.items() if text]
    return element("dl", *pairs, class_="facts") if pairs else Html("")


def survivors(judgement: Judgement) -> Html:
    """What stood, what fell, and what is left to find out."""
    briefing = judgement.briefing
    lists = {
        "What survived": briefing.survived,
        "What was refuted": briefing.refuted,
        "Left to check": briefing.unresolved,
    }
    blocks = [element("div", element("h3", head), items(lines)) for head, lines in lists.items() if lines]
    return section("In short", element("div", *blocks, class_="columns"), at="short") if blocks else Html("")
