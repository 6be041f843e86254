"""Plan a debate from a protocol and a topic, set up its stage and driver, rehearse it, and describe its protocol."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import partial
from hashlib import sha256
from typing import Any, get_origin

from pydantic import JsonValue, ValidationError
from pydantic_core import to_jsonable_python

from hustings.errors import ScriptError, SeatError, Unsuitable
from hustings.judging.arguments import names
from hustings.llm import librarian
from hustings.llm.improviser import Improviser, tool_answer
from hustings.script.calls import PROMPTS, Call, DebateContext, Reply
from hustings.script.catalogue import Catalogue
from hustings.script.complaints import complaints
from hustings.script.debate import DebateSpec, Proceedings, header
from hustings.script.documents import NOTED, TextsOf, note_body
from hustings.script.driver import Driver
from hustings.script.protocol import Protocol, SeatingContext
from hustings.script.protocol_result import ProtocolResult, Section
from hustings.script.recorder import Recorder
from hustings.script.rubric import Rubric
from hustings.script.seats import LIBRARIAN, Player, Seat
from hustings.script.stage import AuditSubject, Settings, Stage
from hustings.script.tools import ROLE
from hustings.text.names import is_one_line
from hustings.text.words import called
from hustings.transcript.events import RecordEvent
from hustings.transcript.models import SAFE_ID, SILENT_ROLES, RunMetadata, Transcript
from hustings.transcript.notes import RULES

from .registry import find_rubric, load_catalogue, rubrics, script_of

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
        raise Unsuitable("the question is empty", fix="write a question or a statement")
    if "\0" in topic:  # not every database can store it
        raise Unsuitable("the question contains the character NUL", fix="remove it")
    chosen, catalogue = settings_of(protocol, settings or {}), load_catalogue()
    table = protocol.seating(SeatingContext(chosen, topic, catalogue))
    must_be_sound(protocol, list(table))
    try:
        planned = DebateSpec(
            debate_id=f"{protocol.name}-{slug(topic)}" if protocol.audit else question_id(topic),
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
            protocol_file=protocol.file,
        )
    except ValidationError as error:
        raise Unsuitable(f"can't start a {protocol.name} debate: {'; '.join(complaints(error))}") from None
    return planned.with_script(protocol) if protocol.file else planned


def settings_of(protocol: Protocol, values: Mapping[str, JsonValue]) -> Settings:
    try:
        return protocol.settings.model_validate(as_lists(protocol, values))
    except ValidationError as error:
        known = ", ".join(protocol.settings.model_fields) or "none"
        lines = zip(complaints(error), error.errors(), strict=False)
        fields = protocol.settings.model_fields
        why = "; ".join(
            f"unknown setting {e['loc'][0]!r}{_meant(str(e['loc'][0]), fields)}"
            if e["type"] == "extra_forbidden"
            else _complaint(line, e["type"], e["input"])
            for line, e in lines
        )
        raise Unsuitable(f"settings of {protocol.name!r}: {why}", fix=f"choose from {known}") from None


def as_lists(protocol: Protocol, values: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Settings in which lists that were written as text are lists."""
    fields = protocol.settings.model_fields
    lists = {name for name, field in fields.items() if get_origin(field.annotation) is tuple}
    return {name: listed(value) if name in lists else value for name, value in values.items()}


def listed(value: JsonValue) -> JsonValue:
    """A list written as text: `yes, no, later`, or `Ada: engineer, nuclear, Ben: nurse`, or one entry on each line."""
    if not isinstance(value, str):
        return value
    # A comma within a role separates nothing: behind one that does stands another name with a colon.
    parts = re.split(r"[,;\n](?=[^,;\n]*:)|\n" if ":" in value else r"[,;\n]", value)
    return [text for part in parts if (text := part.strip(" ,;\t\r"))]


def _meant(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, [*known], 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _complaint(line: str, trouble: str, value: object) -> str:
    """Add the rejected value, and how a list is written."""
    hint = " (a list is written like [1, 2])" if trouble == "tuple_type" else ""
    return f"{line}, not {str(value)[:60]!r}{hint}"


def seated(protocol: Protocol, seat: Seat, player: Player, catalogue: Catalogue, model: str) -> Player:
    """Who sits there: as the protocol says, else with the personality that the catalogue gives that seat."""
    defaults = catalogue.defaults.get(protocol.name)
    wanted = defaults.personalities.get(seat.id) if defaults else None
    if player.persona or not wanted:
        manners = player.manners or catalogue.manners_in(player.persona)
        return replace(player, model=player.model or model, manners=manners)
    return Player(catalogue.personality(wanted).how, player.model or model, player.manners or (wanted,))


def must_be_sound(protocol: Protocol, seats: Sequence[Seat]) -> None:
    ids = [seat.id for seat in seats]
    wrong = [seat_id for seat_id in ids if not re.fullmatch(SAFE_ID, seat_id)]
    if wrong or len(set(ids)) < len(ids) or not ids:
        raise Unsuitable(f"the seats of {protocol.name!r} need different ids such as 'pro_1', not {ids}")
    if not protocol.audit and sum(seat.role not in SILENT_ROLES for seat in seats) < 2:
        raise Unsuitable(
            f"{protocol.name!r} has fewer than two speakers among {len(ids)} seats", fix="seat at least two speakers"
        )
    for seat in seats:
        # Names appear in every prompt, outside the marks around untrusted words.
        if not is_one_line(seat.name):
            raise Unsuitable(
                f"{seat.name!r} can't be the name of seat {seat.id!r}", fix="use one line without control characters"
            )


def slug(text: str) -> str:
    """Turn the first words of a text into an id."""
    return "-".join(re.findall(r"[a-z0-9]+", text.lower())[:6])[:60] or "debate"


def question_id(topic: str, document: str = "") -> str:
    """An id for a question, whatever the protocol: its first words, and a digest of all of it and its document."""
    asked = " ".join(topic.casefold().split()) + (f"\n{document}" if document else "")
    digest = sha256(asked.encode("utf-8", "backslashreplace")).hexdigest()  # half a sign is refused later, in words
    return f"{slug(topic)}-{digest[:8]}"


def set_stage(
    debate: DebateSpec,
    run_id: str,
    created_at: str,
    metadata: RunMetadata,
    *,
    fence: str,
    texts: TextsOf | None = None,
) -> tuple[Driver[Any], Stage[Any]]:
    """The stage and the driver. Without the texts of its documents calls can be made out, but not their prompts."""
    protocol = script_of(debate)
    if protocol.version != debate.version:
        raise Unsuitable(
            f"this debate started with {debate.protocol}/{debate.version}, but version {protocol.version} is installed",
            fix="install the release it started with, or start a new debate",
        )
    must_be_sound(protocol, debate.seats)
    settings = settings_of(protocol, debate.settings)
    known = {"prompt_bundle_version": PROMPTS, "order_regime": protocol.order}
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
        table=protocol.table,
        subject=protocol.audit,
        background=debate.background,
        documents=debate.documents,
        texts=texts or {},
        titles_only=not protocol.reads_documents or _not_at_hand(debate),
        tools=debate.tools,
    )
    if debate.listed and not protocol.audit:
        recorder.note(NOTED, RULES, note_body(debate.listed))
    subject = AuditSubject(debate.judged, rubrics()) if debate.judged else None
    rubric = find_rubric(debate.rubric) if debate.rubric else Rubric
    stage = Stage(context, recorder, settings, rubric, subject)
    finish = partial(_finished, protocol, recorder.record.transcript)
    return Driver(protocol.play(stage), stage, retries=debate.retries, finish=finish), stage


@dataclass(frozen=True)
class ScriptResult:
    """What a script returned, and what its protocol makes of that."""

    result: Any = None
    decision: ProtocolResult | None = None
    sections: tuple[Section, ...] = ()


def _finished(protocol: Protocol, transcript: Transcript, result: Any) -> ScriptResult:
    """Ask the protocol what the return value of its script decides, and for its sections."""
    decision = protocol.judge_result(result) if protocol.judge_result else None
    if decision and decision.verdict is not None and decision.verdict not in (protocol.verdicts or {decision.verdict}):
        what = f"{decision.verdict!r} is none of the verdicts of {protocol.name!r}"
        raise ScriptError(what, fix=f"give one of {', '.join(protocol.verdicts)}")
    if protocol.describe_result is None:
        return ScriptResult(result, decision)
    by_id = names(transcript)
    sections = protocol.describe_result(result, lambda seat: by_id.get(seat) or called(seat))
    return ScriptResult(result, decision, tuple(sections))


def _not_at_hand(debate: DebateSpec) -> bool:
    """Whether an audit's documents had to be looked up, which nobody does in an audit."""
    return bool(debate.judged and debate.documents and debate.documents.look_ups)


def proceedings_of(driver: Driver[Any], stage: Stage[Any]) -> Proceedings:
    """What a finished debate produced."""
    if driver.ending is None:
        raise Unsuitable("the debate has not ended", fix="resume it to its end, or stop it")
    finished: ScriptResult = driver.result or ScriptResult()
    return Proceedings(
        transcript=stage.recorder.record.transcript,
        notes=tuple(stage.recorder.notes),
        result=to_jsonable_python(finished.result),
        ending=driver.ending,
        decision=finished.decision,
        sections=finished.sections,
    )


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


def rehearse(
    debate: DebateSpec,
    actor: Actor,
    *,
    seed: int | None = None,
    how: str = "improvised",
    texts: TextsOf | None = None,
) -> Rehearsal:
    metadata = RunMetadata(generation_mode=how, seed=seed)
    run_id = f"rehearsal-{debate.protocol}-{slug(debate.topic)}"
    driver, stage = set_stage(debate, run_id, START, metadata, fence=REHEARSED, texts=texts)
    waves = play_out(driver, actor)
    return Rehearsal(debate, tuple(waves), proceedings_of(driver, stage), tuple(driver.events))


def play_out(driver: Driver[Any], actor: Actor) -> list[tuple[Call, ...]]:
    """Let an actor answer every call until none are left; what the librarian is asked, it finds."""
    waves: list[tuple[Call, ...]] = []
    while calls := driver.calls:
        waves.append(tuple(calls))
        driver.resume([_staff(call) or actor(call) for call in calls])
    return waves


def _staff(call: Call) -> Reply | None:
    """The answer of a seat that no actor fills."""
    if call.seat == LIBRARIAN:
        return librarian.answer(call)
    return tool_answer(call) if call.seat.role == ROLE else None


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
