"""Request and response models of the API, from which the frontend types are made; events are elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StrictBool, StrictInt

from hustings.db.caps import OnFailure
from hustings.db.tokens import Role
from hustings.judging.advice import Advice
from hustings.judging.audience import Tally, Vote
from hustings.judging.comparison import Aligned, Comparison
from hustings.judging.stability import Stability
from hustings.report.quote_view import QuoteView
from hustings.runs.imported import ImportedRun
from hustings.runs.open_calls import LiveRun
from hustings.runs.run_summary import RunSummary
from hustings.script.background import MOST_TEXT, MOST_TITLE
from hustings.script.debate import Label, Language, Scenario
from hustings.script.documents import MOST_DOCUMENTS, MOST_LOOK_UPS, Media

Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$")]
Line = Annotated[str, Field(min_length=1, max_length=2_000)]
Words = Annotated[str, Field(min_length=1, max_length=100_000)]


class RequestBody(BaseModel):
    """Base of request bodies; unknown fields are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# -- requests ------------------------------------------------------------------------------


class NewDocument(RequestBody):
    """A document that every speaker and judge reads."""

    text: Annotated[str, Field(min_length=1, max_length=MOST_TEXT)]
    title: Annotated[str, Field(max_length=2 * MOST_TITLE)] = ""
    """Empty: its first heading, or its first line."""


class NewFurtherDocument(NewDocument):
    """A document that all speakers read, or some of them alone."""

    seats: Annotated[tuple[Annotated[str, Field(min_length=1, max_length=128)], ...], Field(max_length=100)] = ()
    """Seats, teams or roles that may read it; empty: all."""
    media: Media = "text"
    """What it was read from, as the server told when it read the file."""


class NewDebate(RequestBody):
    motion: Line
    background: NewDocument | None = None
    documents: Annotated[tuple[NewFurtherDocument, ...], Field(max_length=MOST_DOCUMENTS)] = ()
    """Further documents, as texts."""
    look_ups: Annotated[int, Field(ge=0, le=MOST_LOOK_UPS)] | None = None
    """How often each side may have something looked up in them; null: only if they are too long for the prompts."""
    protocol: str = "structured"
    settings: Mapping[str, JsonValue] = {}
    model: str = ""
    """For every seat that has none of its own; empty: the first model the server offers."""
    seats: Mapping[str, str] = {}
    """Maps a seat, team or role to a model, or to `human`."""
    personas: Mapping[str, str] = {}
    """Maps a seat, team or role to a personality or lens of the catalogue."""
    judges: tuple[str, ...] | Literal["auto", "none"] = "auto"
    control: StrictBool = False
    budget: Annotated[float, Field(ge=0, le=1_000, strict=True)] | None = None
    """Dollars, for the debate and its follow-ups."""
    language: Language = "en"
    seed: StrictInt | None = None
    on_failure: OnFailure = "pause"
    """If a seat gives no usable answer: pause, or go on without that answer."""
    debate_id: Id | None = None
    """Names the experiment in transcripts; null: made of the question."""
    meta: Scenario = Scenario()
    """What transcripts say about the scenario."""
    keep_reasoning: StrictBool = False
    """Keep in the transcript what models thought, where their providers show it."""
    retries: Annotated[int, Field(ge=0, le=10, strict=True)] | None = None
    """How often an unusable answer goes back; from 1 on, speakers can be told something. null: set by the protocol."""


class Resumption(RequestBody):
    """What changes when a run goes on."""

    seats: Annotated[Mapping[str, str], Field(max_length=50)] = {}
    """Other models for seats, from here on."""
    without: Annotated[tuple[str, ...], Field(max_length=50)] = ()
    """Seats to go on without."""


class NewVerdict(RequestBody):
    judges: tuple[str, ...] | Literal["auto"] = "auto"
    control: StrictBool = False


class NewFork(RequestBody):
    turn: Id | None = None
    """The first turn held anew; null: continue from where it stands."""
    settings: Mapping[str, JsonValue] = {}
    seats: Mapping[str, str] = {}
    """Maps a seat, team or role to another model, which speaks from that turn on."""


class NewSpeech(RequestBody):
    seat: Id
    text: Words
    """Plain text, or the form as JSON if the question has one."""
    key: str = ""
    """Key of the question that it answers."""


class NewInstruction(RequestBody):
    """What speakers are told with their next question; the transcript keeps it as an intervention."""

    text: Line
    seat: Annotated[str, Field(max_length=128)] = ""
    """A seat, team or role; empty: every speaker."""


class NewVote(Vote, defer_build=False):  # FastAPI warns of the name of a body that is built later
    """The vote of one person; one vote per debate."""


class NewRating(RequestBody):
    """How a reader rates a finished debate; it says nothing about who won."""

    stars: Annotated[StrictInt, Field(ge=1, le=5)]
    comment: Annotated[str, Field(max_length=2_000)] = ""


class NewOutcome(RequestBody):
    """What really happened in the matter of a debate."""

    option: Label
    """The option that came true: `yes`, `no`, or another of the question."""
    source: Annotated[str, Field(max_length=2_000)] = ""
    """Where it can be read."""


class NewLink(RequestBody):
    """A link that opens one seat, for a person who is to speak there."""

    seat: Id
    hours: Annotated[float, Field(gt=0, le=24 * 90)] = 72.0


class NewSession(RequestBody):
    token: Annotated[str, Field(min_length=1, max_length=200)]


# -- responses -----------------------------------------------------------------------------


class SeatLink(BaseModel):
    path: str
    """Path of the page, with the token in its fragment; send it to one person."""
    token: str
    hours: float


class Problem(BaseModel):
    """An error (`application/problem+json`): what is wrong, why, and how to fix it."""

    type: str = "about:blank"
    title: str
    status: int
    why: str = ""
    fix: str = ""
    run_id: str = ""
    fields: tuple[str, ...] = ()
    """Names of the invalid fields; never their values."""


class ModelChoice(BaseModel, frozen=True):
    """A model that a user may seat, since the operator allows it."""

    name: str
    """The value to send for a seat."""
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
    """Number of calls, counted in a rehearsal."""
    settings: dict[str, Any]
    """JSON Schema of the settings, with their defaults."""
    seats: tuple[SeatChoice, ...]
    """Seats with default settings."""
    by_settings: bool
    """Whether settings change the seats."""
    about_document: bool
    """Whether it needs a document to argue about."""


class About(BaseModel, frozen=True):
    """The server, and which models, protocols and formats it offers."""

    version: str
    owner: str
    role: Role
    run_id: str = ""
    """The only debate that the caller may see; empty for all of the owner's."""
    seat: str = ""
    """The seat for which the caller speaks."""
    models: tuple[ModelChoice, ...]
    protocols: tuple[ProtocolCard, ...]
    formats: tuple[str, ...]
    usual_budget: float
    people: bool = True
    needs_token: bool = False
    """Whether the server requires an access token."""


class Instructed(BaseModel, frozen=True):
    seats: tuple[str, ...]
    """Who will be told."""


class OutcomeKnown(BaseModel, frozen=True):
    option: str | None
    """What came true; null if nothing was recorded."""
    source: str


class Begun(BaseModel, frozen=True):
    run_id: str


class ImportedDebates(BaseModel, frozen=True):
    debates: tuple[ImportedRun, ...]


class Question(BaseModel, frozen=True):
    """A question that waits for the answer of a person."""

    seat: str
    key: str
    brief: str
    task: str
    words: int | None
    """The most words that it may have."""
    asked_words: int | None
    """About how many words are asked for."""
    seconds: int | None
    since: str
    """When it was asked."""
    until: str | None
    form: dict[str, Any] | None
    """JSON Schema of the answer; null for plain text."""
    readable: tuple[str, ...]
    """Ids of the turns that the seat may read, in order."""


class State(BaseModel, frozen=True):
    """The current state of a debate and its follow-ups."""

    report: RunSummary
    follows: tuple[RunSummary, ...]
    """Controls and judgings of the debate, oldest first."""
    questions: tuple[Question, ...]
    live: LiveRun | None = None
    """None if the run is over, or is no debate."""
    viewable: bool
    """Whether the debate has ended, so that its view can be read."""
    large: bool = False
    """Whether its view is so large that a part of it is better read before the rest: `view?part=verdict`."""
    votes: int


class EstimateRow(BaseModel, frozen=True):
    what: str
    calls: tuple[int, int]
    tokens: tuple[int, int]
    dollars: tuple[float, float] | None
    """Expected and at worst, as for calls and tokens; null if unknown."""


class Forecast(BaseModel, frozen=True):
    rows: tuple[EstimateRow, ...]
    total: EstimateRow
    budget: float | None
    within: bool
    """Whether the worst case stays within the budget."""
    remarks: tuple[str, ...]


class FileRead(BaseModel, frozen=True):
    """The text of a file, to be sent with a new debate."""

    title: str
    text: str
    words: int
    pages: int | None
    """How many it has; null for a file without pages."""
    media: Media


class DocumentEntry(BaseModel, frozen=True):
    """A document of a debate, and how often it was quoted."""

    id: str
    title: str
    words: int
    pages: int | None
    seats: tuple[str, ...]
    """Ids of the seats that read it; empty: all."""
    background: bool
    """Whether it came with the question, so that judges read it too."""
    accepted: int
    """Quotes whose words stand in it."""
    failed: int
    """Other quotes that name it."""


class DocumentList(BaseModel, frozen=True):
    """The documents that the caller may read, and all quotes in what the caller may read."""

    documents: tuple[DocumentEntry, ...]
    quotes: tuple[QuoteView, ...]


class PassageView(BaseModel, frozen=True):
    id: str
    start: int
    end: int
    page: int | None


class DocumentReading(BaseModel, frozen=True):
    """A document to read. Places are counted in characters (code points) of its text."""

    document: DocumentEntry
    text: str
    passages: tuple[PassageView, ...]
    quotes: tuple[QuoteView, ...]


class Compared(BaseModel, frozen=True):
    """Two debates compared side by side."""

    comparison: Comparison
    turns: tuple[Aligned, ...]


class Repeated(BaseModel, frozen=True):
    """Several debates of one motion."""

    runs: tuple[RunSummary, ...]
    claims: tuple[Stability, ...]


__all__ = ["Advice", "Aligned", "Stability", "Tally"]
"""Response models defined where they are computed."""
