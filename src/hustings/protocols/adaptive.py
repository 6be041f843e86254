"""As much debate as the question needs: three seats or six, and rounds while they still add something.

How complex a question is follows from known facts first, and from a model's opinion last and least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from hustings.core.forms import Form, Quote, Speech
from hustings.core.limits import quoting
from hustings.core.links import naming
from hustings.core.moves import Brief, or_none
from hustings.core.notes import Remark
from hustings.core.seats import Seat
from hustings.core.settings import Settings as ProtocolSettings
from hustings.core.stage import Stage

VERSION = 1
RETRIES = 1
ORDER = "adaptive"


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
    moderator = stage.seat("moderator")
    noted = HOW_COMPLEX.noting(lambda judged: [Remark("assessment", assess(stage, judged).body())])
    plan = assess(stage, await or_none(stage.consult(moderator, noted)))
    n = 0
    while True:
        n += 1
        positions, ruling = await one_round(stage, plan, n)
        if stopped := why_stop(n, plan, positions, ruling):
            summary = ruling.summary if ruling else ""
            return Decision(
                stopped=stopped, stance=common(positions), rounds=n, extended=plan.extended, summary=summary
            )


async def one_round(stage: Stage[Settings], plan: Assessment, n: int) -> tuple[list[Position], Ruling | None]:
    """Positions side by side, then what they have in common, then the moderator's reading of it."""
    speakers = stage.team("base") + (stage.team("extended") if plan.extended else [])
    with stage.round(f"positions {n}"):
        heard = await stage.together(*(or_none(take_position(stage, seat)) for seat in speakers))
    positions = [position for position in heard if position]
    words = [position.said() for position in positions]
    if plan.extended:
        with stage.round(f"refinement {n}"):
            refined = await or_none(stage.ask(stage.seat("refiner"), REFINE))
        words += [refined.text] if refined else []
    rule = RULE.under(quoting(lambda ruling: [(ruling.quote, words)]))
    return positions, await or_none(stage.consult(stage.seat("moderator"), rule)) if words else None


async def take_position(stage: Stage[Settings], seat: Seat) -> Position:
    return await stage.ask(seat, POSITION.linking(naming(stage.seats, seat)))


def why_stop(n: int, plan: Assessment, positions: Sequence[Position], ruling: Ruling | None) -> Stop | None:
    """Consensus, the round limit, or a round that added too little."""
    if common(positions) is not None:
        return "consensus"
    if n == plan.rounds:
        return "round limit"
    return "diminishing returns" if n >= 2 and ruling and ruling.added < ENOUGH else None


def common(positions: Sequence[Position]) -> Stance | None:
    """The side that everybody has taken, if there is one; a single voice is no consensus."""
    stances: set[Stance] = {position.stance for position in positions}
    one = len(positions) > 1 and len(stances) == 1 and "undecided" not in stances
    return stances.pop() if one else None


def assess(stage: Stage[Settings], judged: Complexity | None) -> Assessment:
    """Facts raise a common base; the model's opinion adds at most a fifth, and nothing if it gave none."""
    s = stage.settings
    facts = {
        "a long question": (0.10, len(stage.topic) > 200),
        "many stakeholders": (0.15, s.stakeholders > 3),
        "several fields": (0.15, s.domains > 2),
        "a long horizon": (0.10, s.horizon == "long"),
        "high impact": (0.10, s.impact == "high"),
    }
    opinion = judged.score / 10 if judged else 0.0
    score = round(min(0.3 + sum(share for share, true in facts.values() if true) + 0.2 * opinion, 1.0), 3)
    factors = [name for name, (_, true) in facts.items() if true]
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
    extended: bool
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
        "base",
        name="Proponent",
        duty="You make the strongest honest case for it: what it would gain, and why now.",
    ),
    Seat(
        "opponent",
        "base",
        name="Opponent",
        duty="You make the strongest honest case against it: what it would cost, and what could be done instead.",
    ),
    Seat(
        "advocate",
        "extended",
        name="Advocate",
        duty="You speak for doing it in practice: who benefits and how, what the way there looks like, with which "
        "means, and how its risks can be kept small.",
    ),
    Seat(
        "critic",
        "extended",
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
    "later pull against each other.",
)

POSITION = Brief(
    "position",
    Position,
    "Take your position from where you sit, on everything said so far. Answer by name what was said against it, and do "
    "not repeat what has been said.",
    words=300,
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
