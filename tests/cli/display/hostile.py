"""Strings that want to take a terminal over, in every place where a debate lets strangers write."""

import random
import re

from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan
from hustings.script.debate import header
from hustings.transcript.events import (
    AttemptRejected,
    CallPaid,
    DebateStarted,
    HumanAwaited,
    NoteTaken,
    OutcomeReached,
    RoundOpened,
    ScoreGiven,
    TextStreamed,
    TurnBegun,
    TurnEntered,
)
from hustings.transcript.models import Attempt, RunMetadata, Turn
from hustings.transcript.notes import Deadlocked, Note, Subject

OWN = re.compile(r"\r\x1b\[J|\x1b\[[0-9;]*m|\r(?:\x1b\[[1-9][0-9]*A)?(?=\r\x1b\[J|$)")
"""What the view itself paints with: erasing its footer, colours, and the way back to where the footer begins."""
FOREIGN = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
PARTS = (
    *(
        "\x1b[2J",
        "\x1b[1;1H",
        "\x1b[31m",
        "\x1b[5A",
        "\x1b[J",
        "\r\x1b[J",
        "\x1b[6n",
        "\x1bc",
        "\x1b[?1049h",
        "\x1b[?25l",
    ),
    *("\x1b]0;owned\x07", "\x1b]8;;http://127.0.0.1/\x1b\\", "\x1b]52;c;YQ==\x07", "\x1bP+q544e\x1b\\"),
    *("\x9b2J", "\x9d0;x\x9c", "\x90q\x9c", "\x07", "\x08" * 5, "\r", "\n", "\t", "\v", "\f", "\0", "\x7f", "\x85"),
    *("\u202e", "\u2066", "\u2028", "\ufeff", "\u200b", "\U000e0041", "\ud800", "\udfff", "é", "日本語", "👩\u200d💻"),
    *("[bold red]", "[link=http://127.0.0.1]x[/link]", "[/]", ":smile:", "\\", '"', "\\u001b[2J", "\\u009b"),
    *("{", "}", "[", "]", "`", "words ", "PRO (r1.t0):"),
)


def strings(count, seed):
    rng = random.Random(seed)
    return ["".join(rng.choice(PARTS) for _ in range(rng.randint(1, 8))) for _ in range(count)]


def opening(topic):
    debate = plan(find_protocol("competition"), "A motion")
    return DebateStarted(header=header(debate.model_copy(update={"topic": topic}), "r", "2026", RunMetadata()))


def events(words, n):
    """Three strangers' strings in one wave, wherever there is room for them."""
    first, second, third = words
    seats, wave = ("pro_1", first, "judge"), f"{n % 1000:03d}"
    addresses = [f"{wave}.{place}" for place in range(3)]
    yield RoundOpened(round_index=1, label=first)
    for address, seat in zip(addresses, seats, strict=True):
        yield TurnBegun(address=address, seat=seat, brief=second, on_record=True, attempt=0, words=5)
    yield HumanAwaited(address=addresses[2], seat=third, task=first)
    for address, text in zip(addresses, (first, f'{{"{second}": ["{third}', f"```json\n[{first}"), strict=True):
        yield TextStreamed(address=address, attempt=0, text=text)


def rest(words, n):
    first, second, third = words
    attempt = Attempt(attempt_index=0, timestamp="", status="ok", content=first)
    turn = Turn(turn_id=f"r1.t{n}", round_index=1, turn_index_in_round=0, speaker_id=second, attempts=[attempt])
    yield TurnEntered(turn=turn)
    yield AttemptRejected(
        address=third, seat=third, brief=second, on_record=True, attempt=attempt, complaints=(first, third)
    )
    for kind, body in (
        ("docket", {second: third}),
        ("violation", {"rule": first, "seat": second}),
        ("blind", {"model_spec": first, "answer": second, "confidence": 1}),
    ):
        yield NoteTaken(note=Note(note_id="n", kind=kind, by="rules", created_at="", body=body))
    marks = {"about": first, second: {"score": 1, "quote": third}}
    yield ScoreGiven(
        note=Note(note_id="n", kind="score", by=third, created_at="", about=(Subject(turn_id=third),), body=marks)
    )
    yield CallPaid(address=f"{n % 1000:03d}.0", model=first, price=None)
    yield OutcomeReached(outcome=Deadlocked(issues=(first,)))


def foreign(painted):
    """What the view did not paint itself."""
    return FOREIGN.findall(OWN.sub("", painted))
