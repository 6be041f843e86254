"""Names of known providers and models, to find the one that a misspelt name probably means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches

from .endpoints import ACTORS, ALIASES, PROVIDERS

CLOSE = 0.8
"""Similarity from which on a name counts as misspelt."""


def meant(text: str) -> str:
    """`did you mean openai/gpt-5? `, with a space after it; empty if nothing is near."""
    near = near_name(text)
    return f"did you mean {near}? " if near and near != text else ""


def near_name(text: str) -> str:
    """The actor or `provider/model` that is nearest to what was typed; empty if none is near."""
    provider, slash, model = text.partition("@")[0].partition("/")
    if not slash:
        return _near(text, ACTORS) or _near_provider(text) or _near_model(text)
    own = ALIASES.get(provider, provider)
    if own not in PROVIDERS:
        own = _near(provider, (*PROVIDERS, *ALIASES))
        return f"{own}/{_near(model, _models(ALIASES.get(own, own))) or model}" if own else _near_model(model)
    found = _near(model, _models(own))
    return f"{provider}/{found}" if found else ""


def _near_provider(text: str) -> str:
    found = _near(text, PROVIDERS)
    return f"{found}/MODEL" if found else ""


def _near_model(model: str) -> str:
    """The model of any provider, as `provider/model`; makers come before resellers."""
    order = sorted((name for name in PROVIDERS if PROVIDERS[name].prices), key=lambda name: PROVIDERS[name].resells)
    named = [(found, provider) for provider in order for found in _models(provider)]
    near = _near(model, [found for found, _ in named])
    return next((f"{provider}/{found}" for found, provider in named if found == near), "")


def _models(provider: str) -> list[str]:
    """Models of a provider in the price list."""
    listed = PROVIDERS[provider].prices if provider in PROVIDERS else ""
    return [*_listed(listed)] if listed else []


def _listed(name: str) -> Iterator[str]:
    # Its data take most of a second to import. Imported from where they stand, pyright reads them for two minutes.
    from genai_prices.data_snapshot import get_snapshot  # noqa: PLC0415

    return (model.id for provider in get_snapshot().providers if provider.id == name for model in provider.models)


def _near(text: str, names: Iterable[str]) -> str:
    known = {name.casefold(): name for name in names}
    found = get_close_matches(text.casefold(), known, 1, CLOSE)
    return known[found[0]] if found else ""
