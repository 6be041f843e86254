"""Debates as a display meets them: the events of a rehearsal, and the words that came before each wave was over."""

import io
from functools import cache

from rich.console import Console

from hustings.cli.display.live_view import LiveDisplay
from hustings.llm.improviser import Improviser
from hustings.transcript.events import CallPaid, TextStreamed, TurnBegun
from tests.protocols.playing import play

from .pseudo import Terminal

PROTOCOLS = ("structured", "competition", "roundtable", "adaptive", "moderated")


@cache
def context(protocol):
    """Events as a run logs them, and every answer by its address."""
    answers = {}

    def actor(call):
        reply = Improviser()(call)
        answers[call.address] = reply.text
        return reply

    return with_payments(play(protocol, actor).events), answers


def with_payments(events):
    """What a wave cost is logged when it is over, before what came of it."""
    waiting, told = [], []
    for event in events:
        if waiting and not isinstance(event, TurnBegun):
            told += [CallPaid(address=address, model="improviser", price=0.0) for address in waiting]
            waiting = []
        told.append(event)
        waiting += [event.address] if isinstance(event, TurnBegun) else []
    return told


class Stand:
    """A live display whose terminal and clock are ours, painted by hand."""

    def __init__(self, columns, **options):
        self.terminal, self.now = Terminal(columns), 0.0
        self._file = io.StringIO()
        settings = {"force_terminal": True, "color_system": "standard", "width": columns, "height": 30, **options}
        console = Console(file=self._file, markup=False, emoji=False, highlight=False, **settings)
        self.display = LiveDisplay(console, clock=lambda: self.now)
        self.display._begin_to_paint = lambda: None

    def show(self, *events):
        for event in events:
            self.display.show(event)

    def paint(self):
        self.display.paint()
        return self.fed()

    def close(self):
        self.display.close()
        return self.fed()

    def fed(self):
        painted = self._file.getvalue()
        self._file.seek(0)
        self._file.truncate()
        self.terminal.feed(painted.replace("\n", "\r\n").encode("utf-8", "backslashreplace"))
        return painted


def until(protocol, brief, nth=0):
    """Events up to the wave in which something is asked, the first time or a later one, and its addresses."""
    events, _ = context(protocol)
    waves = {event.address[:3]: n for n, event in enumerate(events) if isinstance(event, TurnBegun)}
    asked = dict.fromkeys(e.address[:3] for e in events if isinstance(e, TurnBegun) and e.brief == brief)
    wave = [*asked][nth]
    return events[: waves[wave] + 1], [
        e.address for e in events if isinstance(e, TurnBegun) and e.address.startswith(wave)
    ]


def speaking(protocol, brief, columns, *, nth=0, share=0.6):
    """A stand in the middle of a wave: everybody has said some of their words."""
    stand, (events, addresses) = Stand(columns), until(protocol, brief, nth)
    stand.show(*events)
    stand.now = 12.0
    for address in addresses:
        words = context(protocol)[1][address]
        stand.show(TextStreamed(address=address, attempt=0, text=words[: int(len(words) * share)]))
    stand.paint()
    return stand


@cache
def played(protocol, columns):
    """A stand when all is over."""
    stand = Stand(columns)
    for event in context(protocol)[0]:
        stand.show(event)
        stand.paint()
    stand.close()
    return stand
