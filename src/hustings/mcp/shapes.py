"""What the tools take and answer, and their list as an assistant reads it: short, since it reads it every time."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from mcp_types import Tool, ToolAnnotations
from pydantic import BaseModel, Field, WithJsonSchema, create_model

from hustings.runs.debate_fields import OPTIONS, DebateFields
from hustings.script.open_question import OpenQuestion

LONGEST_SECONDS = 45.0
"""Hosts cut a tool off after about a minute."""
MOST_FOUND = 8
RunName = Annotated[
    str, Field(min_length=1, max_length=128, description="Id of the debate, the start of it, or `last`.")
]
Part = Literal["briefing", "trace", "transcript"]
Steering = Literal["pause", "resume", "stop"]


class ToolArguments(BaseModel, frozen=True, extra="forbid"):
    """What a caller sends to a tool."""


def _argument(name: str, description: str) -> Any:
    """A field of a debate as an argument; its schema leaves out that it may be null, since an assistant reads it."""
    field = DebateFields.model_fields[name]
    if field.annotation is str:
        return Annotated[str, Field(max_length=2_000, description=description)], field.default
    kind = {"type": "number", "description": description}
    return Annotated[field.annotation, WithJsonSchema(kind)], field.default


RequestArguments = create_model(
    "RequestArguments",
    __base__=ToolArguments,
    **{name: _argument(name, option.tool) for name, option in OPTIONS.items() if option.tool and name != "question"},
)


class StartArguments(RequestArguments, frozen=True):
    question: Annotated[str, Field(min_length=1, max_length=2_000, description=OPTIONS["question"].tool)]
    brain: Annotated[
        Literal["models", "you"],
        Field(description="`models`: those set up here speak. `you`: you play every seat. No key needed."),
    ] = "models"

    @property
    def external(self) -> str | None:
        """The name of the caller's own model, if it plays the seats; None if models speak."""
        return vars(self)["model"] if self.brain == "you" else None

    @property
    def request_fields(self) -> dict[str, Any]:
        return {**self.model_dump(exclude={"brain"}), **({} if self.external is None else {"model": ""})}


class WaitArguments(ToolArguments, frozen=True):
    run_id: RunName
    seconds: Annotated[float, Field(ge=0, le=LONGEST_SECONDS, description="How long to wait for its end.")] = 30.0


class NextArguments(ToolArguments, frozen=True):
    run_id: RunName


class AnswerArguments(ToolArguments, frozen=True):
    run_id: RunName
    key: Annotated[str, Field(min_length=1, max_length=500, description="Of the question, from debate_next.")]
    words: Annotated[
        str,
        Field(
            min_length=1, max_length=100_000, description="Plain words, or one JSON object if the prompt asks for it."
        ),
    ]


class ResultArguments(ToolArguments, frozen=True):
    run_id: RunName
    part: Annotated[
        Part,
        Field(
            description="briefing: for who decides. trace: what happened to each argument. transcript: every word.",
        ),
    ] = "briefing"


class FindArguments(ToolArguments, frozen=True):
    words: Annotated[str, Field(max_length=200, description="Words of motion or speeches. Empty: the latest.")] = ""


class SteerArguments(ToolArguments, frozen=True):
    run_id: RunName
    what: Steering


class DebateAnswer(BaseModel, frozen=True):
    """How a debate stands."""

    run_id: str
    state: Literal["waiting", "running", "judging", "paused", "ended", "broken"]
    turns: int = 0
    speaking: tuple[str, ...] = ()
    spent_usd: Annotated[float | None, WithJsonSchema({"type": ["number", "null"]})] = 0.0
    """None: unknown, because the caller plays seats."""
    reason: str = ""
    outcome: str = ""
    recommendation: str = ""
    caveats: str = ""
    next: str


class WaveAnswer(BaseModel, frozen=True):
    """The questions that are open."""

    run_id: str
    questions: tuple[OpenQuestion, ...] = ()
    next: str


class TakenAnswer(BaseModel, frozen=True):
    """Whether an answer was taken."""

    taken: bool
    why: str = ""
    left: int = 0
    next: str


class EarlierDebate(BaseModel, frozen=True):
    run_id: str
    state: str
    outcome: str = ""
    motion: str


class FoundAnswer(BaseModel, frozen=True):
    """Earlier debates."""

    debates: tuple[EarlierDebate, ...]
    next: str


ToolAnswer = DebateAnswer | WaveAnswer | TakenAnswer | FoundAnswer | str

READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
SPENDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=True)
ARGUMENTS: dict[str, type[ToolArguments]] = {
    "debate_start": StartArguments,
    "debate_wait": WaitArguments,
    "debate_next": NextArguments,
    "debate_answer": AnswerArguments,
    "debate_result": ResultArguments,
    "debate_find": FindArguments,
    "debate_steer": SteerArguments,
}
_ABOUT: dict[str, tuple[str, ToolAnnotations, type[BaseModel] | None]] = {
    "debate_start": (
        "Start a debate on a decision worth several minutes. Answers at once with its id. The debate runs by itself.",
        SPENDS,
        DebateAnswer,
    ),
    "debate_wait": (
        "Wait for a debate and its judging. Answers when it is over or the time is up. Quote every caveat.",
        READS,
        DebateAnswer,
    ),
    "debate_next": (
        "Own brain: get the open questions. Answer each alone, from its prompt and nothing else of the debate.",
        WRITES,
        WaveAnswer,
    ),
    "debate_answer": (
        "Own brain: answer one question. What breaks a rule comes back with the reason. What is taken stands.",
        WRITES,
        TakenAnswer,
    ),
    "debate_result": ("Read a debate that is over.", READS, None),
    "debate_find": ("Find earlier debates. Look here first: it may have been debated.", READS, FoundAnswer),
    "debate_steer": ("Pause a debate, resume it, or stop it for good. What was said is kept.", WRITES, DebateAnswer),
}


def tools() -> list[Tool]:
    """The list of tools, from the shapes above."""
    return [
        Tool(
            name=name,
            description=about,
            annotations=hints,
            input_schema=_bare(ARGUMENTS[name].model_json_schema()),
            output_schema=_bare(answer.model_json_schema(mode="serialization")) if answer else None,
        )
        for name, (about, hints, answer) in _ABOUT.items()
    ]


def _bare(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without what pydantic adds for people: titles, docstrings of models, and defaults that mean nothing."""
    model = "properties" in schema
    kept = {
        key: value
        for key, value in schema.items()
        if key != "title" and (key, value) != ("default", None) and not (model and key == "description")
    }
    for inner in ("properties", "$defs"):
        if inner in kept:
            kept[inner] = {name: _bare(one) for name, one in kept[inner].items()}
    return kept
