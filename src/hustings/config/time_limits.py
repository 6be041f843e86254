"""Time limits that a call will really have, and where each comes from."""

from __future__ import annotations

from collections.abc import Mapping

from hustings.llm.endpoints import BUILT_IN, COMMAND
from hustings.llm.environment import Environment
from hustings.llm.model_spec import Resolved
from hustings.llm.patience import LOADING, default_patience, patience_of


def time_limits(found: Resolved, known: Environment) -> dict[str, tuple[float, str]]:
    """Seconds and origin by the name of the setting. None for a seat without a model that is called."""
    model_spec = found.model_spec
    if not model_spec.provider or model_spec.provider in BUILT_IN:
        return {}
    origins = {name: str(origin) for name, origin in found.origins.items()}
    if model_spec.provider == COMMAND:
        own = known.command(model_spec.model).get("timeout")
        model_spec = model_spec.model_copy(update={"timeout": own, "first_token_timeout": None})
        origins = {"timeout": f"[commands.{model_spec.model}] seconds"}
    usual, used = default_patience(model_spec), patience_of(model_spec)
    built_in = "default for a server on this machine" if usual == LOADING else "default"
    longer = f"first_token_timeout, and {usual.whole - usual.first_word:g} more"
    whole = origins["timeout"] if model_spec.timeout else built_in if used.whole == usual.whole else longer
    first = origins["first_token_timeout"] if model_spec.first_token_timeout else built_in
    cut = used.first_word < (model_spec.first_token_timeout or usual.first_word) or model_spec.provider == COMMAND
    return {
        "first_token_timeout": (used.first_word, "timeout, no longer than the whole answer" if cut else first),
        "timeout": (used.whole, whole),
    }


def in_words(limits: Mapping[str, tuple[float, str]]) -> str:
    """`first word within 300 s (default), whole answer within 600 s (env LLM_TIMEOUT)`."""
    names = {"first_token_timeout": "first word", "timeout": "whole answer"}
    return ", ".join(f"{names[name]} within {seconds:g} s ({origin})" for name, (seconds, origin) in limits.items())


def unused(found: Resolved) -> dict[str, tuple[object, str]]:
    """Settings that do not reach the model that was chosen: value and origin, with the reason."""
    why = "not used: it is for another endpoint or model"
    return {name: (value, f"{origin}, {why}") for name, (value, origin) in found.unused.items()}
