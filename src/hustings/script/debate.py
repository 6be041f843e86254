"""The specification of a debate (`DebateSpec`): settings, seats and players; and what remains of it (`Proceedings`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from hustings.transcript.canonical import digest, sealed
from hustings.transcript.models import (
    SAFE_ID,
    SCHEMA_VERSION,
    DebateMetadata,
    Participant,
    RunMetadata,
    Transcript,
)
from hustings.transcript.notes import Ending, Note, Notes


class Settings(BaseModel):
    """No settings at all; protocols add their own fields, each with its bounds and a sentence."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


@dataclass(frozen=True)
class Seat:
    """A place at the table; all a script knows of a speaker."""

    id: str
    team: str = ""
    role: str = "debater"
    name: str = ""
    duty: str = ""
    """What this seat is there to do, in words addressed to its player."""

    def __str__(self) -> str:
        return self.id

    @property
    def title(self) -> str:
        return self.name or self.id


@dataclass(frozen=True)
class Player:
    """Who sits in a seat: a model or a person, and how they argue."""

    persona: str = ""
    """How they argue: a personality or a lens, in words addressed to them."""
    model: str = ""
    """`provider/model`, `human`, or the name of a shipped actor."""


def pick(seats: Sequence[Seat], request: str) -> Seat:
    """The requested seat, if it is among these; otherwise the first."""
    return next((seat for seat in seats if seat.id == request), seats[0])


Language = Annotated[str, Field(pattern=r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]
"""A tag like `en`, `de-CH` or `zh-Hant` (BCP 47)."""


class DebateSpec(BaseModel, frozen=True):
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


class Proceedings(BaseModel, frozen=True):
    """What was said, what was thought, what the script returned, and how it ended."""

    transcript: Transcript
    notes: tuple[Note, ...]
    result: JsonValue
    ending: Ending

    def document(self) -> dict[str, Any]:
        """The transcript as it is written to a file: sealed with its digest."""
        return sealed(self.transcript.document())

    def notes_document(self) -> dict[str, Any]:
        document = self.transcript.document()
        return Notes(run_id=self.transcript.run_id, transcript_digest=digest(document), notes=self.notes).document()


DebateSpec.model_rebuild()


def header(debate: DebateSpec, run_id: str, created_at: str, run_metadata: RunMetadata) -> Transcript:
    """The transcript before the first turn."""
    models = {player.model for player in debate.cast.values()} or {""}
    return Transcript(
        schema_version=SCHEMA_VERSION,
        debate_id=debate.debate_id,
        run_id=run_id,
        mode="in_loop" if debate.retries else "posthoc",
        created_at=created_at,
        run_metadata=run_metadata.model_copy(
            update={
                "protocol": f"{debate.protocol}/{debate.version}",
                "global_model_name": (models.pop() or None) if len(models) == 1 else None,
            }
        ),
        debate_metadata=DebateMetadata(task_type=debate.protocol, topic=debate.topic, language=debate.language),
        participants=[_participant(seat, debate.cast.get(seat.id, Player())) for seat in debate.seats],
        rounds=[],
    )


def _participant(seat: Seat, player: Player) -> Participant:
    return Participant(
        agent_id=seat.id,
        role=seat.role,
        model_name=player.model or None,
        tags=["human"] if player.model == "human" else None,
        team=seat.team or None,
        display_name=seat.name or None,
    )
