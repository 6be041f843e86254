"""Routes of the recorded debates in the package: list them, read one, and read its events. No model is called."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from hustings.report.view import View, view
from hustings.runs.recording import Came, Head, Recording, load, name_of, packaged, peek
from hustings.web.problems import Refused
from hustings.web.schemas import Id
from hustings.web.server_state import Context

router = APIRouter(tags=["samples"])
RecordingName = Annotated[Id, Path()]


class RecordingCard(BaseModel, frozen=True):
    """A recorded debate, as a list shows it."""

    name: str
    protocol: str
    """Without its version."""
    topic: str
    """The question, without the documents that came with it."""
    language: str
    seats: int
    models: tuple[str, ...]
    """Models that spoke, each once; empty if every speaker says what was written for it."""
    written: bool
    """Whether we wrote what is said."""
    judged: bool
    seconds: float
    """From the first call to the end."""
    note: str


class RecordedDebate(BaseModel, frozen=True):
    card: RecordingCard
    view: View


@router.get("/recordings")
def recordings(context: Context) -> tuple[RecordingCard, ...]:  # noqa: ARG001  every route has one
    """List the recorded debates that come with the package."""
    return tuple(_cards().values())


@router.get("/recordings/{name}")
async def recording(context: Context, name: RecordingName) -> RecordedDebate:
    """A recorded debate, as the view of a finished debate."""
    return await context.state.heavily(lambda: _read(_known(name)))


@router.get("/recordings/{name}/events")
async def recorded_events(context: Context, name: RecordingName) -> tuple[Came, ...]:
    """The events of a recorded debate, each with the second at which it came."""
    return await context.state.heavily(lambda: _loaded(_known(name)).events)


def _known(name: str) -> str:
    if name not in _cards():
        raise Refused(404, "There is no recording of that name.", fix=f"Choose from {', '.join(_cards())}.")
    return name


@cache
def _cards() -> Mapping[str, RecordingCard]:
    heads = {name_of(file): peek(file.read_bytes(), file.name) for file in packaged()}
    return {name: _card(name, head) for name, head in heads.items()}


def _card(name: str, head: Head) -> RecordingCard:
    return RecordingCard(
        name=name,
        protocol=head.protocol.partition("/")[0],
        topic=head.topic.partition("\n")[0],
        language=head.language,
        seats=len(head.models),
        models=() if head.written else tuple(dict.fromkeys(filter(None, head.models.values()))),
        written=head.written,
        judged=bool(head.judges),
        seconds=head.seconds,
        note=head.note,
    )


@cache
def _loaded(name: str) -> Recording:
    file = next(file for file in packaged() if name_of(file) == name)
    return load(file.read_bytes(), file.name)


@cache
def _read(name: str) -> RecordedDebate:
    return RecordedDebate(card=_cards()[name], view=view(_loaded(name).dossier))
