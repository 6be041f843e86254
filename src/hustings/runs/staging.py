"""Plan a debate from a protocol and a topic, set up its stage and driver, rehearse it, and describe its protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import category

from pydantic import JsonValue, ValidationError
from pydantic_core import to_jsonable_python

from hustings.errors import SeatError, Unsuitable
from hustings.llm.improviser import Improviser
from hustings.script.calls import Call, DebateContext, Reply
from hustings.script.catalogue import Catalogue
from hustings.script.debate import DebateSpec, Player, Proceedings, Seat, Settings, header
from hustings.script.driver import Driver
from hustings.script.forms import complaints
from hustings.script.protocol import Protocol, SeatingContext
from hustings.script.recorder import Recorder
from hustings.script.rubric import Rubric
from hustings.script.stage import AuditSubject, Stage
from hustings.transcript.events import RecordEvent
from hustings.transcript.models import SAFE_ID, SILENT_ROLES, RunMetadata

from .registry import find_rubric, find_script, load_catalogue, rubrics

PROMPTS, PROMPTS_BEFORE_SECRETS = "2", "1"
"""Version of the common rules and of the prompt layout."""
REHEARSED = "rehearsal"
"""In place of a secret: a rehearsal's prompts reach no model, and are the same every time."""


def plan(
    protocol: Protocol,
    topic: str,
    *,
    settings: Mapping[str, JsonValue] | None = None,
    retries: int | None = None,
    language: str = "en",
    model: str = "",
    judged: Proceedings | None = None,
) -> DebateSpec:
    """Plan a debate on a topic, with default personalities in its seats; or an audit of a debate."""
    if not topic.strip():
        raise Unsuitable("there is nothing to debate", fix="give a topic in words")
    if "\0" in topic:  # not every database can store it
        raise Unsuitable("a topic cannot hold the character NUL", fix="leave it out")
    chosen, catalogue = settings_of(protocol, settings or {}), load_catalogue()
    table = protocol.seating(SeatingContext(chosen, topic, catalogue))
    must_be_sound(protocol, list(table))
    try:
        return DebateSpec(
            debate_id=f"{protocol.name}-{slug(topic)}",
            topic=topic,
            protocol=protocol.name,
            version=protocol.version,
            seats=tuple(table),
            cast={seat.id: seated(protocol, seat, player, catalogue, model) for seat, player in table.items()},
            language=language,
            rubric=protocol.rubric,
            retries=protocol.retries if retries is None else retries,
            settings=chosen.model_dump(mode="json"),
            judged=judged,
        )
    except ValidationError as error:
        raise Unsuitable(f"a debate under {protocol.name!r} cannot be had: {'; '.join(complaints(error))}") from None


def settings_of(protocol: Protocol, values: Mapping[str, JsonValue]) -> Settings:
    try:
        return protocol.settings.model_validate(values)
    except ValidationError as error:
        known = ", ".join(protocol.settings.model_fields) or "none"
        lines = zip(complaints(error), error.errors(), strict=False)
        why = "; ".join(_complaint(line, e["type"], e["input"], str(e["loc"][0])) for line, e in lines)
        raise Unsuitable(f"settings of {protocol.name!r}: {why}", fix=f"It has these: {known}") from None


def _complaint(line: str, trouble: str, value: object, name: str) -> str:
    """Add the rejected value, and how a list is written."""
    if trouble == "extra_forbidden":
        return f"there is no {name!r}"
    hint = " (a list is written like [1, 2])" if trouble == "tuple_type" else ""
    return f"{line}, not {str(value)[:60]!r}{hint}"


def seated(protocol: Protocol, seat: Seat, player: Player, catalogue: Catalogue, model: str) -> Player:
    """Who sits there: as the protocol says, else with the personality that the catalogue gives that seat."""
    defaults = catalogue.defaults.get(protocol.name)
    wanted = defaults.personalities.get(seat.id) if defaults else None
    persona = player.persona or (catalogue.personality(wanted).how if wanted else "")
    return Player(persona, player.model or model)


def must_be_sound(protocol: Protocol, seats: Sequence[Seat]) -> None:
    ids = [seat.id for seat in seats]
    wrong = [seat_id for seat_id in ids if not re.fullmatch(SAFE_ID, seat_id)]
    if wrong or len(set(ids)) < len(ids) or not ids:
        raise Unsuitable(f"the seats of {protocol.name!r} need ids of their own like 'pro_1', not {ids}")
    if not protocol.audit and sum(seat.role not in SILENT_ROLES for seat in seats) < 2:
        raise Unsuitable(
            f"{protocol.name!r} seats {len(ids)}, of whom fewer than two speak", fix="one voice is no debate"
        )
    for seat in seats:
        # Names appear in every prompt, outside the marks around untrusted words.
        if any(category(sign) in BREAKS for sign in seat.name):
            raise Unsuitable(
                f"nobody can sit in {seat.id!r} as {seat.name!r}", fix="a name is one line, without controls"
            )


def slug(text: str) -> str:
    """Turn the first words of a text into an id."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:6])[:60] or "debate"


def set_stage(
    debate: DebateSpec, run_id: str, created_at: str, metadata: RunMetadata, *, fence: str = ""
) -> tuple[Driver[Any], Stage[Any]]:
    protocol = find_script(debate.protocol)
    if protocol.version != debate.version:
        raise Unsuitable(
            f"this debate began under {debate.protocol}/{debate.version}, but version {protocol.version} is installed",
            fix="install the release it began with, or start it anew",
        )
    must_be_sound(protocol, debate.seats)
    settings = settings_of(protocol, debate.settings)
    known = {"prompt_bundle_version": PROMPTS if fence else PROMPTS_BEFORE_SECRETS, "order_regime": protocol.order}
    wanted = getattr(settings, "regime", None)
    known["prompt_regime"] = wanted if wanted in {"natural", "structured", "mixed"} else protocol.regime
    recorder = Recorder(header(debate, run_id, created_at, metadata.model_copy(update=known)))
    context = DebateContext(
        debate.protocol,
        debate.topic,
        protocol.rules,
        debate.seats,
        debate.language,
        run_id,
        fence,
        subject=protocol.audit,
    )
    subject = AuditSubject(debate.judged, rubrics()) if debate.judged else None
    stage = Stage(context, recorder, settings, find_rubric(debate.rubric) if debate.rubric else Rubric, subject)
    return Driver(protocol.play(stage), stage, retries=debate.retries), stage


def proceedings_of(driver: Driver[Any], stage: Stage[Any]) -> Proceedings:
    """What a finished debate produced."""
    if driver.ending is None:
        raise Unsuitable("the debate is not over", fix="resume it until no calls are left, or stop it")
    return Proceedings(
        transcript=stage.recorder.record.transcript,
        notes=tuple(stage.recorder.notes),
        result=to_jsonable_python(driver.result),
        ending=driver.ending,
    )


BREAKS = ("Cc", "Zl", "Zp")
"""Unicode categories of characters that end a line or control a terminal."""


Actor = Callable[[Call], Reply | SeatError]
"""Answers a call: a built-in actor, or any function of a call."""


@dataclass(frozen=True)
class Rehearsal:
    """Everything that happened in a rehearsal."""

    debate: DebateSpec
    waves: tuple[tuple[Call, ...], ...]
    proceedings: Proceedings
    events: tuple[RecordEvent, ...]

    @property
    def choreography(self) -> list[list[str]]:
        """The addresses of every wave."""
        return [[call.address for call in wave] for wave in self.waves]


def rehearse(debate: DebateSpec, actor: Actor, *, seed: int | None = None, how: str = "improvised") -> Rehearsal:
    metadata = RunMetadata(generation_mode=how, seed=seed)
    driver, stage = set_stage(debate, f"rehearsal-{debate.debate_id}", START, metadata, fence=REHEARSED)
    waves = play_out(driver, actor)
    return Rehearsal(debate, tuple(waves), proceedings_of(driver, stage), tuple(driver.events))


def play_out(driver: Driver[Any], actor: Actor) -> list[tuple[Call, ...]]:
    """Let an actor answer every call until none are left."""
    waves: list[tuple[Call, ...]] = []
    while calls := driver.calls:
        waves.append(tuple(calls))
        driver.resume([actor(call) for call in calls])
    return waves


START = "2026-01-01T00:00:00.000Z"


def described(protocol: Protocol) -> dict[str, Any]:
    debate = plan(protocol, topic_for(protocol))
    return {
        "name": protocol.name,
        "version": protocol.version,
        "summary": protocol.summary,
        "description": protocol.description,
        "seats": [{"id": s.id, "name": s.title, "team": s.team, "role": s.role} for s in debate.seats],
        "calls": calls(protocol),
        "retries": protocol.retries,
        "rubric": protocol.rubric,
        "order": protocol.order,
        "settings": protocol.settings.model_json_schema(),
    }


def calls(protocol: Protocol) -> int:
    """Number of calls with default settings, counted in a rehearsal."""
    return sum(map(len, rehearse(plan(protocol, topic_for(protocol)), Improviser()).waves))


def topic_for(protocol: Protocol) -> str:
    """The catalogue's topic for a protocol, else the first topic of the catalogue."""
    catalogue = load_catalogue()
    defaults = catalogue.defaults.get(protocol.name)
    return catalogue.topic(defaults.topic).text if defaults else catalogue.topics[0].text
