"""The log of a debate with a person, faults, prices and a pause: after every event, what goes on.

The pages fold the same events on their own; `python -m tests.web.going_on` writes both down.
"""

import json
from itertools import count
from pathlib import Path

from hustings.errors import SeatFailed
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.transcript.events import (
    EVENT,
    AttemptRejected,
    CallPaid,
    HumanAwaited,
    Paused,
    Resumed,
    TurnBegun,
    TurnEntered,
    wave_of,
)
from hustings.transcript.record import RunProgress

FILE = Path(__file__).with_suffix(".json")
PERSON = "con"
PRICES = (0.25, None, 0.5, 0.0)


def stumbling(call):
    """The first answer of each seat is no answer, and the judge does not come."""
    if call.address.startswith("000") and call.seat.id == "pro":
        return Reply("?", "2026-01-01T00:00:00.000Z")
    if call.address.startswith("003") and call.seat.id != PERSON:
        return SeatFailed("nobody was there")
    return Improviser()(call)


def log():
    """The events of a rehearsal, with those that a worker would have written between them."""
    debate = plan(find_protocol("structured"), "Tea?", retries=1, model="improviser")
    events, paid = list(rehearse(debate, stumbling).events), count()
    for event, following in zip(events, [*events[1:], None], strict=True):
        if isinstance(event, AttemptRejected | TurnEntered) and event.address and f" {PERSON} " not in event.address:
            price = PRICES[next(paid) % len(PRICES)]
            yield CallPaid(address=event.address, model="m", price=price)
        yield event
        if isinstance(event, TurnBegun) and not isinstance(following, TurnBegun):
            begun = (each for each in events if isinstance(each, TurnBegun) and each.seat == PERSON)
            for asked in (each for each in begun if wave_of(each.address) == wave_of(event.address)):
                yield HumanAwaited(address=asked.address, seat=PERSON, key=asked.address, task=asked.brief)
            yield from (Paused(by="ann"), Resumed(by="bob")) if wave_of(event.address) == 1 else ()


def stands(progress):
    return {
        "open": sorted([address, address in progress.answered] for address in progress.open),
        "awaited": sorted(progress.awaited),
        "spending": {"calls": progress.calls, "spent": progress.spent, "unpriced": progress.unpriced},
        "pausedBy": progress.paused_by,
        "over": progress.ending is not None,
    }


def rows(events):
    progress = RunProgress()
    for event in events:
        progress.apply(event)
        yield stands(progress)


def main():
    events = [event.model_copy(update={"seq": seq}) for seq, event in enumerate(log())]
    told = zip(events, rows(events), strict=True)
    lines = (json.dumps([EVENT.dump_python(event, mode="json", exclude_none=True), row]) for event, row in told)
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


if __name__ == "__main__":
    main()
