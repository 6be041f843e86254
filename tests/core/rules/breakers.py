"""All breakers, at least one for each rule: importing their files registers them."""

from tests.core.rules import break_frame, break_rounds, break_turns
from tests.core.rules.breaking import BREAKERS, SMALL, all_broken, broken

__all__ = ["BREAKERS", "SMALL", "all_broken", "break_frame", "break_rounds", "break_turns", "broken"]
