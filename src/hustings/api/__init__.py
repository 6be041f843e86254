"""The Python API: hold debates, follow them live, and read their results."""

from hustings.errors import HustingsError

from .bring_in import import_debates
from .public import Debate, OngoingDebate, adebate, aresume, debate, resume
from .results import Result, Unfinished

__all__ = [
    "Debate",
    "HustingsError",
    "OngoingDebate",
    "Result",
    "Unfinished",
    "adebate",
    "aresume",
    "debate",
    "import_debates",
    "resume",
]
