import asyncio
import json
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from random import Random

import pytest

from hustings.engine.live_text import MOST_WAITING, Bus, PostgresRelay, payloads
from hustings.transcript.events import TextStreamed
from tests.rig.fixtures import postgres_url

__all__ = ["postgres_url"]
SPEAKER = """
import sys, time
from hustings.transcript.events import TextStreamed
from hustings.engine.live_text import Bus, PostgresRelay
relay = PostgresRelay(Bus(), sys.argv[1], "the other process")
relay.start()
for n in range(100):
    relay.publish("run", TextStreamed(address="000.0 pro opening", attempt=2, text=f"{n} "))
relay.publish("another run", TextStreamed(address="000.0 pro opening", attempt=0, text="not for us"))
time.sleep(1)
relay.close()
"""


@pytest.fixture
def bus():
    return Bus()


@contextmanager
def listening(bus, run_id="run"):
    heard = []
    with bus.listening(run_id, heard.append):
        yield heard


def piece(text):
    return TextStreamed(address="a", attempt=0, text=text)


def words(heard):
    return "".join(piece.text for piece in heard)


# -- within a process ------------------------------------------------------------------------


def test_pieces_come_in_the_order_they_were_said(bus):
    with listening(bus) as heard:
        for n in range(50):
            bus.publish("run", piece(str(n)))
    assert [piece.text for piece in heard] == [str(n) for n in range(50)]


def test_everybody_who_listens_hears_every_piece(bus):
    with listening(bus) as one, listening(bus) as other:
        bus.publish("run", piece("x"))
    assert one == other == [piece("x")]


def test_nobody_hears_another_run(bus):
    with listening(bus) as heard:
        bus.publish("elsewhere", piece("x"))
    assert heard == []


def test_whoever_has_left_hears_no_more(bus):
    with listening(bus) as heard:
        pass
    bus.publish("run", piece("x"))
    assert (heard, dict(bus._listeners)) == ([], {})


def test_pieces_can_be_awaited(bus):
    async def listen():
        heard, pieces = [], bus.subscribe("run")
        first = asyncio.ensure_future(anext(pieces))
        await asyncio.sleep(0)
        threading.Thread(target=lambda: [bus.publish("run", piece(each)) for each in "xyz"]).start()
        heard.append((await first).text)
        heard += [(await anext(pieces)).text for _ in range(2)]
        await pieces.aclose()
        return heard

    assert asyncio.run(listen()) == ["x", "y", "z"]


def test_a_slow_listener_misses_pieces_instead_of_keeping_everybody_waiting(bus):
    async def listen():
        pieces = bus.subscribe("run")
        first = asyncio.ensure_future(anext(pieces))
        await asyncio.sleep(0)
        for n in range(2 * MOST_WAITING):
            bus.publish("run", piece(str(n)))
        await first
        await asyncio.sleep(0.01)
        behind = pieces.ag_frame.f_locals["waiting"].qsize()
        await pieces.aclose()
        return behind

    assert asyncio.run(listen()) <= MOST_WAITING


def test_the_words_of_a_debate_are_heard_while_they_come(rig):
    rig.provider.plan(delay=0.2)
    made = rig.spec(rig.model_spec())
    with listening(rig.worker.bus, made.run_id) as heard:
        rig.worker.start(made.run_id)
        seen = rig.ended(made.run_id)
    opening = [piece.text for piece in heard if piece.address == "000.0 pro opening"]
    answer = next(json.loads(row.answer)["text"] for row in seen.rows if row.key.startswith("000.0 "))
    assert (len(opening) > 1, "".join(opening)) == (True, answer)


def test_a_call_that_is_made_again_begins_its_words_anew(rig):
    made = rig.spec(rig.model_spec("stream_cut"), retries=0)
    with listening(rig.worker.bus, made.run_id) as heard:
        rig.worker.start(made.run_id)
        rig.until(lambda: any(said.attempt == 2 for said in heard))
    rig.control.steer(made.run_id, "cancel")
    opening = [said.attempt for said in heard if said.address == "000.0 pro opening"]
    assert (opening, {said.attempt for said in heard}) == (sorted(opening), {0, 1, 2})


# -- between processes -----------------------------------------------------------------------


@pytest.mark.nightly("two processes; words of this one are heard on every change")
def test_words_of_another_process_are_heard_gathered_and_in_order(postgres_url, bus):
    relay = PostgresRelay(bus, postgres_url, "this process")
    relay.start()
    time.sleep(0.3)
    try:
        with listening(bus) as heard:
            subprocess.run([sys.executable, "-c", SPEAKER, postgres_url], check=True, timeout=30)
            until = time.monotonic() + 5
            while len(words(heard).split()) < 100 and time.monotonic() < until:
                time.sleep(0.02)
    finally:
        relay.close()
    assert (words(heard).split(), len(heard) <= 5) == ([str(n) for n in range(100)], True)
    assert {(said.address, said.attempt) for said in heard} == {("000.0 pro opening", 2)}


def test_ones_own_words_are_not_heard_twice(postgres_url, bus):
    relay = PostgresRelay(bus, postgres_url, "this process")
    relay.start()
    try:
        with listening(bus) as heard:
            relay.publish("run", piece("once"))
            time.sleep(1)
    finally:
        relay.close()
    assert words(heard) == "once"


def test_a_database_that_is_away_costs_words_and_nothing_else(bus):
    relay = PostgresRelay(bus, "postgresql://postgres@127.0.0.1:9/nowhere", "alone")
    relay.start()
    with listening(bus) as heard:
        relay.publish("run", piece("still heard here"))
        time.sleep(0.6)
    relay.close()
    assert words(heard) == "still heard here"


SIGNS = 'ab "\\\n\0\x7fäß–„漢字😀\ud800\u2028'
LENGTHS = (0, 1, 7, 200, 4_000, 20_000)


def gathered_by(seed, lengths=LENGTHS):
    """What a quarter of a second may bring; the engine's threads use the shared chance, so this is one of our own."""
    rng = Random(seed)

    def text(signs, length):
        return "".join(rng.choice(signs) for _ in range(length))

    def place():
        return text("abc-:", rng.randint(1, 128)), text("0123. abc", rng.randint(0, 60)), rng.randint(0, 9)

    return {
        place(): [text(SIGNS, rng.choice(lengths)) for _ in range(rng.randint(1, 4))] for _ in range(rng.randint(0, 40))
    }


def must_all_be_taken(seed, lengths):
    assert all(len(payload.encode()) < 8000 for payload in payloads("w" * (seed * 2), gathered_by(seed, lengths)))


@pytest.mark.parametrize("seed", range(40))
def test_every_notification_is_one_that_postgresql_takes(seed):
    must_all_be_taken(seed, (0, 1, 7, 200, 2_500))


@pytest.mark.nightly("seven times the time, for longer text")
@pytest.mark.parametrize("seed", range(40))
def test_every_notification_of_long_pieces_is_one_that_postgresql_takes(seed):
    must_all_be_taken(seed, LENGTHS)


def test_many_small_pieces_are_within_the_limit_too():
    gathered = {("r", f"{n:03d}.0 a b", 0): ["x"] for n in range(2000)}
    sizes = [len(payload.encode()) for payload in payloads("name", gathered)]
    assert (max(sizes) < 8000, len(sizes) < 12) == (True, True)


@pytest.mark.parametrize("seed", range(10))
def test_short_pieces_arrive_whole(seed):
    gathered = gathered_by(seed, (0, 1, 7, 200))
    sent = [tuple(piece) for payload in payloads("n", gathered) for piece in json.loads(payload)[1]]
    assert sent == [(*place, "".join(texts)) for place, texts in gathered.items()]
