"""Specs of judgings, controls and summaries: seat a panel, build the run spec, compute the judgement."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from hustings.db.caps import Caps
from hustings.db.instants import instant
from hustings.errors import NoJudges, NotFound, Unsuitable
from hustings.judging.arguments import arguments_of
from hustings.judging.audits.judging import LONGEST_FAMILY, MOST_FAMILIES, UNKNOWN_FAMILY
from hustings.judging.build_judgement import build_judgement
from hustings.judging.dossier import Dossier
from hustings.judging.executive_summary import findings
from hustings.judging.judgement import Control, Judgement
from hustings.llm.endpoints import BUILT_IN
from hustings.llm.model_spec import ModelSpec, family, model_spec_of, parse_model_spec
from hustings.llm.prices import must_be_known
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.rubric import Rubric
from hustings.script.seats import HOST, Seat
from hustings.script.stage import AuditSubject
from hustings.transcript.models import SILENT_ROLES, Participant

from .registry import find_protocol, find_rubric, find_script, rubrics
from .request import cast_with
from .spec import RunSpec, how_made, new_fence
from .staging import plan

Tier = Literal["quick", "standard", "strict"]
JUDGES: Mapping[Tier, int] = {"quick": 1, "standard": 3, "strict": 5}
"""Judges per tier; each judge reads in two orders."""
TEMPERATURE = 0.2
"""Of a judge without a configured temperature."""


class JudgingRequest(BaseModel, defer_build=True):
    """How the user wants a debate judged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judges: tuple[str, ...] = Field(default=(), max_length=5)
    """Models. Empty: those that the environment names, else those of the debate itself."""
    tier: Tier | None = None
    rubric: str = ""
    """Replaces the usual rubric."""
    settings: Mapping[str, JsonValue] = {}
    """Settings of the audit, such as seed, options."""
    caps: Caps = Caps()
    seed: int | None = None
    seconds_per_call: Annotated[float, Field(gt=0)] | None = None


def judging_spec(old: RunSpec, judged: Proceedings, request: JudgingRequest, environment: Mapping[str, str]) -> RunSpec:
    """Build the spec of a judging of a finished debate."""
    if old.debate.judged:
        cure = f"of {old.judged!r}: judge that one" if old.judged else "not a debate. Judge a finished debate"
        raise Unsuitable(f"{old.run_id!r} is a judging or comparison, {cure}")
    _must_have_words(old, judged)
    if fixed := sorted({"judges", "families", "debaters"} & request.settings.keys()):
        raise Unsuitable(f"{', '.join(fixed)} can't be set here", fix="choose judges with --judges and --tier")
    model_specs = panel(old, request, environment)
    families: list[JsonValue] = [family(model_spec) for model_spec in model_specs]
    kin: list[JsonValue] = [*kin_of(old, judged)]
    settings = {"judges": len(model_specs), "families": families, "debaters": kin, **request.settings}
    debate = audit("judging", old, judged, settings)
    rubric = request.rubric or (old.debate.rubric if old.debate.protocol_file else usual_rubric(judged))
    if rubric:
        find_rubric(rubric)
    debate = debate.model_copy(update={"rubric": rubric or None})
    seated = {
        seat.id: model_specs[max(n - 1, 0)] for n, seat in enumerate(debate.seats)
    }  # the clerk is the first judge
    return spec_from(old, debate, seated, request).model_copy(update={"on_failure": old.on_failure})


def _must_have_words(old: RunSpec, judged: Proceedings) -> None:
    if not any(turn.said for turn in judged.transcript.turns):
        raise Unsuitable(f"nobody said a word in {old.run_id!r}", fix=f"hold it again: hustings fork {old.run_id}")


def control_spec(
    old: RunSpec, judged: Proceedings, request: JudgingRequest, environment: Mapping[str, str], tokens: int
) -> RunSpec:
    """Build the spec of a control: the debate's own models without a debate, for as many tokens as it used."""
    _must_have_words(old, judged)
    if old.imported:
        raise Unsuitable(
            f"{old.run_id!r} was imported, and a control asks the debate's own models", fix="judge it without a control"
        )
    model_specs = list({model_spec.label: model_spec for model_spec in debaters(old).values()}.values()) or panel(
        old, request, environment
    )
    labels: list[JsonValue] = [model_spec.label for model_spec in model_specs]
    settings: dict[str, JsonValue] = {"voices": labels, "debate_tokens": tokens}
    settings |= {name: value for name, value in request.settings.items() if name == "options"}
    debate = audit("control", old, judged, settings)
    seated = {seat.id: model_specs[n] for n, seat in enumerate(debate.seats)}
    return spec_from(old, debate, seated, request)


def summary_spec(
    old: RunSpec, judged: Proceedings, judging: RunSpec, found: Judgement | None, request: JudgingRequest
) -> RunSpec:
    """Build the spec of an executive summary: the first judge's model writes it from what judging found."""
    settings: dict[str, JsonValue] = {"judging": judging.run_id}
    if found:
        case = arguments_of(Dossier(proceedings=judged, judgement=found))
        settings["findings"] = [finding.model_dump(mode="json") for finding in findings(found, case)]
        settings |= {"verdict": found.briefing.bottom_line, "decided": found.outcome.kind == "decided"}
    debate = audit("summary", old, judged, settings)
    writer = {"writer": next(iter(judging.model_specs.values()))}
    return spec_from(old, debate, writer, request).model_copy(update={"on_failure": old.on_failure})


def audit(name: str, old: RunSpec, judged: Proceedings, settings: Mapping[str, JsonValue]) -> DebateSpec:
    debate = old.debate
    planned = plan(find_script(name), debate.topic, settings=settings, language=debate.language, judged=judged)
    documents = debate.documents and debate.documents.for_all()
    return planned.model_copy(update={"background": debate.background, "documents": documents})


def spec_from(
    old: RunSpec, debate: DebateSpec, model_specs: Mapping[str, ModelSpec], request: JudgingRequest
) -> RunSpec:
    documents = debate.documents
    run_id = f"{old.run_id[:90]}.{debate.protocol}-{token_hex(4)}"
    return RunSpec(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate, model_specs),
        model_specs=model_specs,
        created_at=instant(),
        fence=new_fence(),
        owner=old.owner,
        batch=old.batch,
        caps=request.caps,
        seed=request.seed if request.seed is not None else old.seed,
        seconds_per_call=request.seconds_per_call,
        judged=old.run_id,
        texts={one.id: old.texts[one.id] for one in documents.each if one.id in old.texts} if documents else {},
        made=how_made(model_spec.provider for model_spec in model_specs.values()),
    )


def panel(old: RunSpec, request: JudgingRequest, environment: Mapping[str, str]) -> list[ModelSpec]:
    """Models of the judges: those named, else those in the environment, else the debate's own, one per family."""
    flags = [parse_model_spec(name) for name in request.judges]
    named = flags or _from_environment(environment) or _own(old)
    if any(model_spec.provider == "human" for model_spec in named):
        raise Unsuitable("people can't be judges here", fix="name models, for example --judges openai/gpt-4o-mini")
    if not named:
        raise NoJudges("no judges available", fix="name judges, for example --judges openai/gpt-4o-mini")
    count = JUDGES[request.tier] if request.tier else len(named)
    if len(flags) > count:
        raise Unsuitable(f"you named {len(flags)} judges, and tier {request.tier} has {count}", fix="drop one of them")
    seats = [Seat(f"judge_{n}", role="judge") for n in range(1, count + 1)]
    if flags:
        named = [model_spec_of(seat, environment, flag=flags[n % len(flags)]) for n, seat in enumerate(seats)]
    model_specs = [as_judge(named[n % len(named)]) for n in range(count)]
    _must_be_one_host(model_specs)
    for model_spec in model_specs:
        if model_spec.provider not in BUILT_IN:
            must_be_known(model_spec)
    return model_specs


def _must_be_one_host(model_specs: Sequence[ModelSpec]) -> None:
    """Refuse two judges played by the program that calls hustings: under two names it is still one mind."""
    hosted = [model_spec.label for model_spec in model_specs if model_spec.provider == HOST]
    if len(hosted) > 1:
        raise Unsuitable(
            f"{len(hosted)} judges would be played by the host ({', '.join(dict.fromkeys(hosted))})",
            why="one program answers for all of them, so they would count as two opinions and be one",
            fix="name the host once, as --judges host or beside models: --judges host,openai/gpt-5-mini",
        )


def _from_environment(environment: Mapping[str, str]) -> list[ModelSpec]:
    """Models configured for judging: JUDGE_LLM_MODEL for all, JUDGE_1_LLM_MODEL and so on for each; no duplicates."""
    seats = ["judge", *(f"judge_{n}" for n in range(1, JUDGES["strict"] + 1))]
    set_up = [seat for seat in seats if environment.get(f"{seat.upper()}_LLM_MODEL")]
    model_specs = [model_spec_of(Seat(seat, role="judge"), environment) for seat in set_up]
    return list({model_spec.label: model_spec for model_spec in model_specs}.values())


def _own(old: RunSpec) -> list[ModelSpec]:
    """The debate's own models, at most three, one per family; its default model where only people spoke."""
    model_specs: dict[str, ModelSpec] = {}
    for model_spec in debaters(old).values():
        model_specs.setdefault(family(model_spec), model_spec)
    usual = [old.default_model] if old.default_model else []
    return list(model_specs.values())[: JUDGES["standard"]] or usual


def debaters(spec: RunSpec) -> dict[str, ModelSpec]:
    """Models of the seats that spoke for a side."""
    speaking = {seat.id for seat in spec.debate.seats if seat.role not in SILENT_ROLES}
    return {seat: model_spec for seat, model_spec in spec.model_specs.items() if seat in speaking}


def kin_of(old: RunSpec, judged: Proceedings) -> list[str]:
    """Families of the models that spoke. An imported debate has none but those that its transcript names."""
    if old.imported is None:
        return sorted({family(model_spec) for model_spec in debaters(old).values()})
    speaking = [seat for seat in judged.transcript.participants if seat.role not in SILENT_ROLES]
    names = [seat.model_name for seat in speaking if not is_person(seat)]
    found = {family(ModelSpec(model=name))[:LONGEST_FAMILY] if name else UNKNOWN_FAMILY for name in names}
    return sorted(found, key=lambda one: (one != UNKNOWN_FAMILY, one))[:MOST_FAMILIES]


def is_person(seat: Participant) -> bool:
    return seat.model_name == "human" or "human" in (seat.tags or ())


def as_judge(model_spec: ModelSpec) -> ModelSpec:
    return (
        model_spec if model_spec.temperature is not None else model_spec.model_copy(update={"temperature": TEMPERATURE})
    )


def usual_rubric(judged: Proceedings) -> str | None:
    """The protocol's rubric; None if the protocol is not installed any more."""
    try:
        return find_protocol((judged.transcript.run_metadata.protocol or "").partition("/")[0]).rubric
    except NotFound:
        return None


def judgement_of(debate: DebateSpec, proceedings: Proceedings, control: Control | None = None) -> Judgement | None:
    """Judgement of a judging; None for any other run."""
    if debate.protocol != "judging" or debate.judged is None:
        return None

    rubric: Any = find_rubric(debate.rubric) if debate.rubric else Rubric
    return build_judgement(debate, proceedings, AuditSubject(debate.judged, rubrics()), rubric, control)
