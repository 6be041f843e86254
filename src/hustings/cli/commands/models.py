"""`hustings models` and `hustings keys`: the models that can be used from here, and the providers' stored keys."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer

from hustings.cli.options import AsJson
from hustings.cli.terminal import show, show_json, show_line, talk
from hustings.config.models import (
    DEFAULT_MODELS,
    EXTRAS,
    INVENTED,
    ConfiguredModel,
    configured_models,
    keys_at_hand,
    per_million,
    usable,
)
from hustings.config.variables import LONGEST_KEY, Kept, forget, keep, keys_file, variable_of, variables
from hustings.errors import Unsuitable
from hustings.installation import install_hint
from hustings.llm.environment import Environment
from hustings.llm.local_servers import LocalServer, find
from hustings.llm.model_spec import ModelSpec, Price

from .config import CastName, Profile

SHOWN = 12
"""Most models shown per server."""


def list_models(*, profile: Profile = "", cast: CastName = "", as_json: AsJson = False) -> None:
    """List the models you can use: local servers, providers with a key, configured models."""
    known, servers = variables(profile=profile, cast=cast), find()
    set_up, offered = configured_models(known), _offered(known)
    if as_json:
        show_json(
            {
                "servers": [{"name": s.name, "url": s.url, "models": s.models} for s in servers],
                "providers": offered,
                "set_up": [_described(speaker, known) for speaker in set_up],
            }
        )
        return
    _tell_servers(servers)
    _tell_providers(offered)
    _tell_set_up(set_up, known)
    talk(_next(servers, offered, set_up))


def _offered(known: Environment) -> list[dict[str, Any]]:
    """Providers whose key is here, with their default model."""
    rows: list[dict[str, Any]] = []
    for provider, name in keys_at_hand(known).items():
        cost = per_million(ModelSpec(provider=provider, model=DEFAULT_MODELS[provider]))
        rows.append(
            {
                "provider": provider,
                "key": name,
                "from": known.place_of(name),
                "usual_model": DEFAULT_MODELS[provider],
                "usd_per_million": cost.model_dump() if cost else None,
                "needs_extra": None if usable(provider) else provider,
            }
        )
    return rows


def _described(speaker: ConfiguredModel, known: Environment) -> dict[str, Any]:
    if speaker.model_spec is None:
        return {"for": speaker.name, "problem": str(speaker.problem)}
    model_spec, cost = speaker.model_spec, per_million(speaker.model_spec)
    return {
        "for": speaker.name,
        "model": model_spec.label,
        "base_url": model_spec.base_url,
        "key": model_spec.key or None,
        "from": known.place_of(model_spec.key) or None,
        "usd_per_million": cost.model_dump() if cost else None,
    }


def _tell_servers(servers: tuple[LocalServer, ...]) -> None:
    show("On this machine (free)")
    for server in servers:
        names = " · ".join(server.models[:SHOWN]) or "running, but has no model"
        more = f" · and {len(server.models) - SHOWN} more" if len(server.models) > SHOWN else ""
        show_line(f"  {server.name:<18} {server.url}  {names}{more}")
    if not servers:
        show("  No local model server found. If yours is elsewhere, set OLLAMA_HOST or HUSTINGS_ENDPOINT.")


def _tell_providers(offered: list[dict[str, Any]]) -> None:
    show("\nProviders with a key (USD per million tokens, input / output)")
    for row in offered:
        cost = Price.model_validate(row["usd_per_million"]) if row["usd_per_million"] else None
        usual = f"{row['provider']}/{row['usual_model']}"
        extra = f"  needs: {install_hint(row['needs_extra'])}" if row["needs_extra"] else ""
        show_line(f"  {usual:<40} {_cost(cost):<14} {row['key']} from {row['from']}{extra}")
    if not offered:
        show("  none")


def _tell_set_up(set_up: list[ConfiguredModel], known: Environment) -> None:
    if not set_up:
        return
    show("\nConfigured")
    for speaker in set_up:
        if (model_spec := speaker.model_spec) is None:
            show_line(f"  {speaker.name:<12} can't be used: {speaker.problem}")
            continue
        key = f"{model_spec.key} from {known.place_of(model_spec.key)}" if model_spec.key else "no key"
        show_line(f"  {speaker.name:<12} {model_spec.label:<27} {_cost(per_million(model_spec)):<14} {key}")


def _cost(cost: Price | None) -> str:
    if cost is None:
        return "price unknown"
    return f"{cost.input:.2f} / {cost.output:.2f}" if cost.input + cost.output else "free"


def _next(servers: tuple[LocalServer, ...], offered: list[dict[str, Any]], set_up: list[ConfiguredModel]) -> str:
    usable_now = any(speaker.model_spec for speaker in set_up) or any(server.models for server in servers)
    if usable_now or offered:
        wanting = [provider for provider in EXTRAS if any(row["needs_extra"] == provider for row in offered)]
        also = f" (for {wanting[0]}, first: {install_hint(wanting[0])})" if wanting else ""
        return f'Next: hustings "QUESTION" -m PROVIDER/MODEL{also}'
    return f"Next: hustings demo. Or {INVENTED}. Or get a model: ollama pull llama3.2, or hustings keys set anthropic"


Name = Annotated[
    str, typer.Argument(metavar="NAME", help="A provider, such as anthropic, or a variable, such as PRO_LLM_API_KEY.")
]


def set_key(name: Name) -> None:
    """Store a key. You type it unseen in a terminal, or pipe it in."""
    variable = variable_of(name)
    where = keep(variable, _asked_for(variable))
    talk(f"{variable} is stored in the {where}{f' {keys_file()}' if where == 'key file' else ''}.")
    talk("Next: hustings models")


def list_keys(*, as_json: AsJson = False) -> None:
    """List the names of stored keys, and where they are."""
    places = Kept().places
    if as_json:
        show_json([{"name": name, "place": place} for name, place in sorted(places.items())])
        return
    for name, place in sorted(places.items()):
        show(f"{name:<24} {place}")
    talk(
        "See which are used, including variables: hustings models"
        if places
        else "No key stored. Store one: hustings keys set PROVIDER"
    )


def delete_key(name: Name) -> None:
    """Delete a stored key."""
    variable = variable_of(name)
    where = forget(variable)
    talk(f"{variable} is deleted from the {where}. It still works until you revoke it at the provider.")


def show_path() -> None:
    """Show the path of the key file."""
    show(str(keys_file()))
    talk("It also lists the names of keys in the system keyring. Next: hustings keys list")


def _asked_for(variable: str) -> str:
    if sys.stdin.isatty():
        return typer.prompt(f"{variable} (not shown)", hide_input=True, err=True)
    given = sys.stdin.readline(LONGEST_KEY + 2)
    if not given.strip():
        raise Unsuitable(
            "no key on standard input", fix=f"type it in a terminal, or run: hustings keys set {variable} < FILE"
        )
    return given
