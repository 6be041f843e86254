"""Critics of a document: they object, blind to each other, and a judge checks every objection against its words.

The document comes with the question. An objection quotes it, or code puts the objection aside. The judge does not sum
up: it looks each objection up. Verdict by rule: reject if a verified objection is fatal, revise if one is serious, else
accept. An objection without a ruling that could change the verdict leaves it open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import Field

from hustings.script.checks import once_each, quoting
from hustings.script.examples import Example
from hustings.script.forms import ClaimId, DocumentQuote, Form, ItemId, Link, OwnId, Point
from hustings.script.moves import Brief, or_none
from hustings.script.protocol import SeatingContext
from hustings.script.protocol_result import ArgumentRuling, ProtocolResult, ResultSection, SeatNames, listed_sections
from hustings.script.seats import Player, Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.text.figures import listed
from hustings.text.quotes import is_quoted
from hustings.text.tables import text_table
from hustings.transcript.notes import Remark

RETRIES = 2
RUBRIC = "argument"
REGIME = "structured"
ABOUT_DOCUMENT = True


class Settings(ProtocolSettings):
    critics: int = Field(default=2, ge=1, le=2)
    """How many critics read the document, each without the other."""
    objections: int = Field(default=5, ge=1, le=8)
    """Most objections of a critic."""
    reply: bool = False
    """Whether an advocate answers for the author before the judge checks; with one critic it always does."""

    @property
    def answered(self) -> bool:
        """A debate has two speakers or more."""
        return self.reply or self.critics == 1


async def play(stage: Stage[Settings]) -> CritiqueResult:
    critics = [seat for seat in stage.seats if seat.role == "critic"]
    with stage.round("critique"):
        given = await stage.together(*(or_none(stage.ask(seat, criticise(stage, seat))) for seat in critics))
    found = dict(zip(critics, given, strict=True))
    raised = objections_of(stage, found)
    admitted = [one for one in raised if one.quoted]

    replies: Replies | None = None
    if stage.settings.answered and admitted:
        with stage.round("reply"):
            replies = await or_none(stage.ask(stage.seat("advocate"), reply_to(stage, admitted)))
    rulings = await or_none(stage.consult(stage.seat("judge"), check_all(stage, admitted))) if admitted else None

    results = [result_of(one, stage, rulings, replies) for one in raised]
    verdict, why = verdict_of(results, heard=any(given))
    silent = [seat.title for seat, critique in found.items() if critique is None]
    return CritiqueResult(verdict=verdict, why=why, objections=tuple(results), silent=tuple(silent))


def criticise(stage: Stage[Settings], seat: Seat) -> Brief[CriticReport]:
    """A false quote goes back as long as it may; after that its objection is put aside."""
    most, texts = stage.settings.objections, stage.documents_of(seat)
    return (
        CRITICISE.about(most=most)
        .offering(own=[seat.id.rpartition("_")[2].upper()])
        .under(
            numbered, lambda critique: [f"raise {most} objections or fewer"] if len(critique.claims()) > most else []
        )
        .preferring(quoting(lambda critique: [(one.quote, texts) for one in critique.objections]))
        .noting(lambda critique: [Remark("stance", {"seat": seat.id, **critique.stance()})])
    )


def reply_to(stage: Stage[Settings], admitted: Sequence[RaisedObjection]) -> Brief[Replies]:
    seat, ids = stage.seat("advocate"), [one.said.id for one in admitted]
    texts = stage.documents_of(seat)
    critics = {one.said.id: one.by.id for one in admitted}
    return (
        REPLY.offering(claim=ids)
        .under(once_each(ids, lambda given: [one.target for one in given.replies], "answered"))
        .preferring(quoting(lambda given: [(one.quote, texts) for one in given.replies if one.quote]))
        .noting(lambda given: [Remark("stance", {"seat": seat.id, **given.stance()})])
        .linking(
            lambda given: [
                Link(seat=critics[one.target], claim=one.target, move=one.kind)
                for one in given.replies
                if one.target in critics
            ]
        )
    )


def check_all(stage: Stage[Settings], admitted: Sequence[RaisedObjection]) -> Brief[Rulings]:
    """A ruling is missed rather than lost: what it leaves out stays open."""
    ids, texts = [one.said.id for one in admitted], stage.documents_of(stage.seat("judge"))
    return CHECK.offering(item=ids).preferring(
        once_each(ids, lambda given: [one.about for one in given.rulings], "checked"),
        quoting(lambda given: [(one.quote, texts) for one in given.rulings]),
    )


# -- by rule -----------------------------------------------------------------------------


@dataclass(frozen=True)
class RaisedObjection:
    said: DocumentObjection
    by: Seat
    quoted: bool
    """Whether the words it is about stand in the document."""


def objections_of(stage: Stage[Settings], found: Mapping[Seat, CriticReport | None]) -> list[RaisedObjection]:
    """All objections by id, each once: without retries an answer counts even if it repeats an id."""
    raised: dict[str, RaisedObjection] = {}
    for seat, critique in found.items():
        texts = stage.documents_of(seat)
        for one in critique.objections if critique else ():
            raised.setdefault(one.id, RaisedObjection(one, seat, is_quoted(one.quote, texts)))
    return list(raised.values())


def result_of(
    raised: RaisedObjection, stage: Stage[Settings], rulings: Rulings | None, replies: Replies | None
) -> ObjectionResult:
    """A ruling counts if the words it rests on stand in the document."""
    said, texts = raised.said, stage.documents_of(stage.seat("judge"))
    ruling = next((one for one in rulings.rulings if one.about == said.id), None) if rulings else None
    reply = next((one for one in replies.replies if one.target == said.id), None) if replies else None
    state: ObjectionState = "open" if raised.quoted else "put aside"
    if ruling and raised.quoted and is_quoted(ruling.quote, texts):
        state = STATES[ruling.finding]
    return ObjectionResult(
        id=said.id,
        by=raised.by.id,
        claim=said.claim,
        quote=said.quote,
        state=state,
        severity=ruling.severity if ruling and state in VERIFIED else said.severity,
        ruling=ruling.reasoning if ruling else "",
        ruling_quote=ruling.quote if ruling else "",
        reply=reply.said() if reply else "",
        change=said.change,
    )


def verdict_of(results: Sequence[ObjectionResult], *, heard: bool) -> tuple[CritiqueVerdict | None, str]:
    """The verdict that verified objections give, and why; None if it could be worse, and the judge did not say."""
    if not heard:
        return None, "No critic gave a usable answer."
    verified = [one for one in results if one.state in VERIFIED]
    unruled = [one for one in results if one.state == "open"]
    verdict = _strictest(verified)
    if verdict != (feared := _strictest([*verified, *unruled])):
        named = ", ".join(one.id for one in unruled)
        return None, f"The judge gave no usable ruling on {named}, which could make it “{feared}”."
    counted = [one for one in verified if FOLLOWS[one.severity] == verdict]
    named = ", ".join(one.id for one in counted)
    if verdict == "accept":
        return verdict, "No verified objection is serious." + (f" Minor ones hold: {named}." if named else "")
    grave = counted[0].severity
    told = f"A verified objection is {grave}" if len(counted) == 1 else f"Verified objections are {grave}"
    return verdict, f"{told}: {named}."


def _strictest(results: Iterable[ObjectionResult]) -> CritiqueVerdict:
    return VERDICTS[max((VERDICTS.index(FOLLOWS[one.severity]) for one in results), default=0)]


def numbered(critique: CriticReport) -> Sequence[str]:
    """Ids count up from 1 without gaps, so that the judge can refer to them."""
    ids = critique.claims()
    gapless = [i.rsplit("-", 1)[-1] for i in ids] == [str(n + 1) for n in range(len(ids))]
    return [] if gapless else [f"number the objections from 1 to {len(ids)} in their order, not {', '.join(ids)}"]


# -- forms -------------------------------------------------------------------------------

CritiqueVerdict = Literal["accept", "revise", "reject"]
VERDICTS: tuple[CritiqueVerdict, ...] = get_args(CritiqueVerdict)
"""From the mildest to the strictest."""
Severity = Literal["fatal", "serious", "minor"]
FOLLOWS: Mapping[Severity, CritiqueVerdict] = {"fatal": "reject", "serious": "revise", "minor": "accept"}
ObjectionState = Literal["holds", "holds in part", "does not hold", "open", "put aside"]
STATES: Mapping[str, ObjectionState] = {"holds": "holds", "partly": "holds in part", "fails": "does not hold"}
VERIFIED: frozenset[ObjectionState] = frozenset({"holds", "holds in part"})
GRADES = (
    "fatal: carried out as written, it misses its aim or does harm that cannot be undone; serious: it must be changed "
    "before it is carried out; minor: it may go ahead, and would be better changed"
)


def stance_of(recommend: CritiqueVerdict, changes: Iterable[str], why: str) -> dict[str, str]:
    """The answer to whether the document is sound, and on what condition."""
    condition = "; ".join(one.rstrip(".") for one in changes if one) if recommend == "revise" else ""
    return {"says": "no" if recommend == "reject" else "yes", "condition": condition, "why": why}


class DocumentObjection(Form):
    id: OwnId
    quote: DocumentQuote = Field(
        min_length=1, max_length=400, description="the words of the document that it is about, exactly"
    )
    reasoning: str = Field(min_length=20, description="each step from those words to what goes wrong, 2 to 5 sentences")
    claim: str = Field(min_length=10, description="the fault, in one sentence that could turn out false")
    check: str = Field(min_length=5, description="where another reader must look in the document to see it")
    change: str = Field(min_length=5, description="the smallest change that would meet the objection")
    severity: Severity = Field(description=GRADES)

    def said(self) -> str:
        """Without its severity, so that the judge finds that out alone."""
        about = f"About: “{self.quote}”\nReasoning: {self.reasoning}"
        return f"[{self.id}] {self.claim}\n{about}\nCheck: {self.check}\nChange: {self.change}"


class CriticReport(Form):
    checked: str = Field(min_length=5, description="what you examined and found sound, in 1 to 3 sentences")
    objections: tuple[DocumentObjection, ...] = Field(max_length=8, description="gravest first; empty if it is sound")
    recommend: CritiqueVerdict = Field(
        description="what your objections support: accept it as it is, revise it first, or reject it"
    )

    def said(self) -> str:
        return "\n\n".join([f"Found sound: {self.checked}", *(one.said() for one in self.objections)])

    def claims(self) -> Sequence[str]:
        return [one.id for one in self.objections]

    def puts_forward(self) -> Sequence[Point]:
        return [Point(id=one.id, kind="argument", claim=one.claim, words=one.said()) for one in self.objections]

    def stance(self) -> dict[str, str]:
        return stance_of(self.recommend, [one.change for one in self.objections], self.checked)


CRITIQUE_EXAMPLE: Example = {
    "checked": "The opening hours and the budget agree with each other.",
    "objections": [
        {
            "id": "<own>",
            "quote": "two librarians will run both floors",
            "reasoning": "The plan counts two people for two floors and a desk. A break or a sick day closes a floor, "
            "and no line of the plan says which.",
            "claim": "The plan does not staff both floors on a Sunday.",
            "check": "Compare the rota in section 2 with the floors in section 4.",
            "change": "Open the lower floor alone.",
            "severity": "serious",
        },
        ...,
    ],
    "recommend": "revise",
}


class ObjectionReply(Form):
    target: ClaimId = Field(description="the objection you answer")
    quote: DocumentQuote = Field(max_length=400, description="the words of the document that meet it; empty if none do")
    reasoning: str = Field(min_length=20, description="what is right about the objection, then what is wrong about it")
    kind: Literal["refute", "challenge", "partial", "concede"] = Field(
        description="refute: the document says otherwise; challenge: the objection does not show it; partial: less "
        "holds than it says; concede: it holds"
    )
    change: str = Field(description="what the author should change; empty if nothing")

    def said(self) -> str:
        quoted = f" The document: “{self.quote}”" if self.quote else ""
        change = f" Change: {self.change}" if self.change else ""
        return f"[{self.target}] {self.kind}: {self.reasoning}{quoted}{change}"


class Replies(Form):
    replies: tuple[ObjectionReply, ...] = Field(min_length=1, max_length=16, description="one for each objection")
    why: str = Field(min_length=5, description="what decides it for you now, in one sentence")
    recommend: CritiqueVerdict = Field(
        description="what you now tell the author: accept it as it is, revise it first, or reject it and start again"
    )

    def said(self) -> str:
        return "\n\n".join([*(one.said() for one in self.replies), f"{self.recommend}: {self.why}"])

    def stance(self) -> dict[str, str]:
        return stance_of(self.recommend, [one.change for one in self.replies], self.why)

    def puts_forward(self) -> Sequence[Point]:
        return [
            Point(
                id=f"{one.target}/reply",
                kind=one.kind,
                target=one.target,
                words=one.said(),
                extent="all" if one.kind == "concede" else "",
            )
            for one in self.replies
        ]


REPLIES_EXAMPLE: Example = {
    "replies": [
        {
            "target": "<claim>",
            "quote": "the upper floor stays closed in August",
            "reasoning": "The plan names one month in which a floor may close. It says nothing of other Sundays.",
            "kind": "partial",
            "change": "Say which floor closes when one of the two is missing.",
        },
        ...,
    ],
    "why": "The rota leaves no third person for either floor.",
    "recommend": "revise",
}


class ObjectionRuling(Form):
    about: ItemId = Field(description="the objection you check")
    quote: DocumentQuote = Field(
        min_length=1, max_length=400, description="the words of the document that decide it, exactly"
    )
    reasoning: str = Field(min_length=20, description="what the objection says of the document, and what stands there")
    finding: Literal["holds", "partly", "fails"] = Field(
        description="holds: the document has this fault; partly: it has less of it than the objection says; fails: the "
        "document says otherwise, already deals with it, or the objection is not about it"
    )
    severity: Severity = Field(description=f"of as much as holds, minor if nothing does. {GRADES}")


class Rulings(Form):
    rulings: tuple[ObjectionRuling, ...] = Field(min_length=1, max_length=16, description="one for each objection")


RULINGS_EXAMPLE: Example = {
    "rulings": [
        {
            "about": "<item>",
            "quote": "two librarians will run both floors",
            "reasoning": "Section 4 has two floors and a desk, section 2 two people. No other place names a third.",
            "finding": "holds",
            "severity": "serious",
        },
        ...,
    ]
}


class ObjectionResult(Form):
    """An objection, what the judge found, and how grave it is; while it is not verified, as its critic graded it."""

    id: str
    by: str
    claim: str
    quote: str
    state: ObjectionState
    severity: Severity
    ruling: str
    ruling_quote: str
    reply: str
    change: str


class CritiqueResult(Form):
    """What the critique came to; without a verdict, why not."""

    verdict: CritiqueVerdict | None
    why: str
    objections: tuple[ObjectionResult, ...]
    silent: tuple[str, ...]
    """Critics who gave no usable answer."""


# -- prompts -----------------------------------------------------------------------------


RULES = """\
critique of a document. The document is what came with the question; without one, it is the question itself.
1. Each critic reads it alone and raises numbered objections, each about quoted words.
2. If there is an advocate, it answers each objection for the author.
3. The judge checks each objection against the document. The verdict is computed from those that hold."""

CRITICISE = Brief(
    "critique",
    CriticReport,
    "Examine the document and raise up to {most} objections that do not depend on each other, gravest first.\n"
    "1. Quote the words an objection is about. If something is missing, quote the place where it should stand.\n"
    "2. Take those words at their strongest. Then show, step by step, what is wrong with them and what follows.\n"
    "3. Before you write an objection, look for the place where the document already meets it.\n"
    "Taste is no objection, nor is a general doubt that fits any document. A bad objection costs more than a missing "
    "one: if the document is sound, raise none. But do not spare it out of politeness, nor make a grave fault small.",
    example=CRITIQUE_EXAMPLE,
)

REPLY = Brief(
    "reply",
    Replies,
    "Answer each objection exactly once.\n"
    "1. Look for the words of the document that meet it, and quote them.\n"
    "2. Say what is right about the objection, then where it goes wrong.\n"
    "3. Choose the kind of answer that your reasoning supports, and say what the author should change.\n"
    "Concede what holds: a fault that is found now costs less than later. Do not concede what is merely well written. "
    "Answer with what the document says, not with what its author may have meant.",
    turn_type="rebuttal",
    example=REPLIES_EXAMPLE,
)

CHECK = Brief(
    "ruling",
    Rulings,
    "Check each objection exactly once against the document. Do not sum up.\n"
    "1. Find the words of the document that decide it: those with the fault, or those that already meet it. If the "
    "objection says that something is missing, look for it everywhere, and quote the nearest words.\n"
    "2. Compare what the objection says of the document with what stands there. An answer by an advocate is to be "
    "checked in the same way.\n"
    "3. Decide whether the objection holds, and how grave is what holds.\n"
    "How sure an objection sounds proves nothing, nor does it that two critics agree. A fact from outside counts only "
    "if the document depends on it.",
    example=RULINGS_EXAMPLE,
)


# -- seats -------------------------------------------------------------------------------

CRITIC = "You look for what is wrong with the document, and say so only if it is."
CRITICS = {
    "A": "You test whether it is true: contradictions, steps that do not follow, figures and assumptions without "
    "support.",
    "B": "You test what happens when it is carried out: how it fails, what it costs, whom it forgets, what would be "
    "simpler.",
}
"""Each critic looks elsewhere first, so that two see more than one."""
ADVOCATE = Seat(
    "advocate",
    role="advocate",
    name="Advocate",
    duty="You answer for the author of the document, with what it says. You want it to become sound, not to win.",
)
JUDGING = "You take no side. You check what is said of the document against the document."
JUDGE = Seat("judge", role="judge", name="Judge", duty=JUDGING)


def seating(context: SeatingContext[Settings]) -> Mapping[Seat, Player]:
    settings = context.settings
    critics = [
        Seat(f"critic_{name.lower()}", role="critic", name=f"Critic {name}", duty=f"{CRITIC} {duty}")
        for name, duty in list(CRITICS.items())[: settings.critics]
    ]
    seats = (*((ADVOCATE,) if settings.answered else ()), *critics, JUDGE)
    return {seat: Player() for seat in seats}


# -- result ------------------------------------------------------------------------------


def judge_result(result: CritiqueResult) -> ProtocolResult:
    """The verdict, and where each objection stands after the check; critics have no vote."""
    return ProtocolResult(
        verdict=result.verdict,
        reason=result.why,
        sentence=SENTENCES[result.verdict] if result.verdict else "No verdict on the document.",
        would_change=what_would_change_it(result),
        limit="Only the debate's own judge checked the objections",
        rulings={one.id: ruling_on(one) for one in result.objections if one.state != "open"},
    )


def ruling_on(objection: ObjectionResult) -> ArgumentRuling:
    standing = STANDINGS[objection.state]
    if objection.state == "put aside":
        return ArgumentRuling(standing=standing, reason=NOT_THERE, happened="Put aside")
    return ArgumentRuling(
        standing=standing,
        reason=f"checked against the document. {objection.ruling}",
        happened=f"Checked against the document: {objection.state}",
    )


def what_would_change_it(result: CritiqueResult) -> str:
    """Which objections the verdict depends on, and what it would be without them."""
    if result.verdict is None:
        return "A usable ruling on every objection."
    verified = [one for one in result.objections if one.state in VERIFIED]
    gravest = [one.id for one in verified if FOLLOWS[one.severity] == result.verdict]
    if result.verdict == VERDICTS[0] or not gravest:
        return "An objection that holds and is serious."
    without = _strictest(one for one in verified if one.id not in gravest)
    return f"If {listed(gravest)} did not hold, the verdict would be: {without}."


def describe_result(result: CritiqueResult, names: SeatNames) -> Iterable[ResultSection]:
    verdict = SENTENCES[result.verdict] if result.verdict else "No verdict."
    silent = f"No usable answer: {listed(result.silent)}." if result.silent else ""
    yield ResultSection(title="Verdict of the critique", lines=tuple(filter(None, (verdict, result.why, silent))))
    if result.objections:
        heads = ("Objection", "By", "Fault", "In the document", "Severity", "Why")
        rows = [
            [one.id, names(one.by), one.claim, one.state, one.severity, described_ruling(one)]
            for one in result.objections
        ]
        table = text_table("Objections, checked against the document", heads, rows)
        yield ResultSection(title="Objections", table=table)
    changes = [f"{one.id}: {one.change}" for one in result.objections if one.state in VERIFIED and one.change]
    yield from listed_sections({"Changes that would meet them": changes})


def described_ruling(objection: ObjectionResult) -> str:
    """The judge's reason with the words it rests on."""
    if objection.state == "put aside":
        return NOT_THERE
    return f"{objection.ruling} (“{objection.ruling_quote}”)" if objection.ruling_quote else "no ruling"


STANDINGS: Mapping[ObjectionState, Literal["upheld", "partially_upheld", "refuted"]] = {
    "holds": "upheld",
    "holds in part": "partially_upheld",
    "does not hold": "refuted",
    "put aside": "refuted",
}
NOT_THERE = "the words that it quotes are not in the document"
SENTENCES: Mapping[CritiqueVerdict, str] = {
    "accept": "Accept the document as it is.",
    "revise": "Revise the document first.",
    "reject": "Reject the document.",
}
