"""Formats figures for people: few decimals, a real minus sign, no minus zero."""

from __future__ import annotations

from collections.abc import Sequence


def decimal(value: float, places: int = 1) -> str:
    text = f"{value:.{places}f}"
    return text.replace("-", "−") if text.strip("-0.") else text.lstrip("-")


def signed(value: float, places: int = 1) -> str:
    """A change, with its sign unless it is zero."""
    text = decimal(value, places)
    return text if text.startswith("−") or not text.strip("0.") else f"+{text}"


def span(interval: tuple[float, float], places: int = 1) -> str:
    low, high = interval
    return f"from {decimal(low, places)} to {decimal(high, places)}"


def of_ten(score: float | None) -> str:
    return "not scored" if score is None else f"{decimal(score)} of 10"


def percent(share: float) -> str:
    """A whole percentage; 0 % and 100 % only if the share is exactly that."""
    whole = round(100 * share)
    if whole == 100 and share < 1:
        return "over 99 %"
    return "under 1 %" if whole == 0 and share > 0 else f"{whole} %"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
