"""How long a call may take: as set for its model, else by where the server stands. All defaults are here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .endpoints import COMMAND, PROVIDERS, Endpoint, on_loopback

if TYPE_CHECKING:
    from .model_spec import ModelSpec


@dataclass(frozen=True)
class TimeLimits:
    """Seconds that a call may take."""

    first_word: float
    whole: float


USUAL = TimeLimits(first_word=60.0, whole=120.0)
LOADING = TimeLimits(first_word=300.0, whole=600.0)
"""Of a server on this machine, which may be loading the model before its first word."""


def default_patience(model_spec: ModelSpec) -> TimeLimits:
    address = model_spec.base_url or PROVIDERS.get(model_spec.provider, Endpoint()).url
    return LOADING if on_loopback(address) else USUAL


def patience_of(model_spec: ModelSpec, seconds: float | None = None) -> TimeLimits:
    """Patience with a model. `seconds` is what its run says of a whole answer; the model's own settings win.

    What was set holds: a longer wait for the first word makes the whole answer's default longer by as much.
    """
    usual = default_patience(model_spec)
    first, whole = model_spec.first_token_timeout or usual.first_word, model_spec.timeout or seconds
    if whole is None:
        whole = usual.whole + max(first - usual.first_word, 0)
    if model_spec.provider == COMMAND:  # a program writes its answer in one piece
        first = whole
    return TimeLimits(min(first, whole), whole)
