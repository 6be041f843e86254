"""What the verdict rests on: the trace table, marks, score board, votes, reliability, control and cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hustings.core.arguments import Argumentation, Claim
from hustings.core.dossier import Dossier
from hustings.core.figures import listed
from hustings.core.judgement import Board, Fate, Individual, Judgement
from hustings.core.words import shortened
from hustings.export import wording

from . import signs
from .drawing import LEGEND, draw
from .markup import Html, element, items, joined, link, place, section, table

WORDS_IN_GRID = 10


def trace(found: Argumentation, judgement: Judgement | None) -> Html:
    if judgement and judgement.trace:
        rows = (_fate(fate) for fate in judgement.trace)
        inside = [
            table("What became of each argument", wording.TRACE_HEADS, rows, kind="trace"),
            _key(wording.TRACE_KEY),
        ]
    elif found.claims:
        inside = [table("What was put forward", ["id", "by", "claim", "standing"], map(_claim, found.claims))]
    else:
        inside = [element("p", wording.NOTHING_NUMBERED)] if judgement is None else []
    return section("Each argument", *inside, at="trace")


def _fate(fate: Fate) -> Sequence[str]:
    cells = wording.fate_cells(fate)
    claim = element("td", fate.claim, dir="auto")
    return [_named(fate.id), cells[1], claim, cells[3], signs.standing(fate.standing), *cells[5:7], cells[7]]


def _claim(claim: Claim) -> Sequence[str]:
    return [_named(claim.id), claim.seat, element("td", claim.claim, dir="auto"), signs.standing(claim.standing)]


def _named(name: str) -> Html:
    """Leads to where it was said; its row can be led to."""
    return link(place("said", name), name, id=place("trace", name))


def _key(text: str) -> Html:
    return element("p", text, class_="small")


def argument_map(found: Argumentation) -> Html:
    if not found.claims:
        return Html("")
    drawn = element("div", draw(found), class_="maps", role="region", aria_label="Argument map", tabindex="0")
    return section(
        "Argument map", drawn, element("p", LEGEND, " The table above holds the same facts.", class_="small"), at="map"
    )


def marks(judgement: Judgement) -> Html:
    """A heat grid: argument by dimension, with the number in every cell."""
    scored = [fate for fate in judgement.trace if fate.dimensions]
    dimensions = list(dict.fromkeys(name for fate in scored for name in fate.dimensions))
    rows = (
        [_head(fate), *(signs.mark(fate.dimensions.get(d)) for d in dimensions), signs.mark(fate.score)]
        for fate in scored
    )
    grid = table(
        wording.MARKS_CAPTION,
        ["argument", *dimensions, "total"],
        rows,
        kind="grid",
    )
    return section("Marks", *([grid] if scored else []), at="marks")


def _head(fate: Fate) -> Html:
    name = element("b", link(place("trace", fate.id), fate.id))
    return joined([name, shortened(fate.claim, WORDS_IN_GRID)])


def board(found: Board) -> Html:
    stages = ["stage", *(team.team for team in found.teams)]
    parts = [
        table("Teams", wording.TEAM_HEADS, map(wording.team_cells, found.teams)),
        *([element("p", "Best debater: ", element("b", listed(found.best)), ".")] if found.best else []),
        table("Debaters", [*wording.DEBATER_HEADS, "marks of each speech"], map(_debater, found.individuals)),
        table("Stages", stages, wording.stage_cells(found)) if found.stages else "",
        items(wording.stage_lines(found)),
        table("Penalties", wording.PENALTY_HEADS, map(wording.penalty_cells, found.penalties))
        if found.penalties
        else "",
    ]
    return section("Score board", *parts, at="board")


def _debater(who: Individual) -> Sequence[str]:
    chips = [
        link(place("turn", turn), wording.mean(score) if score is not None else "–", title=turn,
             class_=f"chip {signs.heat(score)}" if score is not None else "chip")
        for turn, score in who.speeches.items()
    ]  # fmt: skip
    return [*wording.debater_cells(who), joined(chips, " ")]


def positions(judgement: Judgement) -> Iterator[Html]:
    """Where the seats ended, and which issues converged."""
    if votes := judgement.votes:
        rows = ([option, str(count)] for option, count in votes.options.items())
        told = table("Where the seats ended", ["answer", "seats"], rows)
        yield section("Votes", told, _key(wording.vote_line(votes)), at="votes")
    if judgement.issues:
        yield section(
            "Issues", table("The docket at the end", ["issue", "state"], judgement.issues.items()), at="issues"
        )


def hints(judgement: Judgement) -> Html:
    lines = items(map(wording.hint, judgement.flags))
    return section("Hints", *([_key(wording.hint_key(judgement)), lines] if lines else []), at="hints")


def checks(judgement: Judgement) -> Iterator[Html]:
    """How far to rely on it, and how to compute it again."""
    moved = table(
        "Strength with its interval", wording.MOVED_HEADS, map(wording.moved_cells, judgement.trace), kind="moved"
    )
    yield section(
        "What moved each argument, and what would change it", *([moved] if judgement.trace else []), at="moved"
    )
    panel = table("The panel", wording.JUDGE_HEADS, map(wording.judge_cells, judgement.panel))
    told = items(wording.reliability_lines(judgement))
    yield section("How far the judges can be relied on", told, panel if judgement.panel else "", at="reliability")
    if judgement.control:
        said = element("p", judgement.control.said, dir="auto")
        yield section("With and without debate", said, items(wording.control_lines(judgement.control)), at="control")


def cost(dossier: Dossier) -> Html:
    told = table("What it took", wording.BILL_HEADS, map(wording.bill_cells, dossier.expenses))
    return section("Cost", *([told] if dossier.expenses else []), at="cost")


def origin(judgement: Judgement) -> Html:
    return section("How to compute this again", items(wording.origin_lines(judgement)), at="origin")
