"""A client whose line breaks and who asks again comes back to the same debate, and pays for one."""

import random
import threading
import time

import httpx2
import openai
import pytest

from hustings.db.listing import DebateFilter
from hustings.runs.debate_rows import debate_rows
from hustings.runs.queries import RunQueries
from hustings.web.routes.openai import held
from tests.rig.waiting import until

from .rig import MODEL, asked, client

pytestmark = pytest.mark.timeout(300)


def run_of(door, words, **headers):
    answer = client(door).chat.completions.with_raw_response.create(
        model=MODEL, messages=asked(words), extra_headers=headers
    )
    return answer.headers["x-hustings-run"]


def debates_on(door, words):
    rows, _ = debate_rows(RunQueries(door.state.database), None, 200, DebateFilter(query=words))
    return [row.run_id for row in rows]


def test_the_same_key_is_the_same_debate(door):
    first, second = (run_of(door, "Is salt good?", **{"Idempotency-Key": "salt-1"}) for _ in range(2))
    assert first == second


def test_another_key_is_another_debate(door):
    first, second = (run_of(door, "Is soap good?", **{"Idempotency-Key": f"soap-{n}"}) for n in range(2))
    assert first != second


def test_a_key_for_another_question_is_refused(door):
    run_of(door, "Is sand good?", **{"Idempotency-Key": "sand"})
    with pytest.raises(openai.ConflictError):
        run_of(door, "Is clay good?", **{"Idempotency-Key": "sand"})


def test_the_same_messages_within_ten_minutes_are_the_same_debate(door):
    assert run_of(door, "Is iron good?") == run_of(door, "Is iron good?")


def test_a_debate_that_is_led_to_again_says_so(door):
    for _ in range(2):
        answer = client(door).chat.completions.with_raw_response.create(model=MODEL, messages=asked("Is zinc good?"))
    assert "Idempotency-Key" in answer.headers["x-hustings-note"]


def test_the_same_messages_after_ten_minutes_are_another_debate(door, monkeypatch):
    first = run_of(door, "Is lead good?")
    monkeypatch.setattr(held, "AGAIN_SECONDS", 0.0)
    assert run_of(door, "Is lead good?") != first


def test_requests_at_the_same_moment_are_one_debate(door):
    found = []
    threads = [threading.Thread(target=lambda: found.append(run_of(door, "Is gold good?"))) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (len(found), len(set(found))) == (10, 1)


@pytest.mark.parametrize(
    "questions", [2, pytest.param(10, marks=pytest.mark.nightly("a hundred lines; twenty are broken on every change"))]
)
def test_broken_lines_make_no_second_debate(door, questions):
    """Each question is cut ten times at a random moment, and then asked to the end. A busy machine is cut earlier."""
    rng = random.Random(21)

    def cut(words, *, stream):
        body = {"model": MODEL, "messages": asked(words), "stream": stream}
        try:
            with door.http.stream(
                "POST", "/v1/chat/completions", json=body, timeout=httpx2.Timeout(5, read=rng.uniform(0.01, 0.5))
            ) as answer:
                for _ in zip(range(rng.randrange(12)), answer.iter_lines(), strict=False):
                    pass
        except httpx2.TimeoutException:
            pass

    for number in range(questions):
        words = f"Is metal {number} of {questions} good?"
        for line in range(10):
            cut(words, stream=line % 2 == 0)
        run_of(door, words)
        assert len(debates_on(door, words)) == 1


def test_a_client_that_leaves_does_not_stop_the_debate(door):
    body = {"model": MODEL, "messages": asked("Is wool good?"), "stream": True}
    with door.http.stream("POST", "/v1/chat/completions", json=body) as answer:
        run_id = answer.headers["x-hustings-run"]
    runs = RunQueries(door.state.database)
    assert until(lambda: runs.read(run_id).state == "ended")


def test_a_silent_stream_shows_that_it_lives(door, monkeypatch):
    """With a hundredth of the ten seconds."""
    monkeypatch.setattr(held, "QUIET_SECONDS", 0.1)
    monkeypatch.setattr(held, "POLL_SECONDS", 0.05)
    body = {"model": "hustings/competition", "messages": asked("Is silk good?"), "stream": True}
    with door.http.stream("POST", "/v1/chat/completions", json=body, timeout=120) as answer:
        begun = time.monotonic()
        assert any(line == ": still debating" for line in answer.iter_lines())
    assert time.monotonic() - begun < 100
