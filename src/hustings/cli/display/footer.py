"""The repainted footer of the live display: who speaks, their latest words, and the run's state and cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from hustings.cli.terminal import safe_text

from .live_state import LiveState, Speaking
from .seat_names import Roster

MOST_SPEAKERS = 3
"""Speakers shown at a time; further ones are only counted."""
MOST_LINES = 4
"""Lines of words for all speakers together."""
TAIL = 2_000
"""Last characters of a speech that are wrapped into its shown lines."""


def footer(floor: LiveState, roster: Roster, console: Console) -> list[Text]:
    """The footer's lines, each shorter than the terminal is wide."""
    width, height = max(console.width - 1, 10), console.height
    rule = Text(("-" if console.options.ascii_only else "─") * width, style="dim")
    lines = [rule, *_speakers(floor, roster, console, width), _status(floor, width)]
    for line in lines:
        line.truncate(width, overflow="ellipsis")
    return lines[-max(height - 2, 1) :]


def _speakers(floor: LiveState, roster: Roster, console: Console, width: int) -> Iterator[Text]:
    """Speakers on the record first, then those not finished, then those whose words came last."""
    everybody = sorted(
        floor.open.values(), key=lambda one: (not one.asked.on_record, one.words.answer.read().whole, -one.words.moved)
    )
    shown = everybody[:MOST_SPEAKERS]
    heard = [one for one in shown if one.asked.on_record and one.words.answer.read().text]
    each = max(MOST_LINES // max(len(heard), 1), 1)
    for one in shown:
        yield _speaker(one, roster, floor.clock(), width)
        if one in heard:
            yield from _tail(one, console, width, each)
    if more := len(everybody) - len(shown):
        yield Text(f"  and {more} more", style="dim")


def _speaker(one: Speaking, roster: Roster, now: float, width: int) -> Text:
    asked, said = one.asked, one.words.answer.read()
    if one.waits_for_person:
        does = "is waited for"
    elif asked.on_record:
        does = "speaks" if said.text else "was asked"
    else:
        does = "thinks"
    line = Text(safe_text(roster.title(asked.seat)), style=f"bold {roster.colour(asked.seat)}")
    line.append(f" {does}", style="not bold" if asked.on_record else "not bold dim")
    facts = [
        (2, safe_text(asked.brief)),
        (1, f"try {asked.attempt + 1}" if asked.attempt else ""),
        (0, _count(said.count, asked.words)),
        (1, _time(now - one.since, asked.seconds)),
    ]
    for fact in _fitting(facts, width - line.cell_len - 3):
        line.append(f" · {fact}", style="not bold dim")
    if asked.words and said.count > asked.words:
        line.append(" OVER", style="bold red")
    return line


def _tail(one: Speaking, console: Console, width: int, most: int) -> Iterator[Text]:
    words = Text(safe_text(one.words.answer.read().text[-TAIL:]).expandtabs(2))
    for line in words.wrap(console, max(width - 4, 6))[-most:]:
        line.rstrip()
        yield Text("    ").append_text(line)


def _status(floor: LiveState, width: int) -> Text:
    """The status line; parts that do not fit are dropped, the least important first."""
    parts = [
        (0, "paused" if floor.paused else safe_text(floor.round)),
        (3, floor.stage),
        (3, f"{floor.answered} of {floor.wave} answered" if floor.wave > MOST_SPEAKERS else ""),
        (4, f"docket: {safe_text(floor.docket)}" if floor.docket else ""),
        (1, money(floor)),
        (2, f"{floor.calls} {'call' if floor.calls == 1 else 'calls'}" if floor.calls else ""),
    ]
    keys = f" · {floor.keys}"
    line = Text(" · ".join(_fitting(parts, width - len(keys))), style="reverse" if floor.paused else "dim")
    line.truncate(width - len(keys), overflow="ellipsis")
    return line.append(keys if line.plain else floor.keys)


def _fitting(parts: Sequence[tuple[int, str]], width: int) -> list[str]:
    """The parts that fit, in their order; parts with the highest rank number are dropped first."""
    kept = [(rank, part) for rank, part in parts if part]
    while len(kept) > 1 and sum(cell_len(part) + 3 for _, part in kept) - 3 > width:
        kept.remove(max(kept, key=lambda one: one[0]))
    return [part for _, part in kept]


def money(floor: LiveState) -> str:
    """The cost so far; an unknown price is not shown as free."""
    if floor.spent:
        return f"${floor.spent:.4f}" + (" + unpriced" if floor.unpriced else "")
    return "unpriced" if floor.unpriced else "free" if floor.calls else ""


def _count(words: int, allowed: int | None) -> str:
    return f"{words}/{allowed} words" if allowed else f"{words} words" if words else ""


def _time(seconds: float, allowed: int | None) -> str:
    """Elapsed time, beside the time that the word allowance would take to speak."""
    return f"{_clock(seconds)}/{_clock(allowed)}" if allowed else _clock(seconds)


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"
