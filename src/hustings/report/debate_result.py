"""The protocol's own result in sections that every report shows: positions, findings, decisions, reviews, who moved."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import BaseModel

from hustings.judging.arguments import names
from hustings.judging.document_rulings import IN_A_SENTENCE
from hustings.judging.judgement import Judgement
from hustings.script.debate import Proceedings
from hustings.script.forms import in_lines
from hustings.text.figures import decimal, listed, of_ten
from hustings.text.words import called
from hustings.transcript.notes import RULES

from . import record_view, wording
from .remarks import too_dear
from .text_table import TextTable, text_table


class ResultSection(BaseModel, frozen=True, defer_build=True):
    title: str
    lines: tuple[str, ...] = ()
    table: TextTable | None = None


def debate_result(proceedings: Proceedings, judgement: Judgement | None = None) -> tuple[ResultSection, ...]:
    """Sections of what a debate came to; one that its protocol does not describe is told line by line."""
    protocol = (proceedings.transcript.run_metadata.protocol or "").partition("/")[0]
    told = SECTIONS.get(protocol)
    sections = tuple(told(_Result(proceedings, judgement))) if told else ()
    if sections or proceedings.result is None:
        return sections
    return (ResultSection(title="Result of the debate", lines=tuple(in_lines(proceedings.result).splitlines())),)


class _Result:
    """What a script returned, read without trust in its shape."""

    def __init__(self, proceedings: Proceedings, judgement: Judgement | None) -> None:
        self.proceedings, self.judgement = proceedings, judgement
        self.body = _mapping(proceedings.result)
        self.names = names(proceedings.transcript)

    def name(self, seat: str) -> str:
        return self.names.get(seat) or called(seat)


# -- two sides -----------------------------------------------------------------------------


def _structured(result: _Result) -> Iterator[ResultSection]:
    rows = [
        [
            result.name(side),
            _text(stand.get("position")),
            _text(stand.get("shift")),
            _text(stand.get("why")) or _text(stand.get("explanation")),
        ]
        for side in ("pro", "con")
        if (stand := _mapping(result.body.get(side)))
    ]
    if rows:
        heads = ("Speaker", "Final position", "Since the opening", "What moved it, or came closest")
        yield ResultSection(title="Final positions", table=text_table("Final positions", heads, rows))


def _competition(result: _Result) -> Iterator[ResultSection]:
    """The judge's review; points, penalties and clashes are on the score board."""
    parts = {
        "Turning points": "turning_points",
        f"Advice to {result.name('pro')}": "advice_to_pro",
        f"Advice to {result.name('con')}": "advice_to_con",
    }
    yield from _lists(result.body, parts)


# -- panels --------------------------------------------------------------------------------


def _moderated(result: _Result) -> Iterator[ResultSection]:
    found = _mapping(result.body.get("synthesis"))
    if answer := _text(found.get("answer")):
        yield ResultSection(title="The panel's answer, as the moderator sums it up", lines=(answer,))
    if result.judgement and result.judgement.settled:
        heads, rows = wording.issue_table(result.judgement)
        yield ResultSection(title="Issues", table=text_table("Issues", heads, rows))
    elif issues := record_view.issues(result.proceedings):
        rows = [[issue.id, issue.question, wording.issue_state(issue.state)] for issue in issues]
        yield ResultSection(title="Issues", table=text_table("Issues", ("Issue", "Question", "State"), rows))
    findings = tuple(_finding(result, _mapping(one)) for one in _list(found.get("findings")))
    if findings:
        yield ResultSection(title="Findings", lines=findings)
    yield from _lists(found, {"What to change": "modifications"})
    open_ = tuple(
        f"{_text(one.get('question'))} {_text(one.get('why'))}" for one in map(_mapping, _list(found.get("unresolved")))
    )
    if open_:
        yield ResultSection(title="Still disputed", lines=open_)
    if minority := tuple(_minority(result)):
        yield ResultSection(title="Minority", lines=minority)
    yield from _lists(found, {"New ideas": "surprises"})


def _minority(result: _Result) -> Iterator[str]:
    """Who ended at another answer than most speakers, and on which condition; a tie has no minority."""
    votes = result.judgement.votes if result.judgement else None
    if votes is None or 2 * max(votes.options.values(), default=0) <= votes.seats:
        return
    most = max(votes.options, key=lambda option: votes.options[option])
    for seat, option in votes.chosen.items():
        if option != most:
            condition = votes.conditions.get(seat, "").rstrip(".")
            yield f"{result.name(seat)} ended at {option}" + (f", on condition that {condition}." if condition else ".")


def _finding(result: _Result, one: Mapping[str, Any]) -> str:
    who = listed([result.name(_text(seat)) for seat in _list(one.get("seats"))])
    agreed = f" Agreed by {who}." if who else ""
    return f"{_text(one.get('finding'))}{agreed} Basis: {_text(one.get('basis'))}"


def _adaptive(result: _Result) -> Iterator[ResultSection]:
    body, assessment = result.body, _mapping(result.body.get("assessment"))
    if not body:
        return
    stance = {"for": "All speakers ended in favour.", "against": "All speakers ended against it."}
    decision = stance.get(_text(body.get("stance")), "The speakers did not agree.")
    ended = {
        "consensus": "It ended because all speakers agreed.",
        "round limit": "It ended at the round limit.",
        "diminishing returns": "It ended because the last round added little.",
    }.get(_text(body.get("stopped")), "")
    many = "All speakers took part" if assessment.get("extended") else "Two speakers took part"
    chosen = assessment.get("extent") == ("extended" if assessment.get("extended") else "standard")
    because = "as was chosen" if chosen else "because of the question's complexity"
    complexity = f"{many}, {because}: {_text(assessment.get('reason'))}{too_dear(assessment)}."
    lines = [decision, _text(body.get("summary")), ended, complexity if assessment else ""]
    yield ResultSection(title="Decision", lines=tuple(filter(None, lines)))
    if views := list(_own_views(result)):
        heads = ("Round", "Speaker", "Own view", "On condition that", "Why")
        yield ResultSection(title="Own views", table=text_table("Own views, round by round", heads, views))


def _own_views(result: _Result) -> Iterator[list[str]]:
    rounds = {turn.turn_id: turn.round_index for turn in result.proceedings.transcript.turns}
    labels = {r.round_index: r.label or "" for r in result.proceedings.transcript.rounds}
    for note in result.proceedings.notes:
        if note.kind == "stance" and note.by == RULES:
            turn = next((about.turn_id for about in note.about if about.turn_id), "")
            label = labels.get(rounds.get(turn or "", -1), "")
            body = {name: _text(value) for name, value in note.body.items()}
            told = (body.get("says", ""), body.get("condition", ""), body.get("why", ""))
            yield [label, result.name(body.get("seat", "")), *told]


def _roundtable(result: _Result) -> Iterator[ResultSection]:
    found = result.judgement
    if found is None or not found.movements:
        return
    rows = [
        [found.name(m.seat), m.began, m.ended, m.condition, m.moved_by or _unmoved(m.began, m.ended)]
        for m in found.movements
    ]
    heads = ("Speaker", "Began at", "Ended at", "On condition that", "Moved by")
    dissent = tuple(_dissent(found))
    yield ResultSection(title="Who moved, and by what", lines=dissent, table=text_table("Positions", heads, rows))


def _unmoved(began: str, ended: str) -> str:
    return "gave no reason" if began and began != ended else "did not move"


def _dissent(found: Judgement) -> Iterator[str]:
    """Who stayed apart from the most frequent answer, and how well each argued beside those who share it."""
    votes = found.votes
    scores = {total.side: total.score for total in found.totals if total.score is not None}
    if votes is None or not votes.chosen or not scores:
        return
    most = max(votes.options, key=lambda option: votes.options[option])
    others = [scores[seat] for seat, option in votes.chosen.items() if option == most and seat in scores]
    for seat, option in votes.chosen.items():
        if option != most and seat in scores and others:
            mean = sum(others) / len(others)
            scored = f"scored {of_ten(scores[seat])}, those at {most} {decimal(mean)}"
            yield f"Dissent: {found.name(seat)} ended at {option} and {scored}."


def _critique(result: _Result) -> Iterator[ResultSection]:
    body = result.body
    if not body:
        return
    verdict = IN_A_SENTENCE.get(_text(body.get("verdict")), "No verdict.")
    silent = listed([_text(one) for one in _list(body.get("silent"))])
    lines = (verdict, _text(body.get("why")), f"No usable answer: {silent}." if silent else "")
    yield ResultSection(title="Verdict of the critique", lines=tuple(filter(None, lines)))
    found = [_mapping(one) for one in _list(body.get("objections"))]
    rows = [
        [
            _text(one.get("id")),
            result.name(_text(one.get("by"))),
            _text(one.get("claim")),
            _text(one.get("state")),
            _text(one.get("severity")),
            _decided(one),
        ]
        for one in found
    ]
    if rows:
        heads = ("Objection", "By", "Fault", "In the document", "Severity", "Why")
        yield ResultSection(
            title="Objections", table=text_table("Objections, checked against the document", heads, rows)
        )
    changes = tuple(
        f"{_text(one.get('id'))}: {_text(one.get('change'))}"
        for one in found
        if _text(one.get("state")).startswith("holds") and _text(one.get("change"))
    )
    if changes:
        yield ResultSection(title="Changes that would meet them", lines=changes)


def _decided(one: Mapping[str, Any]) -> str:
    """The judge's reason with the words it rests on."""
    if one.get("state") == "put aside":
        return "the words that it quotes are not in the document"
    quote = _text(one.get("ruling_quote"))
    return f"{_text(one.get('ruling'))} (“{quote}”)" if quote else "no ruling"


# -- reading -------------------------------------------------------------------------------


def _lists(body: Mapping[str, Any], titles: Mapping[str, str]) -> Iterator[ResultSection]:
    for title, key in titles.items():
        lines = tuple(text for one in _list(body.get(key)) if (text := _text(one)))
        if lines:
            yield ResultSection(title=title, lines=lines)


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, dict) else {}


def _list(value: Any) -> Sequence[Any]:
    return cast("Sequence[Any]", value) if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


SECTIONS: Mapping[str, Callable[[_Result], Iterator[ResultSection]]] = {
    "structured": _structured,
    "competition": _competition,
    "moderated": _moderated,
    "adaptive": _adaptive,
    "roundtable": _roundtable,
    "critique": _critique,
}
