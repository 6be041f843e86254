"""What goes over the wire, besides events and what other rooms already name. The page's types are made from these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictBool, StrictInt

from hustings.judging.advice import Advice
from hustings.judging.alignment import Aligned
from hustings.judging.audience import Tally, Vote
from hustings.judging.comparison import Comparison
from hustings.judging.stability import Stability
from hustings.runs.summary import RunSummary

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$")]
Line = Annotated[str, Field(min_length=1, max_length=2_000)]
Words = Annotated[str, Field(min_length=1, max_length=100_000)]


class RequestBody(BaseModel):
    """What somebody sends: nothing in it is taken that is not named here."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# -- asked ---------------------------------------------------------------------------------


class NewDebate(RequestBody):
    motion: Line
    protocol: str = "structured"
    settings: Mapping[str, JsonValue] = {}
    model: str = ""
    """For every seat that has none of its own; none: the first the server offers."""
    seats: Mapping[str, str] = {}
    """Seat, team or role to a model, or to `human`."""
    judges: tuple[str, ...] | Literal["auto", "none"] = "auto"
    control: StrictBool = False
    budget: Annotated[float, Field(ge=0, le=1_000, strict=True)] | None = None
    """Dollars, for all that it leads to."""
    language: Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    seed: StrictInt | None = None


class NewVerdict(RequestBody):
    judges: tuple[str, ...] | Literal["auto"] = "auto"
    control: StrictBool = False


class NewFork(RequestBody):
    turn: Id | None = None
    """From this turn on; none: from where it stands."""
    settings: Mapping[str, JsonValue] = {}


class NewSpeech(RequestBody):
    seat: Id
    text: Words
    """Plain words, or the form as JSON where one is asked for."""
    key: str = ""
    """Of the question that it answers."""


class NewVote(Vote):
    """A person's own, once for each debate."""


class NewSession(RequestBody):
    token: Annotated[str, Field(min_length=1, max_length=200)]


# -- answered ------------------------------------------------------------------------------


class Problem(BaseModel):
    """What is wrong, why, and the cure; `application/problem+json`."""

    type: str = "about:blank"
    title: str
    status: int
    why: str = ""
    fix: str = ""
    run_id: str = ""
    fields: tuple[str, ...] = ()
    """Names of those that cannot be taken as they are; never what was in them."""


class ModelChoice(BaseModel, frozen=True):
    """A model somebody may seat: the operator allowed it."""

    name: str
    """As it is written in a seat."""
    label: str
    where: str
    free: bool


class SeatChoice(BaseModel, frozen=True):
    id: str
    team: str
    role: str
    name: str


class ProtocolCard(BaseModel, frozen=True):
    name: str
    version: int
    about: str
    calls: int
    """In a rehearsal."""
    settings: dict[str, Any]
    """JSON Schema of its settings, with their usual values."""
    seats: tuple[SeatChoice, ...]
    """As they are laid when nothing is set."""
    by_settings: bool
    """Whether settings change the table."""


class About(BaseModel, frozen=True):
    """The server, and what may be done here."""

    version: str
    owner: str
    models: tuple[ModelChoice, ...]
    protocols: tuple[ProtocolCard, ...]
    formats: tuple[str, ...]
    usual_budget: float
    people: bool = True


class Begun(BaseModel, frozen=True):
    run_id: str


class Page(BaseModel, frozen=True):
    debates: tuple[RunSummary, ...]
    next: str | None
    """Cursor of the next page."""
    awaited: dict[str, tuple[str, ...]] = {}
    """Seats whose person is waited for, by debate."""


class Question(BaseModel, frozen=True):
    """What a person is asked now."""

    seat: str
    key: str
    brief: str
    task: str
    words: int | None
    seconds: int | None
    since: str
    """When it was asked."""
    until: str | None
    form: dict[str, Any] | None
    """JSON Schema; none for plain words."""
    readable: tuple[str, ...]
    """What the seat may read, turn ids in order."""


class State(BaseModel, frozen=True):
    """A debate now, with what follows it."""

    report: RunSummary
    follows: tuple[RunSummary, ...]
    """Its control and judgings, oldest first."""
    questions: tuple[Question, ...]
    viewable: bool
    """Whether it is over, so that its view can be read."""
    votes: int


class EstimateRow(BaseModel, frozen=True):
    what: str
    calls: tuple[int, int]
    tokens: tuple[int, int]
    dollars: tuple[float, float] | None
    """Expected and at worst; none is unknown."""


class Forecast(BaseModel, frozen=True):
    rows: tuple[EstimateRow, ...]
    total: EstimateRow
    budget: float | None
    within: bool
    """Whether the worst of it stays under the budget."""
    remarks: tuple[str, ...]


class Compared(BaseModel, frozen=True):
    """Two debates side by side."""

    comparison: Comparison
    turns: tuple[Aligned, ...]


class Repeated(BaseModel, frozen=True):
    """One motion over several runs."""

    runs: tuple[RunSummary, ...]
    claims: tuple[Stability, ...]


__all__ = ["Advice", "Aligned", "Stability", "Tally"]
"""Named where they are computed, and sent as they are."""
