"""Debates from Python: held, followed as they go on, and read when they are over."""

from hustings.core.errors import HustingsError

from .debates import Debate, Held, adebate, aresume, debate, resume
from .results import Result, Unfinished

__all__ = ["Debate", "Held", "HustingsError", "Result", "Unfinished", "adebate", "aresume", "debate", "resume"]
