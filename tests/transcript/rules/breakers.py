"""All breakers, at least one for each rule: importing their files registers them."""

from . import break_frame, break_rounds, break_turns
from .breaking import BREAKERS, SMALL, all_broken, broken

__all__ = ["BREAKERS", "SMALL", "all_broken", "break_frame", "break_rounds", "break_turns", "broken"]
