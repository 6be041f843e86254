"""The Python API of hustings: hold and resume debates between language models and people.

Programs use these names; authors of protocols import from `hustings.protocol`. Names are loaded on first use: a command
that only prints help needs none of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .api import Debate, HustingsError, Result, Unfinished, adebate, aresume, debate, import_debates, resume

    __version__: str

__all__ = [
    "Debate",
    "HustingsError",
    "Result",
    "Unfinished",
    "__version__",
    "adebate",
    "aresume",
    "debate",
    "import_debates",
    "resume",
]


def __dir__() -> list[str]:
    """What Python shells complete: the names that programs use."""
    return [*__all__]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return import_module("importlib.metadata").version("hustings")
    if name in __all__:
        return getattr(import_module("hustings.api"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
