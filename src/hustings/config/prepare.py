"""Turns a request into a run spec or an estimate, with the models configured or found here, and a default budget.

Commands, the Python API and the web server all use this module. It spends nothing.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from pydantic import JsonValue

from hustings.db.caps import MICRO
from hustings.errors import Unreachable, Unsuitable
from hustings.llm.endpoints import BUILT_IN, on_loopback
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer, Port, ask_one, find, port_of
from hustings.llm.model_spec import ModelSpec, must_not_divert
from hustings.runs.estimate import AuditRequests, estimate, estimate_audits, sketch
from hustings.runs.evaluation_spec import EvaluationRequest, evaluation_spec
from hustings.runs.follow_ups import FollowUps
from hustings.runs.judging_spec import control_spec, judging_spec, panel
from hustings.runs.keep_patience import with_patience_of
from hustings.runs.registry import script_of
from hustings.runs.request import DebateRequest, draw_up, lacks_model
from hustings.runs.spec import RunSpec
from hustings.text.figures import dollars, limit_in_dollars

from .models import choose
from .own_catalogue import with_entries
from .variables import with_default

if TYPE_CHECKING:
    from hustings.runs.estimate import Estimate
    from hustings.runs.queries import RunQueries


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


def linked(spec: RunSpec, request: DebateRequest) -> RunSpec:
    """Tell a protocol that goes by its budget what the run may cost, and what it costs with all seats.

    Figures that the request sets itself stay.
    """
    debate = spec.debate
    open_ = {"budget", "extended_cost"} & debate.settings.keys() - request.settings.keys()
    if not open_:
        return spec
    change: dict[str, JsonValue] = {}
    if "budget" in open_ and spec.caps.money is not None:
        change["budget"] = spec.caps.money / MICRO
    if "extended_cost" in open_:
        whole = {**debate.settings, "stakes": "critical", "extended_cost": 0.0}
        settings = script_of(debate).settings.model_fields
        whole |= {"extent": "extended"} if "extent" in settings else {}
        dear = debate.model_copy(update={"settings": whole})
        found = estimate(spec.model_copy(update={"debate": dear}), bounds=False).expected
        change |= {} if found.unpriced else {"extended_cost": round(found.money / MICRO, 4)}
    told = {**debate.settings, **change}
    _must_afford(told)
    return spec.model_copy(update={"debate": debate.model_copy(update={"settings": told})})


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


def prepare(
    request: DebateRequest, follow_ups: FollowUps, known: Environment, say: Callable[[str], None]
) -> tuple[RunSpec, Environment]:
    """Return the run spec of a request, and the environment with a model found here if the request needed one.

    Refuses what cannot be carried out, its judging included. Calls no model.
    """
    request = with_entries(request)
    known = with_model(request, known, say)
    spec = linked(affordable(draw_up(request, known), known), request)
    if follow_ups.judging:
        panel(spec, follow_ups.judging, known)
    if follow_ups.evaluation:
        panel(spec, follow_ups.evaluation.as_judging, known)
    return spec, known


def prepare_audit(runs: RunQueries, run_id: str, follow_ups: FollowUps, known: Environment) -> RunSpec:
    """Spec of the first follow-up of a finished debate: its control, its judging, or an evaluation alone."""
    old, judged, request = runs.spec(run_id), runs.finished(run_id), follow_ups.judging_request
    if follow_ups.evaluation and not follow_ups.judging:
        return affordable(evaluation_spec(old, judged, follow_ups.evaluation, known), known)
    spec = judging_spec(old, judged, request, known)
    if follow_ups.control:  # after `judging_spec`, which has shown that the judging can follow
        spec = control_spec(old, judged, request, known, runs.read(run_id).tokens)
    return affordable(spec, known)


def estimate_request(
    request: DebateRequest, follow_ups: FollowUps, known: Environment, say: Callable[[str], None]
) -> Estimate:
    """Estimate a debate and its follow-ups. Calls no model, and needs neither a key nor a price."""
    request = with_entries(request)
    known = with_model(request, known, say)
    spec = linked(affordable(sketch(request, known), known), request)
    return estimate(spec, audits=follow_ups.scripts, request=requests(follow_ups), environment=known)


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


def with_model(request: DebateRequest, known: Environment, say: Callable[[str], None]) -> Environment:
    """Add a model found here for seats that have none. A request that names seats must name all of them."""
    if request.seats or not lacks_model(request, known):
        return known
    choice = choose(known, find(known.process))
    say(choice.sentence)
    return with_default(known, choice.model_spec)


def must_answer(spec: RunSpec) -> None:
    """Refuse a run whose local servers do not answer or lack the model; each server is asked once."""
    must_be_there(spec.model_specs.values())


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
