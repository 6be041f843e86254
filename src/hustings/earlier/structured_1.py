"""Pro and con, three rounds: openings, a point-by-point cross-examination, closings that answer it.

Both sides speak at the same time in every round, so neither has the last word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from hustings.script.checks import at_most, once_each
from hustings.script.forms import ClaimId, Form, Link, OwnId, Point
from hustings.script.moves import Brief, Check, or_none
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage

VERSION = 1
PROMPTS = "2"
RETRIES = 2
RUBRIC = "argument"
REGIME = "structured"


class Settings(ProtocolSettings):
    closing_words: int = Field(default=200, ge=50, le=400)
    """Most words of a closing, its answers not counted."""
    answer_words: int = Field(default=60, ge=20, le=200)
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
            or_none(stage.ask(pro, close(stage.settings, pro_case, con_case, con, by_con))),
            or_none(stage.ask(con, close(stage.settings, con_case, pro_case, pro, by_pro))),
        )

    return Positions(pro=pro_end and pro_end.stand, con=con_end and con_end.stand)


def cross_examine(other: Seat, theirs: Opening, known: Sequence[Opening]) -> Brief[CrossExamination]:
    """Every argument of the other side gets one response; no argument may be named that was never made."""
    each = once_each(theirs.claims(), CrossExamination.targets, "answered")
    return (
        CROSS_EXAMINATION.offering(claim=theirs.claims())
        .under(each, nothing_new([i for case in known for i in case.claims()]))
        .linking(lambda cross: [Link(seat=other.id, claim=r.target, move=r.kind) for r in cross.responses])
    )


def close(
    settings: Settings, mine: Opening, theirs: Opening, other: Seat, cross: CrossExamination | None
) -> Brief[Closing]:
    """The closing answers what the other side asked, if it asked anything."""
    asked = [r.target for r in cross.responses if r.target in mine.claims()] if cross else []
    return (
        CLOSING.within(settings.closing_words)
        .about(answer_words=settings.answer_words)
        .offering(claim=theirs.claims(), argument=mine.claims(), question=asked)
        .under(
            at_most(settings.closing_words, Closing.statement, "the closing without its answers"),
            once_each(asked, lambda closing: [a.question for a in closing.answers], "answered"),
            lambda closing: [
                c for a in closing.answers for c in at_most(settings.answer_words, Answer.said, a.question)(a)
            ],
        )
        .linking(
            lambda closing: [Link(seat=other.id, claim=a.question, move="answer") for a in closing.answers],
            lambda closing: [Link(seat=other.id, claim=c.claim, move="concede") for c in closing.concessions],
        )
    )


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


# -- forms -------------------------------------------------------------------------------

ARGUMENT_ID = re.compile(r"\b(?:PRO|CON)-\d+\b")
OwnArgument = Annotated[str, Field(json_schema_extra={"x-choice": "argument"})]
Questioned = Annotated[str, Field(json_schema_extra={"x-choice": "question"})]
Shift = Literal["strengthened", "weakened", "adjusted", "unchanged"]


class Argument(Form):
    id: OwnId
    claim: str = Field(min_length=10, description="one assertion, specific enough to be shown false")
    reasoning: str = Field(min_length=20, description="step by step, why the claim follows")
    evidence: str = Field(min_length=5, description="facts or figures somebody could check, with their source")

    def said(self) -> str:
        return f"[{self.id}] {self.claim}\nReasoning: {self.reasoning}\nEvidence: {self.evidence}"


class Opening(Form):
    arguments: tuple[Argument, ...] = Field(min_length=3, max_length=5)

    def said(self) -> str:
        return "\n\n".join(argument.said() for argument in self.arguments)

    def claims(self) -> Sequence[str]:
        return [argument.id for argument in self.arguments]

    def puts_forward(self) -> Sequence[Point]:
        return [Point(id=a.id, kind="argument", claim=a.claim, words=a.said()) for a in self.arguments]


class Response(Form):
    target: ClaimId = Field(description="the argument you answer")
    kind: Literal["refute", "challenge", "concede", "partial"] = Field(
        description="refute: it errs in fact or logic; challenge: its evidence or conditions do not suffice; "
        "concede: it holds; partial: its core holds, its extent does not"
    )
    reasoning: str = Field(min_length=20, description="why, from what the argument itself says")
    follow_ups: tuple[Annotated[str, Field(min_length=10)], ...] = Field(
        min_length=1, max_length=3, description="questions its author must be able to answer"
    )

    def said(self) -> str:
        questions = "\n".join(f"Question: {question}" for question in self.follow_ups)
        return f"[{self.target}] {self.kind}: {self.reasoning}\n{questions}"


class CrossExamination(Form):
    responses: tuple[Response, ...] = Field(min_length=1, max_length=10)

    def said(self) -> str:
        return "\n\n".join(response.said() for response in self.responses)

    def targets(self) -> Sequence[str]:
        return [response.target for response in self.responses]

    def puts_forward(self) -> Sequence[Point]:
        return [
            Point(id=f"{r.target}/response", kind=r.kind, target=r.target, words=r.said(), questions=r.follow_ups)
            for r in self.responses
        ]


class Concession(Form):
    claim: ClaimId = Field(description="the opposing argument you accept")
    why: str = Field(min_length=5, description="how much of it, and why")


class Answer(Form):
    question: Questioned = Field(description="your argument that was questioned")
    answer: str = Field(min_length=5, description="straight to the questions asked about it")

    def said(self) -> str:
        return self.answer


class Stand(Form):
    position: str = Field(min_length=10, description="where you end on the question under debate")
    shift: Shift = Field(description="how your position moved since your opening")
    why: str = Field(min_length=5, description="what moved it, or why nothing did")

    def said(self) -> str:
        return f"{self.position} ({self.shift}: {self.why})"


class Closing(Form):
    answers: tuple[Answer, ...] = Field(max_length=10)
    concessions: tuple[Concession, ...] = Field(max_length=10)
    unrebutted: tuple[OwnArgument, ...] = Field(max_length=5, description="your arguments that were not rebutted")
    stand: Stand

    def statement(self) -> str:
        """Everything but the answers."""
        return " ".join([*(c.why for c in self.concessions), self.stand.position, self.stand.why])

    def said(self) -> str:
        parts = [f"On {a.question}: {a.answer}" for a in self.answers]
        parts += [f"I concede {c.claim}: {c.why}" for c in self.concessions]
        parts += [f"Not rebutted: {', '.join(self.unrebutted)}"] if self.unrebutted else []
        return "\n".join([*parts, self.stand.said()])

    def puts_forward(self) -> Sequence[Point]:
        return [
            *(
                Point(id=f"{a.question}/answer", kind="answer", target=f"{a.question}/response", words=a.answer)
                for a in self.answers
            ),
            *(Point(id=f"{c.claim}/concession", kind="concede", target=c.claim, words=c.why) for c in self.concessions),
            Point(id="stand", kind="statement", words=self.stand.said()),
        ]


class Positions(Form):
    """Where both sides ended; a side that did not close has none. No verdict: judging comes later."""

    pro: Stand | None
    con: Stand | None


# -- prompts -----------------------------------------------------------------------------

SEATS = (
    Seat("pro", role="pro", name="Pro", duty="You argue that the answer is yes, or that the motion is right."),
    Seat("con", role="con", name="Con", duty="You argue that the answer is no, or that the motion is wrong."),
)

RULES = """\
Pro and Con argue in three rounds and speak at the same time in each.
Openings make three to five numbered arguments. After that no new argument may be raised.
In cross-examination each side responds to every argument of the other, one by one, and asks about it.
Closings answer those questions, say what is conceded and what was not rebutted, and state a final position."""

OPENING = Brief(
    "opening",
    Opening,
    "Open your case with three to five arguments. Each makes one claim that could be shown false, reasons for it "
    "step by step, and rests on evidence that somebody could check. What you leave out now cannot be raised later.",
).under(numbered)

CROSS_EXAMINATION = Brief(
    "cross-examination",
    CrossExamination,
    "Respond to each argument of the other side, once and only once. Say of each whether you refute, challenge, partly "
    "accept or concede it, and why; then ask at least one question that goes to its weakest point. Concede what is "
    "sound. Raise nothing new.",
    turn_type="rebuttal",
)

CLOSING = Brief(
    "closing",
    Closing,
    "Close your case. First answer the questions you were asked, {answer_words} words at most for each argument; these "
    "do not count towards your allowance. Then "
    "say what you concede, which of your arguments were not rebutted, where you end, and whether your position moved.",
    turn_type="synthesis",
)
