"""Builds what a judge is asked in one order: the anonymised debate, and sheets of items to mark."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from pydantic import JsonValue

from hustings.script.background import background_of
from hustings.script.checks import once_each
from hustings.script.citing import Citation, citations_of
from hustings.script.debate import Proceedings
from hustings.script.forms import WEIGHED, Point
from hustings.script.moves import Brief, Exhibit
from hustings.script.rubric import Mark, ReasonedMark, Rubric, Sheet, row_of, sheet_of
from hustings.text.quotes import complaint, found_in, is_quoted, is_verbatim
from hustings.text.words import count_words
from hustings.transcript.models import Round, Turn
from hustings.transcript.notes import Remark

from .anonymise import Mask, mask, mirrored
from .arguments import Argumentation, Claim, ClaimResponse, opposed, points_of, sides, speeches

ARGUED = ("argument", "challenge", "answer")
"""Rubrics that are used in every debate."""


@dataclass(frozen=True)
class Item:
    """An argument, response or speech to be marked."""

    id: str
    side: str
    grounds: tuple[str, ...]
    """Texts from which its marks may quote."""
    kind: str | None = None
    """What a speech was: some rules bind one kind alone."""
    document: str = ""
    """The document that came with the question: marks may quote from it, too. Judges read it as it is."""

    def texts(self, hidden: Mask) -> list[str]:
        """All texts to quote from, as a judge reads them."""
        return [*(hidden.words(text) for text in self.grounds), *([self.document] if self.document else [])]


@dataclass(frozen=True)
class Material:
    """A finished debate and its arguments: everything that the judges see."""

    judged: Proceedings
    case: Argumentation
    rubrics: Mapping[str, type[Rubric]]
    """By what they mark: argument, challenge, answer, and speech where speeches are marked."""

    @cached_property
    def turns(self) -> dict[str, Turn]:
        return {turn.turn_id: turn for turn in speeches(self.judged.transcript)}

    @cached_property
    def sides(self) -> dict[str, str]:
        return sides(self.judged.transcript)

    @cached_property
    def points(self) -> dict[str, list[Point]]:
        return points_of(self.judged)

    @cached_property
    def items(self) -> dict[str, list[Item]]:
        """Items to mark, by rubric."""
        found: dict[str, list[Item]] = {
            "argument": [Item(c.id, c.side, self._held(c), document=self.document) for c in self.case.claims],
            "challenge": [self._response(r) for r in self.case.responses if r.kind in WEIGHED],
            "answer": [self._response(r) for r in self.case.responses if r.kind == "answer"],
        }
        if "speech" in self.rubrics:
            found["speech"] = [
                Item(t.turn_id, self.sides[t.speaker_id], (t.said,), kind_of(t), self.document)
                for t in self.turns.values()
            ]
        return {name: items for name, items in found.items() if items}

    def _response(self, response: ClaimResponse) -> Item:
        """Its own words, and those it speaks to."""
        grounds = (self._words(response), *self._target(response), self.topic)
        return Item(response.id, response.side, grounds, kind_of(self.turns[response.turn_id]), self.document)

    def _held(self, claim: Claim) -> tuple[str, ...]:
        """The argument, what was said to it, and its author's answers; or its turn and later ones of its author."""
        against = [r for r in self.case.responses if r.target == claim.id]
        objections = [self._words(r) for r in against]
        if claim.quote:
            order = list(self.turns)
            later = order[order.index(claim.turn_id) :]
            own = [self.turns[t].said for t in later if self.turns[t].speaker_id == claim.seat]
            return (*own, *objections, self.topic)
        ids = {r.id for r in against}
        answers = [r.words for r in self.case.responses if r.target in ids]
        return (claim.words, *answers, *objections, self.topic)

    def _words(self, response: ClaimResponse) -> str:
        return self.turns[response.turn_id].said if response.drawn else response.words

    def _target(self, response: ClaimResponse) -> list[str]:
        claims = [c.words for c in self.case.claims if c.id == response.target]
        return [*claims, *(self._words(r) for r in self.case.responses if r.id == response.target)]

    @cached_property
    def checked(self) -> dict[str, list[Citation]]:
        """Quotes of documents by turn, as code checked them."""
        return citations_of(self.judged.notes)

    @property
    def topic(self) -> str:
        return self.judged.transcript.debate_metadata.topic or ""

    @cached_property
    def document(self) -> str:
        """The document that came with the question; empty without one."""
        background = background_of(self.judged.transcript.debate_metadata)
        return background.shown if background else ""

    @cached_property
    def named(self) -> dict[str, str]:
        """Everything that needs a label, to its side."""
        turns = {turn.turn_id: self.sides[turn.speaker_id] for turn in self.turns.values()}
        claims = {claim.id: claim.side for claim in self.case.claims}
        return {**turns, **claims, **{r.id: r.side for r in self.case.responses}}


@dataclass(frozen=True)
class JudgeReading:
    """One judge reading the debate once."""

    judge: str
    order: int
    seed: str

    @property
    def lot(self) -> tuple[str, str]:
        """Seed of the order; the judge's other order is the mirror image."""
        return self.seed, self.judge

    def first(self, sides: Iterable[str]) -> list[str]:
        """Sides in the order in which this judge sees them, in the record and on every sheet."""
        return mirrored(sorted(set(sides)), self.order, *self.lot, "sides")


def sheets(material: Material, reading: JudgeReading, most: int) -> list[Brief[Sheet[Rubric]]]:
    """Return everything that one judge is asked in one order."""
    hidden = masked(material, reading)
    record = list(laid_out(material, hidden, reading))
    asked: list[Brief[Sheet[Rubric]]] = []
    for name, items in material.items.items():
        for some in portions(items, most, reading, name):
            brief = _sheet(material.rubrics[name], hidden, name, some, reading, len(asked)).showing(*record)
            drawn = _drawn(material, hidden, some)
            asked.append(brief.showing(*drawn) if drawn else brief)
    return asked


def masked(material: Material, reading: JudgeReading) -> Mask:
    """The names under which one judge reads the debate in one order."""
    return mask(material.judged.transcript, material.named, reading.seed, reading.judge, reading.order)


def portions(items: Sequence[Item], most: int, reading: JudgeReading, name: str) -> list[list[Item]]:
    """Split items into sheets of at most `most`, each with its share of every side; the second order mirrors them."""
    count, known, first = count_of(items, most), {i.id: i for i in items}, reading.first(i.side for i in items)
    mixed = [known[item] for item in mirrored(list(known), 0, *reading.lot, name)]
    by_side = sorted(mixed, key=lambda item: item.side)
    dealt = [by_side[n::count] for n in range(count)]
    shown = [some[::-1] if reading.order % 2 else some for some in dealt]
    return [sorted(some, key=lambda item: first.index(item.side)) for some in shown]


def count_of(items: Sequence[Item], most: int) -> int:
    """Number of sheets that these items take."""
    return -(-len(items) // most)


def _sheet(
    rubric: type[Rubric], hidden: Mask, name: str, items: Sequence[Item], reading: JudgeReading, number: int
) -> Brief[Sheet[Rubric]]:
    wanted = {hidden.labels[item.id]: item for item in items}

    def marked(sheet: Sheet[Rubric]) -> Iterable[Remark]:
        rows: dict[str, JsonValue] = {
            wanted[marks.about].id: _row(marks, wanted[marks.about], hidden) for marks in sheet.marks
        }
        shown: list[JsonValue] = [item.id for item in items]
        sat: dict[str, JsonValue] = {"judge": reading.judge, "order": reading.order, "sheet": number}
        yield Remark("marks", {**sat, "rubric": name, "items": rows, "shown": shown})

    def unfounded(sheet: Sheet[Rubric]) -> Sequence[str]:
        texts = {label: item.texts(hidden) for label, item in wanted.items()}
        return [
            f"{marks.about}, {name}: {complaint(mark.quote, finding)}"
            for marks in sheet.marks
            for name, mark in marks.marks().items()
            if mark.score is not None and not (finding := found_in(mark.quote, texts.get(marks.about, ()))).accepted
        ]

    text = f"{rubric.ask}\n{QUOTE_FROM[name]}\n{rubric.scale()}"
    return (
        Brief(f"{name} marks", sheet_of(rubric), text, afresh=True, example={"marks": [row_of(rubric), ...]})
        .offering(item=wanted)
        .under(once_each(list(wanted), lambda sheet: [marks.about for marks in sheet.marks], "marked"))
        .preferring(unfounded)
        .noting(marked)
    )


QUOTE_FROM: Mapping[str, str] = {
    "argument": "Quote from the argument, its author's answers, what was said against it, or the papers that came with "
    "the question.",
    "challenge": "Quote from the response, the argument it is about, or the papers that came with the question.",
    "answer": "Quote from the answer, the objection it meets, or the papers that came with the question.",
    "speech": "Quote from the speech.",
}


def kind_of(turn: Turn) -> str | None:
    return turn.metadata.kind if turn.metadata else None


def _row(marks: Rubric, item: Item, hidden: Mask) -> dict[str, JsonValue]:
    """One item's marks as they count: a score without words that were really said is dropped, and listed.

    So is a broken rule that does not bind this kind of speech.
    """
    given, texts, said = marks.marks(), item.texts(hidden), "\n".join(item.grounds)
    scores: dict[str, JsonValue] = {name: _grounded(mark, texts) for name, mark in given.items()}
    quotes: dict[str, JsonValue] = {
        name: hidden.lifted(mark.quote, said) for name, mark in given.items() if scores[name]
    }
    near: list[JsonValue] = [
        name for name, mark in given.items() if scores[name] and not any(is_verbatim(mark.quote, t) for t in texts)
    ]
    flags: list[JsonValue] = [
        {"kind": kind, "quote": hidden.lifted(quote, said)}
        for kind, quote in marks.flags()
        if is_quoted(quote, texts) and marks.can_break(kind, item.kind)
    ]
    reasons: dict[str, JsonValue] = {
        name: hidden.lifted(mark.why) for name, mark in given.items() if scores[name] and mark.why
    }
    unfounded: list[JsonValue] = [name for name, mark in given.items() if mark.score is not None and not scores[name]]
    same = marks.same_as()
    return {
        "scores": scores,
        "quotes": quotes,
        "reasons": reasons,
        "unfounded": unfounded,
        "near": near,
        "flags": flags,
        "same_point_as": hidden.item(same) if same and same != marks.about else None,
    }


def _grounded(mark: Mark | ReasonedMark, texts: Sequence[str]) -> int | None:
    return mark.score if mark.score is not None and is_quoted(mark.quote, texts) else None


# -- the debate as it is laid out --------------------------------------------------------


def laid_out(material: Material, hidden: Mask, reading: JudgeReading) -> Iterator[Exhibit]:
    """Lay out the debate round by round.

    The sides swap places in the first and last round, and where turns did not answer each other.
    """
    transcript = material.judged.transcript
    first, two_sided = reading.first(material.sides.values()), opposed(transcript) is not None
    for n, round_ in enumerate(transcript.rounds, 1):
        turns = [turn for turn in round_.turns if turn.said]
        # With two sides, who speaks first and last is fixed, so those rounds may swap; otherwise later speakers answer
        # earlier ones.
        if (two_sided and n in {1, len(transcript.rounds)}) or round_.transcript_visibility == "isolated":
            turns.sort(
                key=lambda turn: (
                    first.index(material.sides[turn.speaker_id]) if turn.speaker_id in material.sides else -1
                )
            )
        for turn in turns:
            yield from _turn(material, hidden, round_, turn)


def _turn(material: Material, hidden: Mask, round_: Round, turn: Turn) -> Iterator[Exhibit]:
    if turn.turn_id not in material.turns:
        yield Exhibit("the chair", "who takes no side", hidden.words(turn.said))
        return
    speaker, label = hidden.names[turn.speaker_id], hidden.labels[turn.turn_id]
    points = material.points.get(turn.turn_id, ())
    for n, point in enumerate(points, 1):
        name = hidden.labels.get(point.id, f"{label}, {n}")
        yield Exhibit(name, _what(point, speaker, hidden), hidden.words(point.words))
    if quotes := material.checked.get(turn.turn_id):
        lines = (f"{one.mark}: “{hidden.words(one.quote)}”" for one in quotes)
        yield Exhibit(f"{label}, quotes", "what code found in the documents", "\n".join(lines))
    if not points:
        stage = hidden.words(round_.label or f"round {round_.round_index}")
        kind = f", {kind_of(turn)}" if "speech" in material.rubrics and kind_of(turn) else ""
        yield Exhibit(label, f"{speaker} in {stage}{kind}, {count_words(turn.said)} words", hidden.words(turn.said))


def _what(point: Point, speaker: str, hidden: Mask) -> str:
    length = f"{count_words(point.words)} words"
    if point.kind == "argument":
        return f"argument of {speaker}, {length}"
    if point.kind == "statement":
        return f"statement of {speaker}, {length}"
    # The judge decides whether a response does what its author calls it.
    does = DOES.get(point.kind, "responds to")
    return f"{speaker} {does} {hidden.labels[point.target]}, {length}"


DOES = {"answer": "answers", "concede": "concedes something of", "withdraw": "takes back something of"}


def _drawn(material: Material, hidden: Mask, items: Sequence[Item]) -> list[Exhibit]:
    """Exhibits for claims and responses that a clerk extracted from turns, shown beside those turns."""
    wanted, known = {item.id for item in items}, {claim.id: claim for claim in material.case.claims}

    def claimed(claim: Claim) -> str:
        return f"{hidden.names[claim.seat]} claims in {hidden.labels[claim.turn_id]}"

    claims = [
        Exhibit(hidden.labels[c.id], f"what {claimed(c)}", hidden.words(c.words))
        for c in material.case.claims
        if c.quote and c.id in wanted
    ]
    objections = {r.id: r for r in material.case.responses}

    def about(response: ClaimResponse) -> tuple[str, str]:
        """What a response is to, in our words and in the speaker's."""
        if response.target in known:
            return f"what {claimed(known[response.target])}", f"to: {known[response.target].claim}"
        objection = objections[response.target]
        return f"the objection in {hidden.labels[objection.turn_id]}", f"to: “{objection.words}”"

    responses = [
        Exhibit(
            hidden.labels[r.id],
            f"{r.kind}: {hidden.names[r.seat]} in {hidden.labels[r.turn_id]}, in response to {about(r)[0]}",
            "\n".join(
                hidden.words(t) for t in (f"“{r.words}”", *([known[r.source].claim] if r.source else []), about(r)[1])
            ),
        )
        for r in material.case.responses
        if r.drawn and r.id in wanted
    ]
    return [*claims, *responses]
