"""RunSpec: the frozen specification of a run, with its debate, the models in its seats, owner and caps.

It holds the names of keys, never a key, and it never changes: every worker, on any machine,
reads the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, Field

from hustings.db.caps import Caps, OnFailure
from hustings.errors import Unsuitable
from hustings.llm.endpoints import BUILT_IN, STAFF
from hustings.llm.model_spec import ModelSpec
from hustings.script.debate import DebateSpec
from hustings.script.documents import TextsOf
from hustings.script.seats import HOST
from hustings.transcript.empty_fields import OMIT_IF_EMPTY
from hustings.transcript.events import wave_of
from hustings.transcript.models import SAFE_ID, RunMetadata

if TYPE_CHECKING:
    from hustings.script.calls import Call


DAY = 86_400.0


def new_fence() -> str:
    """A secret that no author of a text can guess."""
    return token_hex(16)


HOSTED = "hosted"
"""How a run was made in which the program that calls hustings plays seats."""


class Inheritance(BaseModel, frozen=True, defer_build=True):
    """What a fork inherits: the answers of another lineage before a wave."""

    lineage: str
    before_wave: int


class ImportedFile(BaseModel, frozen=True, defer_build=True):
    """The file that a record was imported from."""

    name: str
    shape: str
    digest: str
    """SHA-256 of its bytes."""
    item: int = 1
    """Which of its debates, from 1."""
    remarks: tuple[str, ...] = ()
    """What was left out, joined or not known, in words."""


class RunSpec(BaseModel, frozen=True, defer_build=True):
    run_id: Annotated[str, Field(pattern=f"^{SAFE_ID}$")]
    lineage: str
    """Answers are stored under it: runs of one lineage never pay for the same call twice."""
    inherits: tuple[Inheritance, ...] = ()
    debate: DebateSpec
    model_specs: Mapping[str, ModelSpec]
    """Model by seat id. Seats of people have none."""
    default_model: Annotated[ModelSpec | None, OMIT_IF_EMPTY] = None
    """Judges, unless others are named, where only people speak."""
    created_at: str
    owner: str = "local"
    batch: str = ""
    caps: Caps = Field(default_factory=Caps)
    fence: str
    """Secret of the marks around what others said, drawn at random."""
    above: tuple[str, ...] = ()
    """Budgets of owner and day that hold the run's cap in money while it runs."""
    forked_from: str = ""
    judged: str = ""
    """Id of the run that an audit is about."""
    seed: int | None = None
    seconds_per_call: Annotated[float, Field(gt=0)] | None = None
    """For a whole answer, where a model's own settings say nothing. None: the default of its endpoint."""
    on_failure: OnFailure = "go-on"
    keep_reasoning: bool = False
    """Whether the transcript keeps what models thought, where their providers show it."""
    made: str = "live"
    """How its words come about."""
    imported: Annotated[ImportedFile | None, OMIT_IF_EMPTY] = None
    days_for_people: Annotated[float, Field(gt=0)] = 7.0
    """How long a person's seat waits for an answer."""
    texts: TextsOf = Field(default_factory=dict, exclude=True, repr=False)
    """Texts of the documents by id, as far as they were loaded. They are never part of the stored spec."""

    @property
    def budget_id(self) -> str:
        return f"run:{self.run_id}"

    @property
    def hosted(self) -> bool:
        """Whether the program that calls hustings plays seats of it: no worker can carry it out."""
        return self.made == HOSTED

    def with_texts(self, texts: TextsOf) -> RunSpec:
        """The same with the texts of its documents, each the one that was brought."""
        changed = self.debate.documents and self.debate.documents.changed(texts)
        if changed:
            raise Unsuitable(
                f"the text of {changed.id} is not the one that was brought to the debate",
                fix="restore the database from a backup, or start the debate again with its documents",
            )
        return self.model_copy(update={"texts": texts})

    def ancestors(self, call: Call) -> tuple[str, ...]:
        """Lineages whose answer to a call is valid here."""
        wave = wave_of(call.address)
        return tuple(kin.lineage for kin in self.inherits if wave < kin.before_wave)

    @property
    def metadata(self) -> RunMetadata:
        common = {name: _common(self.model_specs.values(), name) for name in ("temperature", "max_tokens")}
        return RunMetadata(generation_mode=self.made, seed=self.seed, **common)


def how_made(players: Iterable[str]) -> str:
    """How words come about, by who speaks: `live` from models and people, `improvised`, `mixed`, or `hosted`."""
    speaking = [player for player in players if player not in STAFF]
    if HOST in speaking:
        return HOSTED
    improvised = {player == "improviser" for player in speaking}
    return {frozenset({True}): "improvised", frozenset({True, False}): "mixed"}.get(frozenset(improvised), "live")


def _common(model_specs: Iterable[ModelSpec], name: str) -> Any:
    """A setting that all models share; None if they differ, or nobody set it."""
    values = {getattr(model_spec, name) for model_spec in model_specs if model_spec.provider not in BUILT_IN}
    return values.pop() if len(values) == 1 else None
