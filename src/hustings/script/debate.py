"""The specification of a debate (`DebateSpec`), and what remains of it (`Proceedings`)."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, PrivateAttr, WithJsonSchema

from hustings.transcript.canonical import digest, sealed
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.models import (
    SAFE_ID,
    SCHEMA_VERSION,
    DebateMetadata,
    Participant,
    Rung,
    RunMetadata,
    Transcript,
)
from hustings.transcript.notes import Ending, Note, Notes

from .background import FIELD, Background
from .documents import Documents, ListedDocument, first_listed
from .languages import TAG, check_tag
from .protocol_result import ProtocolResult, Section
from .seats import LIBRARIAN, Player, Seat
from .tools import MOST_TOOLS, ROLE, ToolTerms


def tool_seat(tool: ToolTerms) -> Seat:
    """The silent seat that a tool fills, as the librarian fills its own."""
    return Seat(tool.seat_id, role=ROLE, name=f"Tool {tool.name}")


Label = Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
"""One line of text."""


Language = Annotated[str, AfterValidator(check_tag), WithJsonSchema({"type": "string", "pattern": TAG})]
"""A tag like `en`, `de-CH` or `zh-Hant` (BCP 47)."""


class Scenario(BaseModel, defer_build=True):
    """The experiment that a debate belongs to, as the transcript names it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task_type: Label | None = None
    """What kind of task it is; the protocol's name, unless given."""
    scenario_id: Label | None = None
    asset_symbol: Label | None = None
    market_context: Annotated[str, Field(min_length=1, max_length=10_000)] | None = None
    time_horizon_default: Label | None = None
    required_rung: Rung | None = None
    """How far up the ladder of causes an answer must reach."""


class ProtocolFile(BaseModel, frozen=True, defer_build=True):
    """The file that a protocol was loaded from, where it is of no package."""

    path: str
    """From the root of the machine that began the debate."""
    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    """SHA-256 of its bytes."""

    @property
    def short_digest(self) -> str:
        """As much of the digest as screens show."""
        return self.digest[:12]


class DebateSpec(BaseModel, frozen=True, defer_build=True):
    """Everything needed to start, restart or repeat a debate anywhere."""

    debate_id: Annotated[str, Field(pattern=f"^{SAFE_ID}$")]
    topic: Annotated[str, Field(pattern=r"\S", max_length=100_000)]
    protocol: str
    version: int
    seats: tuple[Seat, ...]
    cast: Mapping[str, Player]
    """Seat id to player."""
    language: Language = "en"
    rubric: str | None = None
    retries: Annotated[int, Field(ge=0, le=10)] = 0
    """Further attempts a seat has when it breaks a rule; the transcript's mode depends on it."""
    settings: Mapping[str, JsonValue] = {}
    judged: Proceedings | None = None
    """The finished debate that an audit is about."""
    background: Annotated[Background | None, OMIT_IF_EMPTY] = None
    """The document that came with the question."""
    scenario: Annotated[Scenario | None, OMIT_IF_EMPTY] = None
    documents: Annotated[Documents | None, OMIT_IF_EMPTY] = None
    """Further documents, without their texts."""
    tools: Annotated[tuple[ToolTerms, ...], Field(max_length=MOST_TOOLS), OMIT_IF_EMPTY] = ()
    """Tools of the user that speakers may have something fetched by."""
    protocol_file: Annotated[ProtocolFile | None, OMIT_IF_EMPTY] = None
    """Where the protocol is a file of the user's."""
    _script: Any = PrivateAttr(default=None)

    @property
    def script(self) -> Any:
        """The `Protocol` in the file, for who has loaded it; else None. It is never part of the stored spec."""
        return self._script

    def with_script(self, script: object) -> DebateSpec:
        """The same with the protocol of its file."""
        loaded = self.model_copy()
        loaded._script = script  # noqa: SLF001  # pyright: ignore[reportAttributeAccessIssue]  pydantic lets it
        return loaded

    @property
    def script_version(self) -> str:
        """Name and version of the protocol as records tell it; for a file also the beginning of its digest."""
        file = self.protocol_file
        return f"{self.protocol}/{self.version}{f'+{file.short_digest}' if file else ''}"

    @property
    def players(self) -> Mapping[str, Player]:
        """Who sits in the seats of the protocol, by seat id."""
        return {seat: player for seat, player in self.cast.items() if seat not in {one.id for one in self.staff}}

    @property
    def staff(self) -> tuple[Seat, ...]:
        """Seats that serve the speakers and are no part of the protocol."""
        librarian = (LIBRARIAN,) if self.documents and self.documents.look_ups and not self.judged else ()
        return (*librarian, *map(tool_seat, self.tools))

    @property
    def listed(self) -> tuple[ListedDocument, ...]:
        """All documents, the one that came with the question first."""
        return (*first_listed(self.background), *(self.documents.each if self.documents else ()))

    @property
    def label(self) -> str:
        """The question as lists show it."""
        remarks = [brought.remark for brought in (self.background, self.documents) if brought]
        return f"{self.topic} ({', '.join(remarks)})" if remarks else self.topic


class Proceedings(BaseModel, frozen=True, defer_build=True):
    """What was said, what was thought, what the script returned, and how it ended."""

    transcript: Transcript
    notes: tuple[Note, ...]
    result: JsonValue
    """What the script returned."""
    ending: Ending
    decision: Annotated[ProtocolResult | None, OMIT_IF_EMPTY] = None
    """What that result decides, if the protocol says so itself."""
    sections: Annotated[tuple[Section, ...], OMIT_IF_EMPTY] = ()
    """That result in sections, as its protocol describes it."""

    def document(self) -> dict[str, Any]:
        """The transcript as it is written to a file: sealed with its digest."""
        return sealed(self.transcript.document())

    def notes_document(self) -> dict[str, Any]:
        document = self.transcript.document()
        return Notes(run_id=self.transcript.run_id, transcript_digest=digest(document), notes=self.notes).document()


def header(debate: DebateSpec, run_id: str, created_at: str, run_metadata: RunMetadata) -> Transcript:
    """The transcript before the first turn."""
    models = {player.model for player in debate.players.values()} or {""}
    return Transcript(
        schema_version=SCHEMA_VERSION,
        debate_id=debate.debate_id,
        run_id=run_id,
        mode="in_loop" if debate.retries else "posthoc",
        created_at=created_at,
        run_metadata=run_metadata.model_copy(
            update={
                "protocol": debate.script_version,
                **_noted_file(debate),
                "global_model_name": (models.pop() or None) if len(models) == 1 else None,
            }
        ),
        debate_metadata=_about(debate),
        participants=[_participant(debate, seat) for seat in (*debate.seats, *debate.staff)],
        rounds=[],
    )


def _noted_file(debate: DebateSpec) -> dict[str, str]:
    file = debate.protocol_file
    return {"notes": f"protocol from a file of its own, sha256:{file.digest}"} if file else {}


def _about(debate: DebateSpec) -> DebateMetadata:
    about = DebateMetadata(task_type=debate.protocol, topic=debate.topic, language=debate.language)
    known = debate.scenario.model_dump(exclude_none=True) if debate.scenario else {}
    kept = {FIELD: debate.background.document()} if debate.background else {}
    noted = {"notes": f"documents sha256:{debate.documents.digest}"} if debate.documents else {}
    return about.model_copy(update={**known, **kept, **noted})


def _participant(debate: DebateSpec, seat: Seat) -> Participant:
    player = debate.cast.get(seat.id, Player())
    told = sha256(f"{seat.duty}\n{player.persona}".encode()).hexdigest()[:8]
    return Participant(
        agent_id=seat.id,
        role=seat.role,
        model_name=player.model or None,
        system_prompt_version=f"{debate.script_version}+{told}" if player.manners else None,
        tags=[*(["human"] if player.model == "human" else []), *(f"persona:{name}" for name in player.manners)] or None,
        team=seat.team or None,
        display_name=seat.name or None,
    )
