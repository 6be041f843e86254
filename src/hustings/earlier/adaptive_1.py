"""As much debate as the question needs: three seats or six, and rounds while they still add something.

How complex a question is follows from known facts first, and from a model's opinion last and least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.earlier.checks.likeness import quoting
from hustings.errors import SeatFailed
from hustings.script.checks import naming
from hustings.script.forms import Form, Quote, Speech
from hustings.script.moves import Brief, or_none
from hustings.script.seats import Seat
from hustings.script.stage import Settings as ProtocolSettings
from hustings.script.stage import Stage
from hustings.transcript.notes import Remark

VERSION = 1
PROMPTS = "2"
RETRIES = 1
ORDER = "adaptive"
REGIME = "mixed"


class Settings(ProtocolSettings):
    stakes: Literal["low", "normal", "high", "critical"] = "normal"
    """How much hangs on the decision."""
    budget: float = Field(default=50.0, ge=0, le=1_000_000)
    """Money left for debates today."""
    extended_cost: float = Field(default=1.25, ge=0, le=10_000)
    """What a debate with all seats is expected to cost."""
    stakeholders: int = Field(default=0, ge=0, le=1000)
    """How many parties the decision touches."""
    domains: int = Field(default=1, ge=0, le=100)
    """How many fields of expertise it needs."""
    horizon: Literal["short", "long"] = "short"
    """How far ahead it binds."""
    impact: Literal["low", "high"] = "low"
    """How much money it moves."""
    max_rounds: int = Field(default=3, ge=1, le=5)
    """No more rounds than these, whatever the question."""


async def play(stage: Stage[Settings]) -> Decision:
    noted = HOW_COMPLEX.about(facts=facts(stage.settings)).noting(
        lambda judged: [Remark("assessment", assess(stage, judged).body())]
    )
    plan = assess(stage, await or_none(stage.consult(stage.seat("moderator"), noted)))
    stances: dict[str, Stance] = {}
    n = 0
    while True:
        n += 1
        ruling = await one_round(stage, plan, n, stances)
        if len(stances) < 2:
            raise SeatFailed("fewer than two took a position, and one voice is no debate")
        if stopped := why_stop(n, plan, stances, ruling):
            summary, common = ruling.summary if ruling else "", consensus(plan, stances)
            return Decision(stopped=stopped, stance=common, rounds=n, assessment=plan.body(), summary=summary)


async def one_round(stage: Stage[Settings], plan: Assessment, n: int, stances: dict[str, Stance]) -> Ruling | None:
    """Positions side by side, then what they have in common, then the moderator's reading of it for all of them."""
    speakers = [stage.seat(name) for name in plan.speakers]
    brief = POSITION[n > 1].about(facts=facts(stage.settings))
    with stage.round(f"positions {n}"):
        heard = await stage.together(
            *(or_none(stage.ask(seat, brief.linking(naming(stage.seats, seat)))) for seat in speakers)
        )
    words = [position.said() for position in heard if position]
    stances |= {seat.id: position.stance for seat, position in zip(speakers, heard, strict=True) if position}
    if plan.extended and words:
        with stage.round(f"refinement {n}"):
            refined = await or_none(stage.ask(stage.seat("refiner"), REFINE))
        words += [refined.text] if refined else []
    rule = RULE.under(quoting(lambda ruling: [(ruling.quote, words)]))
    reading = stage.consult(stage.seat("moderator"), rule, to=[*speakers, stage.seat("refiner")])
    return await or_none(reading) if words else None


def why_stop(n: int, plan: Assessment, stances: Mapping[str, Stance], ruling: Ruling | None) -> Stop | None:
    """Consensus, the round limit, or a round that added too little."""
    if consensus(plan, stances) is not None:
        return "consensus"
    if n == plan.rounds:
        return "round limit"
    return "diminishing returns" if n >= 2 and ruling and ruling.added < ENOUGH else None


def consensus(plan: Assessment, stances: Mapping[str, Stance]) -> Stance | None:
    """The side that every speaker took when last heard; a speaker who was never heard agrees to nothing."""
    taken: set[Stance] = {stances.get(name, "undecided") for name in plan.speakers}
    return taken.pop() if len(taken) == 1 and "undecided" not in taken else None


def facts(settings: Settings) -> str:
    """What the settings say about the question."""
    return (
        f"stakes {settings.stakes}; parties touched: {settings.stakeholders or 'not said'}; fields of expertise: "
        f"{settings.domains or 'not said'}; horizon {settings.horizon}; impact {settings.impact}"
    )


def assess(stage: Stage[Settings], judged: Complexity | None) -> Assessment:
    """Facts raise a common base; the model's opinion adds at most a fifth, and nothing if it gave none."""
    s = stage.settings
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
        """All seats, if the stakes or the complexity call for them and the budget allows."""
        stakes = self.settings.stakes
        called_for = stakes == "critical" or self.score >= 0.8 or (self.score >= 0.7 and stakes == "high")
        return called_for and self.affordable

    @property
    def speakers(self) -> tuple[str, ...]:
        return ("proponent", "opponent", "advocate", "critic") if self.extended else ("proponent", "opponent")

    @property
    def rounds(self) -> int:
        return min(self.recommended[1], self.settings.max_rounds)

    def body(self) -> dict[str, JsonValue]:
        agents, rounds = self.recommended
        reason = f"score {self.score:g}: {', '.join(self.factors) or 'nothing special about it'}"
        return {
            "score": self.score,
            "factors": list(self.factors),
            "reason": reason,
            "recommended_agents": agents,
            "recommended_rounds": rounds,
            "stakes": self.settings.stakes,
            "affordable": self.affordable,
            "extended": self.extended,
            "rounds": self.rounds,
        }


# -- forms -------------------------------------------------------------------------------

ENOUGH = 6
"""A round that adds less than this, of ten, is the last."""
Stance = Literal["for", "against", "undecided"]
Stop = Literal["consensus", "round limit", "diminishing returns"]


class Complexity(Form):
    score: Annotated[int, Field(ge=0, le=10)] = Field(
        description="0: anybody could settle it; 10: hardly anybody could"
    )
    reason: str = Field(min_length=10, description="what makes it so")


class Position(Form):
    text: str = Field(min_length=20, description="your case from where you sit, in prose")
    stance: Stance = Field(description="where you honestly stand now, whatever your duty asks you to look at")

    def said(self) -> str:
        return f"{self.text}\n(stands: {self.stance})"


class Ruling(Form):
    summary: str = Field(min_length=20, description="where the question stands after this round")
    unresolved: tuple[Annotated[str, Field(min_length=5)], ...] = Field(max_length=6, description="what stays open")
    added: Annotated[int, Field(ge=0, le=10)] = Field(
        description="how much this round brought that was not there before"
    )
    quote: Quote = Field(min_length=3, max_length=300, description="the newest thing said in this round, word for word")


class Decision(Form):
    """How the debate stopped and what was common ground; computed, not claimed."""

    stopped: Stop
    stance: Stance | None
    rounds: int
    assessment: dict[str, JsonValue]
    summary: str


# -- prompts -----------------------------------------------------------------------------

SEATS = (
    Seat(
        "moderator",
        role="moderator",
        name="Moderator",
        duty="You take no side. You weigh how hard the question is, and after each round what it has brought.",
    ),
    Seat(
        "proponent",
        name="Proponent",
        duty="You make the strongest honest case for it: what it would gain, and why now.",
    ),
    Seat(
        "opponent",
        name="Opponent",
        duty="You make the strongest honest case against it: what it would cost, and what could be done instead.",
    ),
    Seat(
        "advocate",
        name="Advocate",
        duty="You speak for doing it in practice: who benefits and how, what the way there looks like, with which "
        "means, and how its risks can be kept small.",
    ),
    Seat(
        "critic",
        name="Critic",
        duty="You test the reasoning of everybody: unspoken assumptions, steps that do not follow, consequences nobody "
        "has counted, constraints that were overlooked. Be exact, and fair.",
    ),
    Seat(
        "refiner",
        name="Refiner",
        duty="You bring the positions together. You take the strongest part of each, say where they meet and where "
        "they do not, and propose what would serve more of them.",
    ),
)

RULES = """\
Positions are taken at the same time, so nobody hears the others of the same round before speaking.
In a hard question an advocate, a critic and a refiner join the proponent and the opponent.
A round ends with the moderator's reading of it. The debate ends when all stand on one side, when a round adds \
little, or after the last round."""

HOW_COMPLEX = Brief(
    "complexity",
    Complexity,
    "Before anybody speaks: how complex is this question? Think of how many things hang together in it, what could "
    "follow that nobody intends, how far the interests lie apart, what one must know to judge it, and how now and "
    "later pull against each other. Known of it: {facts}.",
)

POSITION = (
    Brief(
        "position",
        Position,
        "Take your position from where you sit: your case, what it rests on, and the strongest thing that can be said "
        "against it. Known of the question: {facts}.",
        words=300,
    ),
    Brief(
        "position",
        Position,
        "Take your position again, on everything said so far and on what the moderator found open. Answer by name what "
        "was said against it, and do not repeat what has been said. Known of the question: {facts}.",
        turn_type="rebuttal",
        words=300,
    ),
)

REFINE = Brief(
    "refinement",
    Speech,
    "Bring this round's positions together: what they share, where they part and why, which compromise or third way "
    "would answer the gravest concerns, and what would have to be found out next. Take no side.",
    turn_type="synthesis",
    words=300,
)

RULE = Brief(
    "ruling",
    Ruling,
    "Read the round that has just ended. Say where the question stands, what stays open, and how much this round added "
    "to what was known before it; quote the newest thing that was said.",
)
