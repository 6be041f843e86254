"""Pro and con, three rounds: openings, a point-by-point cross-examination, closings that answer it.

Both sides speak at the same time in every round, so neither has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field

from hustings.script.checks import at_most, once_each, quoting
from hustings.script.examples import Example
from hustings.script.forms import ClaimId, Extent, Form, Link, OwnId, Point, Quote
from hustings.script.moves import Brief, Check, or_none
from hustings.script.protocol_result import ResultSection, SeatNames
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.tables import text_table
from hustings.transcript.notes import Remark

VERSION = 1
RETRIES = 2
RUBRIC = "argument"
REGIME = "structured"


class Settings(ProtocolSettings):
    closing_words: int = Field(default=200, ge=50, le=400)
    """Most words of a closing, its answers not counted."""
    answer_words: int = Field(default=90, ge=20, le=200)
    """Most words of each answer to the questions about one argument."""


async def play(stage: Stage[Settings]) -> Positions:
    pro, con = stage.seat("pro"), stage.seat("con")

    with stage.round("opening"):
        pro_case, con_case = await stage.together(
            stage.ask(pro, OPENING.offering(own=["PRO"])),
            stage.ask(con, OPENING.offering(own=["CON"])),
        )

    with stage.round("cross-examination"):
        by_pro, by_con = await stage.together(
            or_none(stage.ask(pro, cross_examine(con, con_case, known=[pro_case, con_case]))),
            or_none(stage.ask(con, cross_examine(pro, pro_case, known=[pro_case, con_case]))),
        )

    with stage.round("closing"):
        pro_end, con_end = await stage.together(
            or_none(stage.ask(pro, close(stage.settings, pro, pro_case, con_case, con, by_con))),
            or_none(stage.ask(con, close(stage.settings, con, con_case, pro_case, pro, by_pro))),
        )

    return Positions(
        pro=pro_end and pro_end.stand,
        con=con_end and con_end.stand,
        unrebutted=(*unrebutted(pro_case, by_con, pro_end, con_end), *unrebutted(con_case, by_pro, con_end, pro_end)),
    )


def cross_examine(other: Seat, theirs: Opening, known: Sequence[Opening]) -> Brief[CrossExamination]:
    """Every argument of the other side gets one response; no argument may be named that was never made."""
    each = once_each(theirs.claims(), CrossExamination.targets, "answered")
    words = theirs.by_id()
    return (
        CROSS_EXAMINATION.offering(claim=theirs.claims())
        .under(each, nothing_new([i for case in known for i in case.claims()]))
        .under(lambda cross: [c for r in cross.responses for c in consistent(r)])
        .under(quoting(lambda cross: [(r.accepts, [words.get(r.target, "")]) for r in cross.responses if r.accepts]))
        .linking(lambda cross: [Link(seat=other.id, claim=r.target, move=r.kind) for r in cross.responses])
    )


def consistent(response: Response) -> Sequence[str]:
    """What a response accepts and disputes must fit what it calls itself."""
    says = f"the response to {response.target}"
    wrong: list[str] = []
    if response.kind in {"partial", "concede"} and not response.accepts:
        wrong.append(f"{says}: quote in `accepts` the words of the argument that hold")
    if response.kind != "concede" and not response.follow_ups:
        wrong.append(f"{says}: ask its author at least one question")
    return wrong


def close(
    settings: Settings, seat: Seat, mine: Opening, theirs: Opening, other: Seat, cross: CrossExamination | None
) -> Brief[Closing]:
    """The closing answers what the other side asked, if it asked anything."""
    asked = [r.target for r in cross.responses if r.target in mine.claims() and r.follow_ups] if cross else []
    own, others = mine.by_id(), theirs.by_id()
    return (
        CLOSING.within(settings.closing_words)
        .about(answer_words=settings.answer_words)
        .offering(claim=theirs.claims(), argument=mine.claims(), question=asked)
        .under(
            at_most(settings.closing_words, Closing.counted, "the closing without its answers"),
            once_each(asked, lambda closing: [a.about for a in closing.answers], "answered"),
            lambda closing: [
                c for a in closing.answers for c in at_most(settings.answer_words, Answer.said, a.about)(a)
            ],
            once("conceded", lambda closing: [c.claim for c in closing.concessions]),
            once("withdrawn", lambda closing: [w.argument for w in closing.withdrawals]),
            quoting(lambda closing: [(c.quote, [others.get(c.claim, "")]) for c in closing.concessions]),
            quoting(lambda closing: [(w.quote, [own.get(w.argument, "")]) for w in closing.withdrawals]),
        )
        .noting(lambda closing: [Remark("stance", {"seat": seat.id, **closing.stand.stance(seat)})])
        .linking(
            lambda closing: [Link(seat=other.id, claim=a.about, move="answer") for a in closing.answers],
            lambda closing: [Link(seat=other.id, claim=c.claim, move="concede") for c in closing.concessions],
        )
    )


def once(verb: str, of: Callable[[Closing], list[str]]) -> Check[Closing]:
    """No argument is named twice."""

    def check(closing: Closing) -> Sequence[str]:
        named = of(closing)
        return [f"{i} is {verb} twice: say it once" for i in dict.fromkeys(named) if named.count(i) > 1]

    return check


def nothing_new(known: Sequence[str]) -> Check[CrossExamination]:
    """No id may be named that the openings do not have; a new argument without an id is for judging to find."""

    def check(cross: CrossExamination) -> Sequence[str]:
        named = dict.fromkeys(ARGUMENT_ID.findall(cross.said()))
        return [
            f"{i} is no argument of this debate, and nothing new may be raised now" for i in named if i not in known
        ]

    return check


def numbered(opening: Opening) -> Sequence[str]:
    """Ids count up from 1 without gaps, so that everybody can refer to them."""
    ids = opening.claims()
    gapless = [i.rsplit("-", 1)[-1] for i in ids] == [str(n + 1) for n in range(len(ids))]
    return [] if gapless else [f"number the arguments from 1 to {len(ids)} in their order, not {', '.join(ids)}"]


def unrebutted(
    mine: Opening, cross: CrossExamination | None, end: Closing | None, their_end: Closing | None
) -> Sequence[str]:
    """Arguments that the other side conceded in full or never spoke to, and that their author did not take back."""
    objected = {r.target for r in cross.responses if r.kind != "concede"} if cross else set[str]()
    conceded = {c.claim for c in their_end.concessions if c.extent == "all"} if their_end else set[str]()
    withdrawn = {w.argument for w in end.withdrawals} if end else set[str]()
    return [i for i in mine.claims() if (i not in objected or i in conceded) and i not in withdrawn]


# -- forms -------------------------------------------------------------------------------

ARGUMENT_ID = re.compile(r"\b(?:PRO|CON)-\d+\b")
OwnArgument = Annotated[str, Field(json_schema_extra={"x-choice": "argument"})]
Questioned = Annotated[str, Field(json_schema_extra={"x-choice": "question"})]
Shift = Literal["strengthened", "weakened", "adjusted", "unchanged"]


class Argument(Form):
    id: OwnId
    claim: str = Field(min_length=10, description="one sentence that could turn out false")
    reasoning: str = Field(min_length=20, description="each step from cause to effect, in 2 to 5 sentences")
    evidence: str = Field(
        min_length=5,
        description="a fact with its source if you are sure of both, not “many studies”; or “General knowledge:” and "
        "how sure you are; or “None:” and what would settle it",
    )

    def said(self) -> str:
        return f"[{self.id}] {self.claim}\nReasoning: {self.reasoning}\nEvidence: {self.evidence}"


class Opening(Form):
    arguments: tuple[Argument, ...] = Field(min_length=3, max_length=5)

    def said(self) -> str:
        return "\n\n".join(argument.said() for argument in self.arguments)

    def claims(self) -> Sequence[str]:
        return [argument.id for argument in self.arguments]

    def by_id(self) -> Mapping[str, str]:
        return {argument.id: argument.said() for argument in self.arguments}

    def puts_forward(self) -> Sequence[Point]:
        return [Point(id=a.id, kind="argument", claim=a.claim, words=a.said()) for a in self.arguments]


OPENING_EXAMPLE: Example = {
    "arguments": [
        {
            "id": "<own>",
            "claim": "Sunday opening would raise weekly visits by 5%.",
            "reasoning": "People who work six days cannot come now. Some visits only move, so the gain is smaller than "
            "Sunday's count.",
            "evidence": "General knowledge, fairly sure: Sundays are busy elsewhere. A trial would settle it.",
        },
        ...,
    ]
}


class Response(Form):
    target: ClaimId = Field(description="the argument you respond to")
    reasoning: str = Field(min_length=20, description="“At its strongest: ...”, then what is right or wrong about it")
    accepts: Quote = Field(max_length=400, description="its words that hold, exactly; empty if you accept none of them")
    disputes: Literal["claim", "reasoning", "evidence", "extent"] = Field(
        description="its weakest part: the claim itself, a step of its reasoning, its evidence, or how far it goes"
    )
    kind: Literal["refute", "challenge", "concede", "partial"] = Field(
        description="refute: a fact or a step is wrong; challenge: it may be true, but this does not show it; "
        "partial: its core holds, the rest does not; concede: it holds as made"
    )
    follow_ups: tuple[Annotated[str, Field(min_length=10)], ...] = Field(
        max_length=3, description="questions its author must be able to answer; none is needed if you concede"
    )

    def said(self) -> str:
        questions = "".join(f"\nQuestion: {question}" for question in self.follow_ups)
        return f"[{self.target}] {self.kind}: {self.reasoning}{questions}"


class CrossExamination(Form):
    responses: tuple[Response, ...] = Field(
        min_length=1, max_length=10, description="one for each argument of the other side"
    )

    def said(self) -> str:
        return "\n\n".join(response.said() for response in self.responses)

    def targets(self) -> Sequence[str]:
        return [response.target for response in self.responses]

    def puts_forward(self) -> Sequence[Point]:
        return [
            Point(
                id=f"{r.target}/response",
                kind=r.kind,
                target=r.target,
                words=r.said(),
                questions=r.follow_ups,
                extent="all" if r.kind == "concede" else "",
                quote=r.accepts,
                disputes="" if r.kind == "concede" else r.disputes,
            )
            for r in self.responses
        ]


CROSS_EXAMINATION_EXAMPLE: Example = {
    "responses": [
        {
            "target": "<claim>",
            "reasoning": "At its strongest: Sunday staff cost more than the visits are worth. Staff do cost more, but "
            "weekday hours could be cut in exchange.",
            "accepts": "Sunday staff are paid double",
            "disputes": "reasoning",
            "kind": "partial",
            "follow_ups": ["Which weekday hours have the fewest visitors?"],
        },
        ...,
    ]
}


class Answer(Form):
    about: Questioned = Field(description="your argument that was questioned")
    answer: str = Field(min_length=5, description="the answer first, then why; “I cannot show that” is an answer")

    def said(self) -> str:
        return self.answer


class Withdrawal(Form):
    argument: OwnArgument = Field(description="an argument of yours that you can no longer defend as you made it")
    quote: Quote = Field(min_length=1, max_length=400, description="its words that you take back, exactly")
    extent: Literal["all", "a part"] = Field(description="all: its claim is gone; a part: the claim stands without it")
    why: str = Field(min_length=5, description="what showed you")


class Concession(Form):
    claim: ClaimId = Field(description="the opposing argument you accept, or accept something of")
    quote: Quote = Field(min_length=1, max_length=400, description="its words that you accept, exactly")
    extent: Literal["all", "the core", "one point"] = Field(
        description="all: it holds as made; the core: its claim holds, but not all it says; one point: a detail of it, "
        "not its claim"
    )
    why: str = Field(min_length=5, description="why you accept that much and no more")


class Stand(Form):
    position: str = Field(min_length=10, description="where you end on the question, with your conditions")
    why: str = Field(min_length=5, description="which argument moved you, or came closest, and why it fell short")
    shift: Shift = Field(description="how your position moved since your opening")
    defends: Literal["as put", "with changes", "no longer"] = Field(
        description="whether you still defend your side's answer to the question exactly as it was put: as put; with "
        "changes, if you now defend something narrower or different; no longer, if you gave it up"
    )

    def said(self) -> str:
        return f"{self.position} ({self.shift}: {self.why})"

    def stance(self, seat: Seat) -> dict[str, str]:
        """The answer to the question as put, and on what condition."""
        side, other = ("yes", "no") if seat.role == "pro" else ("no", "yes")
        says = {"as put": side, "with changes": side, "no longer": other}[self.defends]
        return {"says": says, "condition": self.position if self.defends == "with changes" else "", "why": self.why}


class Closing(Form):
    answers: tuple[Answer, ...] = Field(max_length=10, description="one for each argument that was questioned")
    withdrawals: tuple[Withdrawal, ...] = Field(max_length=5, description="none if you still defend all of your case")
    concessions: tuple[Concession, ...] = Field(max_length=10, description="none if you accept nothing of their case")
    stand: Stand

    def counted(self) -> str:
        """Everything but the answers."""
        given = [*(w.why for w in self.withdrawals), *(c.why for c in self.concessions)]
        return " ".join([*given, self.stand.position, self.stand.why])

    def said(self) -> str:
        parts = [f"On {a.about}: {a.answer}" for a in self.answers]
        parts += [f"I withdraw {MUCH.get(w.extent, '')}{w.argument}, “{w.quote}”: {w.why}" for w in self.withdrawals]
        parts += [f"I concede {MUCH.get(c.extent, '')}{c.claim}, “{c.quote}”: {c.why}" for c in self.concessions]
        return "\n".join([*parts, self.stand.said()])

    def puts_forward(self) -> Sequence[Point]:
        return [
            *(
                Point(id=f"{a.about}/answer", kind="answer", target=f"{a.about}/response", words=a.answer)
                for a in self.answers
            ),
            *(
                Point(
                    id=f"{w.argument}/withdrawal",
                    kind="withdraw",
                    target=w.argument,
                    words=w.why,
                    extent=EXTENTS[w.extent],
                    quote=w.quote,
                )
                for w in self.withdrawals
            ),
            *(
                Point(
                    id=f"{c.claim}/concession",
                    kind="concede",
                    target=c.claim,
                    words=c.why,
                    extent=EXTENTS[c.extent],
                    quote=c.quote,
                )
                for c in self.concessions
            ),
            Point(id="stand", kind="statement", words=self.stand.said()),
        ]


CLOSING_EXAMPLE: Example = {
    "answers": [{"about": "<question>", "answer": "Monday mornings. I cannot show what they cost."}, ...],
    "withdrawals": [
        {
            "argument": "<argument>",
            "quote": "raise weekly visits by 5%",
            "extent": "a part",
            "why": "I have no count of who would only move their visit.",
        }
    ],
    "concessions": [
        {
            "claim": "<claim>",
            "quote": "two people cannot staff both floors",
            "extent": "the core",
            "why": "The rota allows no third person, but one floor can be staffed.",
        }
    ],
    "stand": {
        "position": "Open one floor on Sundays for a year.",
        "why": "What was said about the rota: both floors cannot be staffed.",
        "shift": "adjusted",
        "defends": "with changes",
    },
}


EXTENTS: Mapping[str, Extent] = {"all": "all", "the core": "core", "one point": "point", "a part": "point"}
MUCH = {extent: f"{extent} of " for extent in EXTENTS if extent != "all"}


class Positions(Form):
    """Where both sides ended; a side that did not close has none. No verdict: judging comes later."""

    pro: Stand | None
    con: Stand | None
    unrebutted: tuple[str, ...]
    """Arguments that the other side conceded or never spoke to: known from the record, so no seat is asked for it."""


# -- prompts -----------------------------------------------------------------------------


RULES = """\
structured debate, three rounds. In each, both sides write at the same time.
1. Opening: three to five numbered arguments. No new ones later.
2. Cross-examination: respond to every argument of the other side, and ask about it.
3. Closing: answer those questions, withdraw what you cannot defend, concede what holds, state your final position."""

OPENING = Brief(
    "opening",
    Opening,
    "Make three to five arguments, strongest first, that do not depend on each other. Each has one claim that evidence "
    "could prove wrong, the steps that lead to it, and what supports it. Prefer a narrow claim you can defend. Think "
    "of the best objection first, and build the argument so that it survives. You cannot add arguments later.",
    example=OPENING_EXAMPLE,
).under(numbered)

CROSS_EXAMINATION = Brief(
    "cross-examination",
    CrossExamination,
    "Respond to each argument of the other side exactly once.\n"
    "1. State it at its strongest, in a sentence its author would accept.\n"
    "2. Say what is right or wrong about it. Check each quotation it makes against what was really written.\n"
    "3. Choose the kind of response that your reasoning supports. To accept its core and dispute its evidence is "
    "“partial”.\n"
    "4. Ask what its author could not answer if the argument is weak.\n"
    "Concede what holds: a bad objection costs more than a concession. Do not concede what is merely well written. "
    "Raise no new argument.",
    turn_type="rebuttal",
    example=CROSS_EXAMINATION_EXAMPLE,
)

CLOSING = Brief(
    "closing",
    Closing,
    "1. Answer the questions about each of your arguments, up to {answer_words} words an argument. Answer first, then "
    "explain. These words count separately.\n"
    "2. Withdraw what you can no longer defend of your own arguments, and concede what you accept of theirs: quote it, "
    "and say how much of the argument that is. Withdrawing what fell is honest and saves the rest; do not give way to "
    "be agreeable.\n"
    "3. State your final position, the argument that moved it or came closest, and whether you still defend the "
    "question exactly as it was put.",
    turn_type="synthesis",
    example=CLOSING_EXAMPLE,
)


# -- seats -------------------------------------------------------------------------------

DUTY = (
    "Make the best honest case {side} the motion; if it is a question, for “{answer}”. This is your role, whatever you "
    "think yourself."
)

SEATS = (
    Seat("pro", role="pro", name="Pro", duty=DUTY.format(side="for", answer="yes")),
    Seat("con", role="con", name="Con", duty=DUTY.format(side="against", answer="no")),
)


# -- result ------------------------------------------------------------------------------


def describe_result(result: Positions, names: SeatNames) -> Iterable[ResultSection]:
    rows = [
        [names(side), stand.position, stand.shift, stand.why]
        for side, stand in (("pro", result.pro), ("con", result.con))
        if stand
    ]
    if rows:
        heads = ("Speaker", "Final position", "Since the opening", "What moved it, or came closest")
        yield ResultSection(title="Final positions", table=text_table("Final positions", heads, rows))
