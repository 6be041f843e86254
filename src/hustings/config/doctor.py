"""Puts the checks of `checkup` together for `hustings doctor` and its page: the machine first, then its models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from hustings.errors import HustingsError, Unreachable
from hustings.llm.endpoints import BUILT_IN
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer
from hustings.llm.model_spec import ModelSpec

from .checkup import CheckResult, called, check_up, fault
from .models import INVENTED, configured_models, named_model
from .plan_run import must_be_there
from .variables import variables

NO_MODEL = f"hustings demo needs none. Or {INVENTED}. See what is available: hustings models"


@dataclass(frozen=True)
class CheckedModels:
    """What was found of the models, and those that can be called."""

    findings: tuple[CheckResult, ...] = ()
    there: tuple[ModelSpec, ...] = ()


def examine(
    database: str, servers: Sequence[LocalServer], *, online: bool = False, model: ModelSpec | None = None
) -> list[CheckResult]:
    """Every finding; with `online`, models are called once each as well. A `model` is checked instead of those set."""
    found = list(check_up(database, servers))
    try:
        known = variables()
        models = check_models(servers, known, model)
    except HustingsError:
        return found  # `check_up` has already reported the settings
    answers = call_models(models.there, known) if online else []
    return [*found, *models.findings, *(finding for _, finding in answers)]


def check_models(servers: Sequence[LocalServer], known: Environment, model: ModelSpec | None = None) -> CheckedModels:
    """Check the model that is named, else the configured models, else the default one. No model is called."""
    found: list[CheckResult] = []
    there: dict[str, ModelSpec] = {}
    for speaker in [named_model(model, known)] if model else configured_models(known, servers):
        if speaker.problem is not None:
            told = fault("model", speaker.problem)
            found.append(told if known.set_up else replace(told, state="warn", cure=NO_MODEL))
        elif (model_spec := speaker.model_spec) is not None:
            try:
                must_be_there([model_spec])
            except Unreachable as error:
                absent = fault("model", error)
                found.append(replace(absent, said=f"{speaker.name}: {absent.said}"))
                continue
            key = f", key {model_spec.key} from {known.place_of(model_spec.key)}" if model_spec.key else ""
            limits = f"; {speaker.time_limits}" if speaker.time_limits else ""
            found.append(CheckResult("ok", "model", f"{speaker.name}: {model_spec.label}{key}{limits}"))
            there[model_spec.model_dump_json()] = model_spec
    return CheckedModels(tuple(found), tuple(there.values()))


def call_models(model_specs: Sequence[ModelSpec], known: Environment) -> list[tuple[ModelSpec, CheckResult]]:
    """Call each model once that is not built in, and tell what came of it."""
    outside = [spec for spec in model_specs if spec.provider not in BUILT_IN]
    return list(zip(outside, called(outside, known), strict=True))
