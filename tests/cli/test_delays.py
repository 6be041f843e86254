"""What a person reads while calls fail and wait: lines, the row of a seat, the foot."""

import json
from pathlib import Path

import pytest

from hustings.cli.narrate import Narrator
from hustings.db.instants import instant
from hustings.report.delay_text import delay_words, endpoint_line, endpoint_troubles, fault_words, unanswered_words
from hustings.transcript.events import AttemptRejected, CallDelayed, TextStreamed, TurnBegun
from hustings.transcript.models import Attempt

from .display.scenes import Stand, context, until

EVENTS, ADDRESSES = until("structured", "opening")
ADDRESS = ADDRESSES[0]
SEAT = next(event.seat for event in EVENTS if isinstance(event, TurnBegun) and event.address == ADDRESS)
NOW = 1_800_000_000.0
UNANSWERED = json.loads((Path(__file__).parents[1] / "web/unanswered.json").read_text("utf-8"))
"""What the pages say too: frontend/src/live/agreed.test.ts."""


def delayed(**more):
    usual = {"model": "openai_compatible/fake", "endpoint": "127.0.0.1:9", "at": instant(NOW), "reason": "fault"}
    fault = {"fault": "overloaded", "words": "server error 500", "times": 1, "wait": 80.0}
    return CallDelayed(**{"address": ADDRESS, "seat": SEAT, **usual, **fault, **more})


def lines(*events):
    narrator = Narrator()
    narrator.recall(EVENTS)
    return [line.text for event in events for line in narrator.tell(event)]


def waiting(*events, columns=80):
    """A stand just after these events; its clock stands at a quarter of a minute."""
    stand = Stand(columns)
    stand.display.floor.time_of_day = lambda: NOW + stand.now
    stand.show(*EVENTS, *events)
    return stand


def row(stand):
    stand.paint()
    return next(line for line in stand.terminal.below if line.startswith(SEAT.upper()))


def foot(stand):
    stand.paint()
    return stand.terminal.below[-1]


# -- words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "detail", "words"),
    [
        ("overloaded", "ModelServerError status_code=500", "server error 500"),
        ("timed_out", "ModelRequestTimeout", "no answer within 40 s"),
        ("unreachable", "ModelConnectionError phase=connect", "could not reach the server"),
        ("unreachable", "its certificate is not trusted (self-signed)", "its certificate is not trusted (self-signed)"),
        ("garbled", "", "an unreadable answer"),
    ],
)
def test_a_fault_is_named_in_plain_words(kind, detail, words):
    assert fault_words(kind, detail, 40.0, begun=False) == words


def test_words_of_a_server_are_short_and_on_one_line():
    words = fault_words("unreachable", "went\naway\x1b[2J " + "x" * 10_000, 1.0, begun=False)
    assert (len(words) < 200, "\n" in words, "\x1b" in words) == (True, False, False)


def test_a_fault_is_counted_and_the_next_try_named():
    assert delay_words(delayed(times=5), 80.0) == "server error 500, five times · next try in 1:20"


def test_a_try_that_runs_again_says_which_it_is():
    again = delayed(words="no answer within 40 s", fault="timed_out", times=1, most=4)
    assert delay_words(again, 0.0) == "no answer within 40 s · asking again, 2 of 4"


def test_a_try_that_was_the_last_says_so():
    assert delay_words(delayed(wait=None, times=2), None) == "server error 500, twice · not asked again"


@pytest.mark.parametrize("case", UNANSWERED, ids=lambda case: case["says"])
def test_a_silence_is_told_with_its_length_and_what_becomes_of_it(case):
    assert unanswered_words(delayed(**case["delay"]), case["seconds"], case["left"]) == case["says"]


def test_a_breaker_says_that_it_is_open_and_why():
    assert endpoint_line(delayed(reason="breaker", times=5, wait=None)) == (
        "fake at 127.0.0.1:9 does not answer: server error 500, five times. One call every 30 s until it does."
    )


def test_five_time_outs_of_one_server_are_told_with_the_setting_that_helps():
    slow = [delayed(fault="timed_out", words="no answer within 2 s", seat=str(n)) for n in range(12)]
    assert [endpoint_line(each) for each in endpoint_troubles(slow)] == [
        "fake at 127.0.0.1:9 gave no answer within 2 s, five times. Allow more: LLM_FIRST_TOKEN_TIMEOUT"
    ]
    assert not [*endpoint_troubles(slow[:4])]


# -- lines -----------------------------------------------------------------------------------


def test_equal_faults_of_one_seat_are_one_line_until_the_wait_is_long():
    tries = [delayed(times=n, wait=float(n)) for n in range(1, 5)]
    assert lines(*tries, delayed(times=5)) == [
        f"  {SEAT.upper()} · server error 500 · next try in 0:01",
        f"  {SEAT.upper()} · server error 500, five times · next try in 1:20",
    ]


def test_another_fault_is_a_line_of_its_own():
    assert len(lines(delayed(wait=1.0), delayed(wait=1.0, fault="garbled", words="an unreadable answer"))) == 2


def test_an_open_breaker_is_one_line_for_all_seats():
    assert len(lines(*(delayed(reason="breaker", seat=seat, address=f"000.{seat}") for seat in "123"))) == 1


def test_equal_complaints_in_a_row_are_counted_and_not_repeated():
    attempt = Attempt(attempt_index=0, status="retry", content="x", timestamp=instant(NOW), participants=["con"])
    back = AttemptRejected(
        address=ADDRESS, seat="con", brief="x", on_record=True, attempt=attempt, complaints=("too long", "no quote")
    )
    other = back.model_copy(update={"complaints": ("empty",)})
    assert lines(back, back, back, other) == [
        "  con: retrying: too long; no quote",
        "  con: retrying: the same, twice",
        "  con: retrying: the same, three times",
        "  con: retrying: empty",
    ]


# -- the row of a seat, and the foot ---------------------------------------------------------


def test_the_row_of_a_seat_counts_its_silence_and_says_when_it_is_asked_again():
    stand, seat = waiting(delayed(times=5)), SEAT.upper()
    stand.now = 75.0
    assert row(stand) == f"{seat} has not answered for 75 s (server error 500, five times); next try in 0:05"
    stand.now = 90.0
    assert row(stand).startswith(f"{seat} has not answered for 90 s (server error 500, five times); asking again")


def test_after_two_minutes_without_an_answer_the_foot_says_what_to_do():
    stand = waiting(delayed())
    stand.now = 119.0
    before = foot(stand)
    stand.now = 120.0
    assert (before.endswith("nothing is lost"), foot(stand)) == (
        True,
        f"1. opening · Ctrl-C pauses; other model: hustings resume last --seat {SEAT}=MODEL",
    )


def test_whoever_speaks_for_long_is_not_said_to_be_silent():
    stand = waiting(*(TextStreamed(address=address, attempt=0, text="Well, then.") for address in ADDRESSES))
    stand.now = 300.0
    assert foot(stand).endswith("Ctrl-C pauses; nothing is lost")


def test_words_end_a_delay():
    stand = waiting(delayed(), TextStreamed(address=ADDRESS, attempt=1, text="Well, then."))
    assert row(stand).startswith(f"{SEAT.upper()} speaking")


def test_a_delay_that_is_told_after_the_words_of_the_next_try_changes_nothing():
    stand = waiting(TextStreamed(address=ADDRESS, attempt=1, text="Well, then."), delayed(attempt=0))
    assert row(stand).startswith(f"{SEAT.upper()} speaking")


def test_in_a_live_view_delays_leave_no_lines_and_a_breaker_leaves_one():
    stand = waiting(delayed(), delayed(reason="breaker", times=5, wait=None), columns=120)
    stand.close()
    told = [line.strip() for line in stand.terminal.lines if "500" in line]
    assert told == ["fake at 127.0.0.1:9 does not answer: server error 500, five times. One call every 30 s until it"]


def test_after_ten_quiet_seconds_the_foot_says_that_nothing_is_lost():
    stand = waiting(delayed())
    stand.now = 9.0
    before = foot(stand)
    stand.now = 10.0
    stand.show(delayed(times=2))
    assert (before.endswith("Ctrl-C to pause"), foot(stand).endswith("Ctrl-C pauses; nothing is lost")) == (True, True)


def test_a_replay_keeps_its_own_keys():
    stand = waiting()
    stand.display.floor.keys, stand.now = "q to quit", 60.0
    assert foot(stand).endswith("q to quit")


def test_while_it_pauses_the_foot_counts_the_answers_to_come():
    stand = waiting()
    many = len(stand.display.floor.open)
    stand.display.pausing()
    assert foot(stand) == f"pausing: {many} answers to come · Ctrl-C leaves at once"
    stand.show(delayed())
    assert foot(stand) == f"pausing: {many - 1} {'answer' if many == 2 else 'answers'} to come · Ctrl-C leaves at once"


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_a_row_is_narrower_than_the_terminal(columns):
    assert len(row(waiting(delayed(times=5, words="x" * 150), columns=columns))) < columns


def test_a_log_without_delays_has_the_lines_it_had():
    events = context("structured")[0]
    assert not any("·" in line and "next try" in line for line in lines(*events))
