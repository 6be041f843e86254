"""Turns a request into a run that can be carried out, or says what is wrong: the same checks for every way in.

It spends nothing and calls no model.
"""

from __future__ import annotations

import socket
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import JsonValue, SecretStr

from hustings.db.caps import MICRO
from hustings.errors import Unreachable, Unsuitable
from hustings.llm.endpoints import BUILT_IN, COMMAND, on_loopback
from hustings.llm.environment import Environment, layered
from hustings.llm.local_servers import LocalServer, Port, ask_one, find, port_of
from hustings.llm.model_spec import ModelSpec, must_not_divert, resolve
from hustings.runs.estimate import AuditRequests, estimate, estimate_audits
from hustings.runs.evaluation_spec import EvaluationRequest, evaluation_spec
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps
from hustings.runs.judging_spec import control_spec, judging_spec, panel
from hustings.runs.keep_patience import with_patience_of
from hustings.runs.registry import script_of
from hustings.runs.request import DebateRequest, build_spec, flags_for, lacks_model, with_external_player
from hustings.runs.spec import RunSpec
from hustings.text.figures import dollars, limit_in_dollars

from .models import choose
from .own_catalogue import with_entries
from .variables import with_default

if TYPE_CHECKING:
    from hustings.runs.estimate import Estimate
    from hustings.runs.queries import RunQueries


@dataclass(frozen=True)
class RunPlan:
    """A run that can be carried out, and what follows it."""

    spec: RunSpec
    follow_ups: FollowUps
    environment: Environment
    """The settings, with a model found here if the request named none."""
    remarks: tuple[str, ...] = ()
    """What the user should hear."""


def plan_run(
    request: DebateRequest,
    environment: Mapping[str, str],
    *,
    external: str | None = None,
    for_estimate: bool = False,
    check_servers: bool = True,
    **more: Any,
) -> RunPlan:
    """Turn a request into a run that can be carried out, or say what is wrong.

    `external` is the name of the calling program's own model, if that plays the seats that have no other: then nothing
    follows by itself. An estimate needs neither keys nor prices, servers or judges. `more` are fields of the run spec:
    owner, batch.
    """
    follow_ups = FollowUps.of_request(request) if external is None else NO_FOLLOW_UPS
    request, environment = with_entries(request), layered(environment)
    if external is not None:
        request = with_external_player(request, external)
    remarks: tuple[str, ...] = ()
    if needs_model(request, environment):
        environment, sentence = with_model_found_here(environment)
        remarks = (sentence,)
    spec = build_spec(request, environment, for_estimate=for_estimate, **more)
    if request.temperature is not None:
        spec = with_temperature(spec, request, environment)
    plan = RunPlan(spec, follow_ups, environment, remarks)
    return _check(plan, request.settings, for_estimate=for_estimate, check_servers=check_servers)


def plan_fork(
    old: RunSpec,
    new: RunSpec,
    environment: Environment,
    follow_ups: FollowUps = NO_FOLLOW_UPS,
    *,
    settings: Collection[str] = (),
) -> RunPlan:
    """Check a run that was made from another one as if it had been requested. `settings` are those that it changes.

    A figure that went by the budget of the old run goes by the new one's; one that was set for the old run stays.
    """
    budget = script_of(new.debate).settings.model_fields.get("budget")
    fixed = {*settings}
    if budget and old.debate.settings.get("budget") not in {_dollars(old), budget.default}:
        fixed.add("budget")
    if new.model_specs == old.model_specs:
        fixed.add("extended_cost")
    return _check(RunPlan(new, follow_ups, environment), fixed)


def _check(
    plan: RunPlan, settings: Collection[str], *, for_estimate: bool = False, check_servers: bool = True
) -> RunPlan:
    """The checks that need no request. `settings` are the protocol's settings that somebody chose."""
    spec = follow_budget(affordable(plan.spec, plan.environment), settings)
    if not for_estimate:
        must_have_judges(spec, plan.follow_ups, plan.environment)
        if check_servers:
            must_be_there(spec.model_specs.values())
    return replace(plan, spec=spec)


USUAL_BUDGET = 1_000_000
"""Budget in millionths of a dollar for a run that costs money and names no budget."""


def affordable(spec: RunSpec, known: Environment) -> RunSpec:
    """Return the run spec with a budget if it costs money and has none, and with today's time limits.

    Refuse diverted keys.
    """
    for model_spec in spec.model_specs.values():
        must_not_divert(model_spec, known)
    spec, caps = with_patience_of(spec, known), spec.caps
    if caps.money is not None or all(model_spec.free for model_spec in spec.model_specs.values()):
        return spec
    return spec.model_copy(update={"caps": caps.model_copy(update={"money": USUAL_BUDGET})})


def follow_budget(spec: RunSpec, settings: Collection[str]) -> RunSpec:
    """Tell a protocol that goes by its budget what the run may cost, and what it costs with all seats.

    Figures among the `settings` that somebody chose stay.
    """
    debate = spec.debate
    open_figures = ({"budget", "extended_cost"} & debate.settings.keys()) - {*settings}
    if not open_figures:
        return spec
    change: dict[str, JsonValue] = {}
    if "budget" in open_figures and spec.caps.money is not None:
        change["budget"] = _dollars(spec)
    if "extended_cost" in open_figures:
        all_seats = {**debate.settings, "stakes": "critical", "extended_cost": 0.0}
        fields = script_of(debate).settings.model_fields
        all_seats |= {"extent": "extended"} if "extent" in fields else {}
        # What a fork inherits is free for it, but was paid by the debate whose cost this is.
        change_to_all = {"debate": debate.model_copy(update={"settings": all_seats}), "inherits": ()}
        extended = spec.model_copy(update=change_to_all)
        expected = estimate(extended, bounds=False).expected
        change |= {} if expected.unpriced else {"extended_cost": round(expected.money / MICRO, 4)}
    with_figures = {**debate.settings, **change}
    _must_afford(with_figures)
    return spec.model_copy(update={"debate": debate.model_copy(update={"settings": with_figures})})


def _dollars(spec: RunSpec) -> float | None:
    return None if spec.caps.money is None else spec.caps.money / MICRO


def _must_afford(settings: Mapping[str, JsonValue]) -> None:
    """Refuse a debate with all seats that were asked for, if its budget cannot pay for them."""
    match settings:
        case {"extent": "extended", "budget": float(budget), "extended_cost": float(cost)} if cost > budget:
            raise Unsuitable(
                f"all seats would cost about ${dollars(cost)}, and the debate may cost ${limit_in_dollars(budget)}",
                fix="raise --budget, choose cheaper models, or --set extent=standard",
            )
        case _:
            return


PATIENCE = 2.0
"""Seconds that a local server has to list its models."""


FOR_ALL = frozenset({"LLM_TEMPERATURE", "[llm] temperature"})
"""Settings of the temperature that are for no seat, team or role in particular."""


def with_temperature(spec: RunSpec, request: DebateRequest, environment: Environment) -> RunSpec:
    """Give the temperature of a request to all seats whose own is not set."""
    flags, model_specs = flags_for(spec.debate, request), dict(spec.model_specs)
    for seat in spec.debate.seats:
        origin = resolve(seat, environment, flag=flags[seat.id]).origins.get("temperature")
        if origin and origin.name not in FOR_ALL:
            continue
        must_take_temperature(model_specs.get(seat.id), seat.id, "--temperature")
        model_specs[seat.id] = model_specs[seat.id].model_copy(update={"temperature": request.temperature})
    return spec.model_copy(update={"model_specs": model_specs})


def must_take_temperature(model_spec: ModelSpec | None, seat: str, option: str) -> None:
    """Refuse a temperature for a seat without a model, or whose model takes none: it would be dropped in silence."""
    if model_spec is None:
        who, why = "a person", "a person has none"
    elif model_spec.provider in {*BUILT_IN, COMMAND}:
        who, why = model_spec.label, "it is called without one"
    else:
        from httpx2 import AsyncClient  # noqa: PLC0415  heavy

        from hustings.llm.pydantic_ai_adapter import connection_to, takes_temperature  # noqa: PLC0415

        # Nothing is sent: the client is only asked what it knows of the model.
        connection = connection_to(model_spec, SecretStr("none"), AsyncClient())
        if takes_temperature(connection.model.profile):
            return
        who, why = model_spec.label, "reasoning models of this kind refuse it"
    raise Unsuitable(
        f"{who}, in seat {seat}, takes no temperature",
        why=why,
        fix=f"leave out {option}, and set that of other seats by name, such as PRO_LLM_TEMPERATURE=0.5",
    )


def must_have_judges(spec: RunSpec, follow_ups: FollowUps, environment: Environment) -> None:
    """Refuse a run whose follow-ups have no judges: before the debate, not after it."""
    if follow_ups.judging:
        judges = panel(spec, follow_ups.judging, environment)
        if follow_ups.judging.judge_temperature is not None:
            for number, judge in enumerate(judges, 1):
                must_take_temperature(judge, f"judge_{number}", "--judge-temperature")
    if follow_ups.evaluation:
        panel(spec, follow_ups.evaluation.as_judging, environment)


def prepare_audit(runs: RunQueries, run_id: str, follow_ups: FollowUps, known: Environment) -> RunSpec:
    """Spec of the first follow-up of a finished debate: its control, its judging, or an evaluation alone."""
    old, judged, request = runs.spec(run_id), runs.finished(run_id), follow_ups.judging_request
    if follow_ups.evaluation and not follow_ups.judging:
        return affordable(evaluation_spec(old, judged, follow_ups.evaluation, known), known)
    spec = judging_spec(old, judged, request, known)
    if follow_ups.control:  # after `judging_spec`, which has shown that the judging can follow
        spec = control_spec(old, judged, request, known, runs.read(run_id).tokens)
    return affordable(spec, known)


def estimate_plan(plan: RunPlan, *, bounds: bool = True) -> Estimate:
    """Estimate a run and its follow-ups."""
    return estimate(
        plan.spec,
        audits=plan.follow_ups.scripts,
        request=requests(plan.follow_ups),
        environment=plan.environment,
        bounds=bounds,
    )


def estimate_follow_ups(runs: RunQueries, run_id: str, follow_ups: FollowUps, known: Environment) -> Estimate:
    """Estimate the follow-ups of a finished debate, with the default budget if they cost money and have no cap."""
    old, judged, tokens = runs.whole_spec(run_id), runs.finished(run_id), runs.read(run_id).tokens
    found = estimate_audits(old, judged, known, requests(follow_ups), audits=follow_ups.scripts, tokens=tokens)
    if found.cap is not None or found.free:
        return found
    return found.model_copy(update={"cap": USUAL_BUDGET})


def requests(follow_ups: FollowUps) -> AuditRequests:
    """How audits are requested, for an estimate; the caps of an evaluation alone are the caps of all."""
    evaluation = follow_ups.evaluation or EvaluationRequest()
    judging = follow_ups.judging or evaluation.as_judging
    return AuditRequests(judging, evaluation)


def needs_model(request: DebateRequest, environment: Environment) -> bool:
    """Whether a model has to be found here. A request that names seats must name all of them."""
    return not request.seats and lacks_model(request, environment)


def with_model_found_here(environment: Environment) -> tuple[Environment, str]:
    """Add a model found here for seats that have none; also returns a sentence that names it."""
    choice = choose(environment, find(environment.process))
    return with_default(environment, choice.model_spec), choice.sentence


def must_be_there(model_specs: Iterable[ModelSpec]) -> None:
    """Check that the servers of local models listen and have the model."""
    asked: dict[str, LocalServer | None] = {}
    for model_spec in model_specs:
        if model_spec.provider in BUILT_IN or not on_loopback(model_spec.base_url):
            continue
        port = port_of(model_spec.base_url, model_spec.provider, 80)
        if port is None:
            continue
        if model_spec.base_url not in asked:
            _must_listen(model_spec, port)
            asked[model_spec.base_url] = ask_one(port, monotonic() + PATIENCE)
        if server := asked[model_spec.base_url]:
            _must_have(model_spec, server)


def _must_listen(model_spec: ModelSpec, port: Port) -> None:
    try:
        socket.create_connection((port.host, port.number), timeout=PATIENCE).close()
    except OSError as error:
        raise Unreachable(
            f"no answer from {urlsplit(model_spec.base_url).netloc}, the server of {model_spec.label}",
            why=error.strerror or "no answer in time",
            fix="start the server, or see which models you have: hustings models",
        ) from None


def _must_have(model_spec: ModelSpec, server: LocalServer) -> None:
    """Check Ollama only: other servers list nothing, or take any name for the one model they have."""
    named = {model_spec.model, f"{model_spec.model}:latest"}
    if model_spec.provider == "ollama" and not named & set(server.models):
        there = f"it has {', '.join(server.models[:5])}" if server.models else "it has none yet"
        raise Unreachable(f"ollama has no model {model_spec.model!r}", why=there, fix=f"ollama pull {model_spec.model}")
