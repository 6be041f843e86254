"""From a finished debate to its judging: who judges, what is commissioned, and the judgement when it is over."""

from __future__ import annotations

from collections.abc import Mapping
from secrets import token_hex
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from hustings.core.card import Card
from hustings.core.debate import Debate, Proceedings
from hustings.core.errors import NotFound, Unsuitable
from hustings.core.judgement import Control, Judgement
from hustings.core.rubric import Rubric
from hustings.core.seats import SILENT_ROLES, Seat
from hustings.core.stage import Bench
from hustings.llm.endpoints import ACTORS
from hustings.llm.families import family
from hustings.llm.prices import must_be_known
from hustings.llm.voices import Voice, parse_voice, voice_of
from hustings.store.caps import Caps

from .clock import instant
from .commission import Commission
from .registry import find_protocol, find_rubric, find_script, rubrics
from .staging import plan, slug
from .wish import cast_with

Tier = Literal["quick", "standard", "strict"]
JUDGES: Mapping[Tier, int] = {"quick": 1, "standard": 3, "strict": 5}
"""How many judges a tier seats; each reads in two orders."""
TEMPERATURE = 0.2
"""Of a judge for whom nothing else was said."""


class JudgingWish(BaseModel):
    """How somebody wants a debate judged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    judges: tuple[str, ...] = Field(default=(), max_length=5)
    """Models; none: as the environment says, else those of the debate itself."""
    tier: Tier | None = None
    rubric: str = ""
    """Takes the place of the usual one of its kind."""
    settings: Mapping[str, JsonValue] = {}
    """Of the audit, such as policy, seed, options."""
    caps: Caps = Caps()
    seed: int | None = None
    seconds_per_call: Annotated[float, Field(gt=0)] = 120.0


def commission_judging(
    old: Commission, judged: Proceedings, wish: JudgingWish, environment: Mapping[str, str]
) -> Commission:
    """A judging of a debate that is over."""
    if old.debate.judged:
        cure = f"of {old.judged!r}: judge that one" if old.judged else "and no debate: judge one that is over"
        raise Unsuitable(f"{old.run_id!r} is itself an audit, {cure}")
    if fixed := sorted({"judges", "families", "debaters"} & wish.settings.keys()):
        raise Unsuitable(f"{', '.join(fixed)} cannot be set", fix="who judges is said by --judges and --tier")
    voices = panel(old, wish, environment)
    families: list[JsonValue] = [family(voice) for voice in voices]
    kin: list[JsonValue] = [*sorted({family(voice) for voice in debaters(old).values()})]
    settings = {"judges": len(voices), "families": families, "debaters": kin, **wish.settings}
    debate = audit("judging", old, judged, settings)
    rubric = wish.rubric or usual_rubric(judged)
    if rubric:
        find_rubric(rubric)
    debate = debate.model_copy(update={"rubric": rubric or None})
    seated = {seat.id: voices[max(n - 1, 0)] for n, seat in enumerate(debate.seats)}  # the clerk is the first judge
    return commissioned(old, debate, seated, wish)


def commission_control(
    old: Commission, judged: Proceedings, wish: JudgingWish, environment: Mapping[str, str], tokens: int
) -> Commission:
    """The debate's own voices, asked without a debate, for as many tokens as it took."""
    voices = list({voice.label: voice for voice in debaters(old).values()}.values()) or panel(old, wish, environment)
    labels: list[JsonValue] = [voice.label for voice in voices]
    settings: dict[str, JsonValue] = {"voices": labels, "debate_tokens": tokens}
    settings |= {name: value for name, value in wish.settings.items() if name == "options"}
    debate = audit("control", old, judged, settings)
    seated = {seat.id: voices[n] for n, seat in enumerate(debate.seats)}
    return commissioned(old, debate, seated, wish)


def audit(name: str, old: Commission, judged: Proceedings, settings: Mapping[str, JsonValue]) -> Debate:
    return plan(find_script(name), old.debate.topic, settings=settings, language=old.debate.language, judged=judged)


def commissioned(old: Commission, debate: Debate, voices: Mapping[str, Voice], wish: JudgingWish) -> Commission:
    run_id = f"{old.run_id[:90]}.{debate.protocol}-{token_hex(4)}"
    return Commission(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate, voices),
        model_specs=voices,
        created_at=instant(),
        owner=old.owner,
        caps=wish.caps,
        seed=wish.seed if wish.seed is not None else old.seed,
        seconds_per_call=wish.seconds_per_call,
        judged=old.run_id,
    )


def panel(old: Commission, wish: JudgingWish, environment: Mapping[str, str]) -> list[Voice]:
    """Those that were named, else those the environment names, else the debate's own, one of each family first."""
    flags = [parse_voice(name) for name in wish.judges]
    named = flags or _from_environment(environment) or _own(old)
    if any(voice.provider == "human" for voice in named):
        raise Unsuitable("a person cannot sit on a panel", fix="name models, for example --judges openai/gpt-4o-mini")
    if not named:
        raise Unsuitable("nobody can judge it", fix="name judges, for example --judges openai/gpt-4o-mini")
    count = JUDGES[wish.tier] if wish.tier else len(named)
    if len(flags) > count:
        raise Unsuitable(
            f"tier {wish.tier} seats {count}, and {len(flags)} judges were named", fix="leave one of both out"
        )
    seats = [Seat(f"judge_{n}", role="judge") for n in range(1, count + 1)]
    if flags:
        named = [voice_of(seat, environment, flag=flags[n % len(flags)]) for n, seat in enumerate(seats)]
    voices = [as_judge(named[n % len(named)]) for n in range(count)]
    for voice in voices:
        if voice.provider not in ACTORS:
            must_be_known(voice)
    return voices


def _from_environment(environment: Mapping[str, str]) -> list[Voice]:
    """Whoever is set up to judge: JUDGE_LLM_MODEL for one, JUDGE_1_LLM_MODEL and so on for each; no two alike."""
    seats = ["judge", *(f"judge_{n}" for n in range(1, JUDGES["strict"] + 1))]
    set_up = [seat for seat in seats if environment.get(f"{seat.upper()}_LLM_MODEL")]
    voices = [voice_of(Seat(seat, role="judge"), environment) for seat in set_up]
    return list({voice.label: voice for voice in voices}.values())


def _own(old: Commission) -> list[Voice]:
    """The debate's own voices, at most three, each family once."""
    voices: dict[str, Voice] = {}
    for voice in debaters(old).values():
        voices.setdefault(family(voice), voice)
    return list(voices.values())[: JUDGES["standard"]]


def debaters(commission: Commission) -> dict[str, Voice]:
    """Voices of the seats that spoke for a side."""
    speaking = {seat.id for seat in commission.debate.seats if seat.role not in SILENT_ROLES}
    return {seat: voice for seat, voice in commission.model_specs.items() if seat in speaking}


def as_judge(voice: Voice) -> Voice:
    return voice if voice.temperature is not None else voice.model_copy(update={"temperature": TEMPERATURE})


def usual_rubric(judged: Proceedings) -> str | None:
    """As the protocol says; one that is not installed any more says nothing."""
    try:
        return find_protocol((judged.transcript.run_metadata.protocol or "").partition("/")[0]).rubric
    except NotFound:
        return None


def commission_probing(model: str, wish: JudgingWish, environment: Mapping[str, str]) -> Commission:
    """A trial of one judge, on debates that were written for it."""
    from hustings.evaluate.planted import BASES, TOPIC, proceedings_of  # noqa: PLC0415  most runs are debates

    flag = parse_voice(model)
    if flag.provider == "human":
        raise Unsuitable("a person cannot be tried as a judge", fix="name a model, for example openai/gpt-5-mini")
    voice = as_judge(voice_of(Seat("judge_1", role="judge"), environment, flag=flag))
    if voice.provider not in ACTORS:
        must_be_known(voice)
    base = proceedings_of(BASES[0])
    debate = plan(find_script("probing"), TOPIC, settings=wish.settings, judged=base)
    run_id = f"audit-{slug(voice.label)}-{token_hex(4)}"
    return Commission(
        run_id=run_id,
        lineage=run_id,
        debate=cast_with(debate.model_copy(update={"rubric": "argument"}), {"judge_1": voice}),
        model_specs={"judge_1": voice},
        created_at=instant(),
        caps=wish.caps,
        seed=wish.seed,
        seconds_per_call=wish.seconds_per_call,
    )


def card_of(commission: Commission, proceedings: Proceedings) -> Card:
    """What a trial found of its judge."""
    from hustings.evaluate.audits.probing import Settings  # noqa: PLC0415  most runs are debates
    from hustings.evaluate.card import card  # noqa: PLC0415

    voice, settings = commission.model_specs["judge_1"], Settings.model_validate(commission.debate.settings)
    about = {"model": voice.label, "family": family(voice), "date": commission.created_at[:10]}
    return card(proceedings, settings, find_rubric("argument"), **about)


def judgement_of(debate: Debate, proceedings: Proceedings, control: Control | None = None) -> Judgement | None:
    """What a judging came to; none for whatever is no judging."""
    if debate.protocol != "judging" or debate.judged is None:
        return None
    from hustings.evaluate.conclude import conclude  # noqa: PLC0415  most runs are debates

    rubric: Any = find_rubric(debate.rubric) if debate.rubric else Rubric
    return conclude(debate, proceedings, Bench(debate.judged, rubrics()), rubric, control)
