"""Formats an estimate: one line before every run, and a table for `--estimate`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10
from textwrap import fill

from hustings.db.caps import MICRO
from hustings.llm.known_models import meant
from hustings.runs.estimate import AT_WORST, EXPECTED, Estimate, Paid, Part
from hustings.runs.estimate_tokens import Figures
from hustings.text.figures import DEBATE, call_count, dollars, limit_in_dollars

from .terminal import show, show_json, talk

WIDTH = 100
TIED = "\u00a0"
"""A no-break space."""


def show_estimate(estimate: Estimate, *, as_json: bool = False) -> None:
    """Print the estimate to stdout, and the notes on it to stderr."""
    if as_json:
        show_json(estimate.model_dump(mode="json"))
        for warning in too_little(estimate):
            talk(warning)
    else:
        show(f"{line(estimate)}\n\n{table(estimate)}")
    for note in notes(estimate):
        talk(note)
    talk("To start, drop --estimate")


def line(estimate: Estimate) -> str:
    """`structured · about 6 calls (6 to 18) · about 13k tokens · free`."""
    expected, worst, least = estimate.expected, estimate.worst, estimate.least_calls
    tokens = f"about {short(expected.tokens)} tokens" if expected.tokens else "no tokens"
    said = [
        " + ".join(part.script for part in estimate.parts),
        calls(estimate.parts, None if worst is None or least is None else (least, worst.calls)),
        tokens,
        "free" if estimate.free else money(expected, "about "),
    ]
    if estimate.cap is not None:
        said.append(f"budget {capped_at(estimate.cap)}")
    return "\n".join([" · ".join(said), *too_little(estimate)])


def too_little(estimate: Estimate) -> Iterator[str]:
    """Warn if the budget will probably not suffice, and name one that should."""
    cap, typical = estimate.cap, estimate.expected.money
    if cap is not None and typical > cap:
        yield (
            f"Typical cost {in_dollars(typical)} is over your {capped_at(cap)} budget: it will probably stop before "
            f"its end. Use --budget {budget_for(typical)}"
        )


def budget_for(micro: int) -> str:
    """A round amount in dollars, a tenth or more above: 5 for $4.49, 0.30 for $0.25."""
    amount = max(micro * 1.1 / MICRO, 0.01)
    step = max(10.0 ** floor(log10(amount)) / 2, 0.01)
    rounded = ceil(amount / step - 1e-9) * step
    return f"{rounded:.2f}".removesuffix(".00")


def table(estimate: Estimate) -> str:
    """One row per seat and part, with expected figures beside the worst case."""
    rows = [HEAD, *(row for part in estimate.parts for row in _rows(part))]
    if len(estimate.parts) > 1:
        rows.append(("", "total", *_cells(estimate.expected, estimate.worst, free=estimate.free)))
    widths = [max(len(row[n]) for row in rows) for n in range(len(HEAD))]
    told = [_aligned(row, widths) for row in rows]
    lines = [left + right for left, right in told]
    if estimate.worst is None:
        lines, over = [left for left, _ in told], []
    else:
        over = [" " * (sum(widths[:2]) + 4) + "typical".ljust(sum(widths[2:6]) + 10) + "worst case"]
    return "\n".join([*(plan(part) for part in estimate.parts), "", *over, *lines])


def plan(part: Part) -> str:
    """The steps of a part, in the order in which they are first asked."""
    asked = ", ".join(f"{step.name}{TIED}{step.calls}" for step in part.steps)
    rounds = f"{counted(part.rounds, 'round')}, " if part.rounds else ""
    told = f"{part.script}: {asked}; {rounds}{counted(part.waves, 'step')}"
    return fill(told, WIDTH, subsequent_indent="  ", break_on_hyphens=False).replace(TIED, " ")


def counted(count: int, what: str) -> str:
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


def notes(estimate: Estimate) -> Iterator[str]:
    """What the figures are based on, and what they leave out."""
    yield f"Estimate only. Nothing was sent. {EXPECTED}"
    if worst := estimate.worst:
        yield AT_WORST
        if estimate.cap is not None and worst.money > estimate.cap:
            yield f"The debate stops at your {capped_at(estimate.cap)} budget."
    rows = [row for part in estimate.parts for row in part.seats]
    if unknown := sorted({row.model for row in rows if row.paid == "unknown"}):
        near = "".join(f"{name}: {hint}" for name in unknown if (hint := meant(name)))
        yield (
            f"{near}No price known for {', '.join(unknown)}. Set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT "
            "(USD per million tokens). Without a price it is not called."
        )


def calls(parts: Sequence[Part], bounds: tuple[int, int] | None) -> str:
    """Those of the first part, and apart from them those of each that follows it."""
    expected = [part.expected.calls for part in parts]
    told = call_count(zip([DEBATE, *(part.script for part in parts[1:])], expected, strict=True))
    if bounds is None:
        return f"about {told}"
    least, most = bounds
    in_all = " in all" if len(parts) > 1 else ""
    return told if least == sum(expected) == most else f"about {told} ({least} to {most}{in_all})"


def money(figures: Figures, about: str = "") -> str:
    """The known cost; an unknown price is not shown as zero."""
    if not figures.unpriced:
        return f"{about}{in_dollars(figures.money)}"
    return f"{about}{in_dollars(figures.money)} plus unknown" if figures.money else "unknown"


def in_dollars(micro: int) -> str:
    return f"${dollars(micro / MICRO)}"


def capped_at(micro: int) -> str:
    return f"${limit_in_dollars(micro / MICRO)}"


def short(count: int) -> str:
    """950, 12k, 1.3M."""
    if count < 1000:
        return str(count)
    return f"{count / 1000:.0f}k" if count < 999_500 else f"{count / 1_000_000:.1f}M"


def _rows(part: Part) -> Iterator[tuple[str, ...]]:
    for row in part.seats:
        paid = row.paid in FREE
        yield row.seat, row.model, *_cells(row.expected, row.worst, free=paid, instead=INSTEAD.get(row.paid, ""))
    whole = all(row.paid in FREE for row in part.seats)
    yield "", part.script, *_cells(part.expected, part.worst, free=whole)


def _cells(expected: Figures, worst: Figures | None, *, free: bool, instead: str = "") -> list[str]:
    """Calls, tokens read and written, and the cost; first expected, then at worst."""

    def of(figures: Figures | None) -> list[str]:
        if figures is None:
            return ["–"] * 4
        cost = instead or ("free" if free else money(figures))
        return [f"{figures.calls:,}", f"{figures.tokens_in:,}", f"{figures.tokens_out:,}", cost]

    return [*of(expected), *of(worst)]


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> tuple[str, str]:
    """Align words left and figures right, as two parts: expected and worst case."""
    pairs = enumerate(zip(cells, widths, strict=True))
    told = [cell.ljust(width) if n < 2 else cell.rjust(width) for n, (cell, width) in pairs]
    return "  ".join(told[:6]), "    " + "  ".join(told[6:])


HEAD = ("seat", "model", "calls", "in", "out", "cost", "calls", "in", "out", "cost")
FREE: frozenset[Paid] = frozenset({"free", "person"})
INSTEAD: dict[Paid, str] = {"person": "a person"}
