"""Read the sources of a sample debate: its documents, its words, and the marks of its judges."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from hustings.config.documents import further_document
from hustings.lab.gold import GoldDebate, GoldStance, spec_of
from hustings.script.background import Background
from hustings.script.debate import DebateSpec
from hustings.script.documents import Documents, DocumentText, TextsOf, laid_down

SOURCES = Path(__file__).parent.parent / "samples"


class Ground(BaseModel, frozen=True):
    """The words a mark rests on, and why."""

    model_config = ConfigDict(extra="forbid")

    quote: str
    why: str = ""


class WrittenFlag(BaseModel, frozen=True):
    """A fallacy or a broken rule, and the judges who saw it."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    quote: str
    judges: tuple[str, ...]


class WrittenMarks(BaseModel, frozen=True):
    """Marks for one thing by three judges, each in two orders: A and A again, B and B again, C and C again."""

    model_config = ConfigDict(extra="forbid")

    scores: dict[str, tuple[int, int, int, int, int, int]]
    because: dict[str, tuple[Ground, ...]]
    """By dimension, `all` for those without their own; the judges take turns where there are several."""
    flags: tuple[WrittenFlag, ...] = ()
    same_point_as: str = ""


class WrittenJudging(BaseModel, frozen=True):
    """What the clerk draws from a debate in plain words, how the panel reads its stances, and its marks."""

    model_config = ConfigDict(extra="forbid")

    claims: dict[str, Any] = {}
    relations: dict[str, Any] = {}
    stances: dict[str, GoldStance] = {}
    marks: dict[str, WrittenMarks] = Field(default_factory=dict[str, WrittenMarks])
    quotes: dict[str, str] = {}
    """Quote of an argument to how far it supports it, by the three judges: `PRO-1/2` to `fully partly not`."""


@dataclass(frozen=True)
class Sample:
    name: str
    debate: GoldDebate
    paper: str
    """What everybody at the table may quote."""
    judging: WrittenJudging
    names: Mapping[str, str]
    """Seat to the name of its speaker, where the protocol gives none."""
    enclosed: tuple[DocumentText, ...] = ()
    """Further documents, for all seats or for some."""

    @cached_property
    def laid_down(self) -> tuple[Documents | None, TextsOf]:
        """The further documents, which follow the background, and their texts."""
        return laid_down(self.enclosed, first=2)

    @property
    def about(self) -> dict[str, Any]:
        """The fields of a debate that hold the question and the paper."""
        title = self.paper.partition("\n")[0].lstrip("# ")
        return {"topic": self.debate.motion, "background": Background(title=title, text=self.paper)}

    @cached_property
    def spec(self) -> DebateSpec:
        planned = spec_of(self.debate)
        seats = tuple(replace(seat, name=self.names.get(seat.id, seat.name)) for seat in planned.seats)
        change = {"debate_id": self.name, "seats": seats, "documents": self.laid_down[0], **self.about}
        return planned.model_copy(update=change)


def read_sample(name: str) -> Sample:
    folder = SOURCES / name
    written: dict[str, Any] = tomllib.loads((folder / "debate.toml").read_text("utf-8"))
    judging = WrittenJudging.model_validate(tomllib.loads((folder / "judging.toml").read_text("utf-8")))
    names = written.pop("names", {})
    enclosed = tuple(further_document(file, folder) for file in written.pop("documents", ()))
    written["said"] = list(_in_full(written["said"]))
    said_and_drawn = {"claims": judging.claims, "relations": judging.relations, "stances": judging.stances}
    debate = GoldDebate.model_validate({"name": name, **written, **said_and_drawn})
    return Sample(name, debate, (folder / "background.md").read_text("utf-8").strip(), judging, names, enclosed)


def _in_full(said: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Every answer in full; `again` is the last one of its seat, which was sent back, with some words changed."""
    last: dict[str, dict[str, Any]] = {}
    for answer in said:
        seat = answer["seat"]
        last[seat] = _changed(last[seat], answer["again"]) if "again" in answer else answer
        yield last[seat]


def _changed(answer: dict[str, Any], changes: Iterable[Mapping[str, str]]) -> dict[str, Any]:
    told = json.dumps(answer, ensure_ascii=False)
    for change in changes:
        was, now = (json.dumps(change[key], ensure_ascii=False)[1:-1] for key in ("was", "now"))
        if was not in told:
            raise LookupError(f"{answer['seat']} did not say {change['was']!r} before")
        told = told.replace(was, now)
    return json.loads(told)
