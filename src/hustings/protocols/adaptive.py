"""As much debate as the question needs: three seats or six, and rounds while they still add something.

How complex a question is follows from facts first, those that were set and else those the moderator reads in the
question, and from the moderator's opinion last and least.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.errors import SeatFailed
from hustings.script.checks import answering, quoting, to_others
from hustings.script.forms import Form, Quote, Speech
from hustings.script.moves import Ask, Brief, or_none
from hustings.script.protocol_result import FigureSection, ResultSection, SeatNames, Section
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.transcript.notes import Remark

VERSION = 1
RETRIES = 1
ORDER = "adaptive"
REGIME = "mixed"
TABLE = False


class Settings(ProtocolSettings):
    extent: Literal["auto", "standard", "extended"] = "auto"
    """Two speakers (standard) or all seats (extended); auto: as the question needs and the budget allows."""
    stakes: Literal["unknown", "low", "normal", "high", "critical"] = "unknown"
    """How much hangs on the decision; unknown: as the moderator reads it, but never critical."""
    budget: float = Field(default=50.0, ge=0, le=1_000_000)
    """Money that this debate may cost."""
    extended_cost: float = Field(default=1.25, ge=0, le=10_000)
    """What a debate with all seats is expected to cost."""
    stakeholders: int = Field(default=0, ge=0, le=1000)
    """How many parties the decision touches; 0 if unknown."""
    domains: int = Field(default=0, ge=0, le=100)
    """How many fields of expertise it needs; 0 if unknown."""
    horizon: Literal["unknown", "short", "long"] = "unknown"
    """How far ahead it binds."""
    impact: Literal["unknown", "low", "high"] = "unknown"
    """How much money it moves."""
    max_rounds: int = Field(default=3, ge=1, le=5)
    """No more rounds than these, whatever the question."""


async def play(stage: Stage[Settings]) -> Decision:
    noted = HOW_COMPLEX.about(facts=facts(stage.settings)).noting(
        lambda judged: [Remark("assessment", assess(stage, judged).body())]
    )
    plan = assess(stage, await or_none(stage.consult(stage.seat("moderator"), noted)))
    views: dict[str, Position] = {}
    n = 0
    while True:
        n += 1
        ruling = await one_round(stage, plan, n, views)
        if len(views) < 2:
            raise SeatFailed("fewer than two took a position, and one voice is no debate")
        if stopped := why_stop(n, plan, views, ruling):
            return Decision(
                stopped=stopped,
                stance=consensus(plan, views),
                rounds=n,
                complexity=plan.score,
                confidence=confidence(plan, views),
                assessment=plan.body(),
                summary=ruling.summary if ruling else "",
            )


async def one_round(stage: Stage[Settings], plan: Assessment, n: int, views: dict[str, Position]) -> Ruling | None:
    """Positions side by side, then a test of them, what they have in common, and the moderator's reading for all."""
    speakers = [stage.seat(name) for name in plan.speakers]
    told = {"facts": facts(stage.settings), "table": ", ".join(seat.title for seat in speakers)}
    # In the first round there is nothing to test before the others have spoken.
    last = [seat for seat in speakers if seat.id == CRITIC]
    brief = POSITION[n > 1].about(**told)
    with stage.round(f"positions {n}"):
        heard = await stage.together(*(or_none(take(stage, seat, brief)) for seat in speakers if seat not in last))
    for seat in last:
        with stage.round(f"criticism {n}"):
            heard.append(await or_none(take(stage, seat, POSITION[1].about(**told))))
    spoke = [*(seat for seat in speakers if seat not in last), *last]
    words = [position.said() for position in heard if position]
    views |= {seat.id: position for seat, position in zip(spoke, heard, strict=True) if position}
    if plan.extended and words:
        with stage.round(f"refinement {n}"):
            refiner = stage.seat("refiner")
            linked = REFINE.linking(answering(stage.seats, refiner, stage.heard_by(refiner)))
            refined = await or_none(stage.ask(refiner, linked))
        words += [refined.text] if refined else []
    rule = RULE.under(quoting(lambda ruling: [(ruling.quote, words)]))
    reading = stage.consult(stage.seat("moderator"), rule, to=[*speakers, stage.seat("refiner")])
    return await or_none(reading) if words else None


def take(stage: Stage[Settings], seat: Seat, brief: Brief[Position]) -> Ask[Position]:
    """Ask for a position, and note where its author stands."""
    noted = brief.noting(lambda position: [Remark("stance", {"seat": seat.id, **position.stands()})])
    return stage.ask(seat, to_others(noted, stage.seats, seat, stage.heard_by(seat)))


def why_stop(n: int, plan: Assessment, views: Mapping[str, Position], ruling: Ruling | None) -> Stop | None:
    """Consensus, the round limit, or a round after the first that added too little."""
    if consensus(plan, views) is not None:
        return "consensus"
    if n >= plan.settings.max_rounds:
        return "round limit"
    # The more rounds the question was thought to need, the less a round must add to be worth another.
    enough = ENOUGH if n < plan.recommended[1] else MUCH
    return "diminishing returns" if n >= plan.fewest and ruling and ruling.added < enough else None


def consensus(plan: Assessment, views: Mapping[str, Position]) -> Stance | None:
    """The side that every speaker took when last heard; a speaker who was never heard agrees to nothing."""
    taken: set[Stance] = {views[name].as_put if name in views else "undecided" for name in plan.speakers}
    return taken.pop() if len(taken) == 1 and "undecided" not in taken else None


def confidence(plan: Assessment, views: Mapping[str, Position]) -> float:
    """How far the seats' own views agree: the share that ends on the commoner side, half for one with a condition."""
    weight: dict[str, float] = {}
    for view in views.values():
        if view.stance != "undecided":
            weight[view.stance] = weight.get(view.stance, 0.0) + (0.5 if view.condition else 1.0)
    return round(max(weight.values(), default=0.0) / len(plan.speakers), 3)


def facts(settings: Settings) -> str:
    """What was set about the question, and nothing else: what was not said is no fact."""
    told = {
        f"the stakes are {settings.stakes}": settings.stakes != "unknown",
        f"{settings.stakeholders} parties are affected": settings.stakeholders,
        f"it needs {settings.domains} fields of expertise": settings.domains,
        f"it binds for a {settings.horizon} time": settings.horizon != "unknown",
        f"the sums of money are {settings.impact}": settings.impact != "unknown",
    }
    known = "; ".join(fact for fact, said in told.items() if said)
    return f" We were told: {known}." if known else ""


def assess(stage: Stage[Settings], judged: Complexity | None) -> Assessment:
    """Facts raise a common base; the model's opinion adds at most a fifth, and nothing if it gave none.

    What was set counts as set; the rest counts as the moderator reads it.
    """
    s = settled(stage.settings, judged)
    known = {
        "a long question": (0.10, len(stage.topic) > 200),
        "many stakeholders": (0.15, s.stakeholders > 3),
        "several fields": (0.15, s.domains > 2),
        "a long horizon": (0.10, s.horizon == "long"),
        "high impact": (0.10, s.impact == "high"),
    }
    opinion = judged.score / 10 if judged else 0.0
    score = round(min(0.3 + sum(share for share, true in known.values() if true) + 0.2 * opinion, 1.0), 3)
    factors = [name for name, (_, true) in known.items() if true]
    factors += ["hard in the moderator's opinion"] if opinion > 0.7 else []
    factors += [] if judged else ["no opinion of the moderator"]
    return Assessment(score, tuple(factors), s)


def settled(settings: Settings, judged: Complexity | None) -> Settings:
    """The settings, with what the moderator read in the question where nothing was set."""
    if judged is None:
        return settings
    read = {"stakes": judged.stakes, "stakeholders": judged.parties, "domains": judged.fields}
    read |= {"horizon": judged.horizon, "impact": judged.impact}
    unset = {name: value for name, value in read.items() if getattr(settings, name) in ("unknown", 0)}
    return settings.model_copy(update=unset)


@dataclass(frozen=True)
class Assessment:
    """How complex the question is, what that recommends, and what can be afforded."""

    score: float
    factors: tuple[str, ...]
    settings: Settings

    @property
    def recommended(self) -> tuple[int, int]:
        """Debaters beside the moderator's table, and rounds."""
        return (5, 3) if self.score >= 0.8 else (5, 2) if self.score >= 0.7 else (3, 2)

    @property
    def affordable(self) -> bool:
        return self.settings.extended_cost <= self.settings.budget

    @property
    def extended(self) -> bool:
        """Whether all seats speak."""
        return self.called_for and self.affordable

    @property
    def called_for(self) -> bool:
        """Whether the settings, the stakes or the complexity ask for all seats."""
        extent, stakes = self.settings.extent, self.settings.stakes
        if extent != "auto":
            return extent == "extended"
        return stakes == "critical" or self.score >= 0.8 or (self.score >= 0.7 and stakes == "high")

    @property
    def speakers(self) -> tuple[str, ...]:
        return ("proponent", "opponent", "advocate", "critic") if self.extended else ("proponent", "opponent")

    @property
    def rounds(self) -> int:
        """Rounds that are expected; the moderator's readings may end it before or carry it beyond."""
        return min(self.recommended[1], self.settings.max_rounds)

    @property
    def fewest(self) -> int:
        """Rounds before one may add too little: nobody has answered in the first, and a chosen extent is held."""
        return 2 if self.settings.extent == "auto" else self.rounds

    def body(self) -> dict[str, JsonValue]:
        agents, rounds = self.recommended
        reason = f"score {self.score:g}: {', '.join(self.factors) or 'nothing special about it'}"
        too_dear = "; all seats would have cost more than its budget" if self.called_for and not self.affordable else ""
        return {
            "score": self.score,
            "factors": list(self.factors),
            "reason": reason + too_dear,
            "recommended_agents": agents,
            "recommended_rounds": rounds,
            "stakes": self.settings.stakes,
            "affordable": self.affordable,
            "extended": self.extended,
            "rounds": self.rounds,
            **({} if self.settings.extent == "auto" else {"extent": self.settings.extent}),
        }


# -- forms -------------------------------------------------------------------------------

CRITIC = "critic"
ENOUGH, MUCH = 6, 8
"""A round that adds less than the first, of ten, is the last; beyond the rounds expected, less than the second."""
Stance = Literal["for", "against", "undecided"]
Stop = Literal["consensus", "round limit", "diminishing returns"]


class Complexity(Form):
    reason: str = Field(min_length=10, description="what makes it so, in one to three sentences")
    parties: Annotated[int, Field(ge=0, le=50)] = Field(description="groups of people whom the decision touches")
    fields: Annotated[int, Field(ge=0, le=20)] = Field(description="fields of expertise that it needs")
    horizon: Literal["short", "long"] = Field(
        description="short: it can be undone within a year; long: it binds longer"
    )
    impact: Literal["low", "high"] = Field(description="low or high, by the money it moves for those who decide")
    stakes: Literal["low", "normal", "high"] = Field(
        description="low: little is lost by a wrong answer; normal; high: people or the whole undertaking would suffer"
    )
    score: Annotated[int, Field(ge=0, le=10)] = Field(
        description="0 anyone could settle it; 3 one clear trade-off; 5 several, in one field; 8 several fields, "
        "conflicting interests, effects hard to foresee; 10 experts would still disagree after long study"
    )


class Position(Form):
    text: str = Field(min_length=20, description="your case, in your role, in prose")
    own_view: str = Field(
        min_length=10,
        max_length=600,
        description="out of your role, in one or two sentences: what decides it for you, what would change your mind",
    )
    condition: str = Field(
        max_length=300, description="out of your role: the change or condition your stance depends on; empty if none"
    )
    stance: Stance = Field(
        description="out of your role: for or against the question exactly as put, on your condition if you gave one, "
        "or undecided. Your role's side is no reason"
    )

    def said(self) -> str:
        condition = f", if {self.condition.removeprefix('if ').rstrip('.')}" if self.condition else ""
        return f"{self.text}\n(My own view: {self.own_view} Stands: {self.stance}{condition}.)"

    def counted(self) -> str:
        return self.text

    @property
    def as_put(self) -> Stance:
        """Where it stands on the question exactly as put: a stance with a condition shares nothing yet."""
        return "undecided" if self.condition else self.stance

    def stands(self) -> dict[str, JsonValue]:
        says = {"for": "yes", "against": "no", "undecided": "undecided"}[self.stance]
        return {"says": says, "condition": self.condition, "why": self.own_view}


class Ruling(Form):
    quote: Quote = Field(
        min_length=3,
        max_length=300,
        description="the most important new words of this round, exactly; if nothing is new, the nearest to it",
    )
    summary: str = Field(min_length=20, description="where the question stands, in 2 to 4 sentences, no verdict")
    unresolved: tuple[Annotated[str, Field(min_length=5)], ...] = Field(
        max_length=6, description="questions that stay open"
    )
    added: Annotated[int, Field(ge=0, le=10)] = Field(
        description="0 repetition; 3 new wording; 5 new details that change nothing; 6 one point the decision could "
        "turn on; 8 several, or a seat moved; 10 the question looks different now"
    )


class Decision(Form):
    """How the debate stopped and what was common ground; computed, not claimed."""

    stopped: Stop
    stance: Stance | None
    rounds: int
    complexity: float
    confidence: float
    """How far the seats' own views agree at the end, from 0 to 1: counted, not felt."""
    assessment: dict[str, JsonValue]
    summary: str


# -- prompts -----------------------------------------------------------------------------


RULES = """\
as much debate as needed. Positions of a round are written at the same time, except the critic's, who hears them \
first. Then the moderator says what the round added. It ends when all agree, a later round adds little, or the \
rounds are used up."""

HOW_COMPLEX = Brief(
    "complexity",
    Complexity,
    "Judge how hard this question is: dependencies, unintended effects, conflicting interests, expertise needed, short "
    "against long term.{facts}",
)

POSITION = (
    Brief(
        "position",
        Position,
        "In your role: make your case, say what it rests on, and give the strongest point against it.{facts} Then step "
        "out of your role and say where you stand yourself. Speaking in this debate: {table}.",
        words=300,
    ),
    Brief(
        "position",
        Position,
        "In your role: answer, by name, the strongest point against you and what is still open. Say only what is new."
        "{facts} Then step out of your role and say where you stand now, and what changed it. Speaking in this debate: "
        "{table}.",
        turn_type="rebuttal",
        words=300,
    ),
)

REFINE = Brief(
    "refinement",
    Speech,
    "Bring the positions together: what they share, where they part and why. Propose what meets the gravest concerns, "
    "and say whom it fails. Name what to find out next. Take no side, and do not play differences down.",
    turn_type="synthesis",
    words=300,
)

RULE = Brief(
    "ruling",
    Ruling,
    "Assess the last round against what was known before. A new fact, reason, distinction or changed position is new; "
    "new wording or one more example is not.",
)


# -- seats -------------------------------------------------------------------------------

SEATS = (
    Seat(
        "moderator",
        role="moderator",
        name="Moderator",
        duty="You take no side. You judge how hard the question is and what each round added.",
    ),
    Seat(
        "proponent",
        name="Proponent",
        duty="Your role is the strongest honest case for it: what it would achieve, and why now.",
    ),
    Seat(
        "opponent",
        name="Opponent",
        duty="Your role is the strongest honest case against it: its cost, and what to do instead.",
    ),
    Seat(
        "advocate",
        name="Advocate",
        duty="Your role is how it could work: who benefits and how much, first steps, means and how to spare them, "
        "limiting risks.",
    ),
    Seat(
        "critic",
        name="Critic",
        duty="Your role is to test everyone's reasoning: hidden assumptions, fallacies, missing steps, consequences "
        "nobody counted, other ways to frame the question. Be exact and fair.",
    ),
    Seat(
        "refiner",
        role="synthesizer",
        name="Refiner",
        duty="Your role is to bring positions together: the best of each, where they meet and where they do not, and "
        "what would serve more of them.",
    ),
)


# -- result ------------------------------------------------------------------------------


def describe_result(result: Decision, _names: SeatNames) -> Iterable[Section]:
    assessment = result.assessment
    many = "All speakers took part" if assessment["extended"] else "Two speakers took part"
    chosen = assessment.get("extent") == ("extended" if assessment["extended"] else "standard")
    because = "as was chosen" if chosen else "because of the question's complexity"
    lines = (
        DECISIONS[result.stance],
        result.summary,
        ENDINGS[result.stopped],
        f"{many}, {because}: {assessment['reason']}.",
    )
    yield ResultSection(title="Decision", lines=tuple(filter(None, lines)))
    yield FigureSection(title="Own views", figure="own views")


DECISIONS: Mapping[Stance | None, str] = {
    "for": "All speakers ended in favour.",
    "against": "All speakers ended against it.",
    None: "The speakers did not agree.",
}
ENDINGS: Mapping[Stop, str] = {
    "consensus": "It ended because all speakers agreed.",
    "round limit": "It ended at the round limit.",
    "diminishing returns": "It ended because the last round added little.",
}
