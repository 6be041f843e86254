"""Looks at debates and judges as objects of study: how turns reason, figures over many runs, trials of judges."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .python_api import evaluate, evaluation_of

__all__ = ["evaluate", "evaluation_of"]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("hustings.lab.python_api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
