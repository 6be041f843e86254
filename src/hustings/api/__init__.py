"""Debates from Python: held, followed as they go on, and read when they are over."""

from hustings.errors import HustingsError

from .public import Debate, OngoingDebate, adebate, aresume, debate, resume
from .results import Result, Unfinished

__all__ = ["Debate", "HustingsError", "OngoingDebate", "Result", "Unfinished", "adebate", "aresume", "debate", "resume"]
