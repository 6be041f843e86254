"""Debates from Python: held, followed as they go on, and read when they are over."""

from .debates import Debate, Held, adebate, aresume, debate, resume
from .results import Result, Unfinished

__all__ = ["Debate", "Held", "Result", "Unfinished", "adebate", "aresume", "debate", "resume"]
