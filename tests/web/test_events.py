"""The stream of events: live and replayed alike, cut anywhere and resumed without loss."""

import random
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import count

import httpx2 as httpx
import pytest

from hustings.transcript.events import EVENT, TextStreamed, TurnBegun
from hustings.web import event_stream
from hustings.web.event_stream import LiveWords
from hustings.web.limits import Limits
from tests.rig.waiting import until

from .rig import messages

CUTS = (
    20,
    pytest.param(300, marks=pytest.mark.nightly("three hundred cuts")),
    pytest.param(1_000, marks=[pytest.mark.weekly("a thousand"), pytest.mark.timeout(900)]),
)
"""While debates run."""
VIEWERS = 6


@pytest.fixture(scope="module")
def played(site):
    return site.play(protocol="competition")


def numbered(told):
    return [(number, event) for number, event in told if number is not None]


def logged(site, run_id):
    return [event.model_dump(mode="json") for event in site.state.operator.runs.events(run_id)]


def test_the_stream_of_a_debate_that_is_over_is_its_log(site, played):
    told = site.events(played)
    assert [event for _, event in told[:-1]] == logged(site, played)
    assert told[-1] == (None, "end")


def test_numbers_are_places_in_the_log(site, played):
    told = numbered(site.events(played))
    assert [number for number, _ in told] == [event["seq"] for _, event in told] == [*range(len(told))]


@pytest.mark.parametrize("how", ["header", "query"])
def test_whoever_comes_back_gets_what_follows(site, played, how):
    whole = site.events(played)
    for place in (0, 1, len(whole) // 2, len(whole) - 2):
        given = {"headers": {"Last-Event-ID": str(place)}} if how == "header" else {"params": {"after": place}}
        with site.http.stream("GET", f"/api/debates/{played}/events", **given) as answer:
            assert list(messages(answer.iter_lines())) == whole[place + 1 :]


def test_a_stream_says_how_it_wants_to_be_treated(site, played):
    with site.http.stream("GET", f"/api/debates/{played}/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert (answer.headers["cache-control"], answer.headers["x-accel-buffering"]) == ("no-store", "no")


@pytest.mark.nightly("a whole competition; streams of one are cut anywhere on every change")
def test_a_viewer_who_watches_live_sees_what_the_log_holds(site):
    run_id = site.begin(protocol="competition")
    told = site.events(run_id)
    assert [event for _, event in numbered(told)] == [
        e.model_dump(mode="json") for e in site.state.operator.runs.events(run_id)
    ]


@pytest.mark.nightly("a whole competition; words in progress are told on every change")
def test_words_stand_between_their_question_and_its_turn(site):
    run_id = site.begin(protocol="competition")
    told = [event for _, event in site.events(run_id)[:-1]]
    begun = set()
    for event in map(EVENT.validate_python, told):
        match event:
            case TurnBegun():
                begun.add(event.address)
            case TextStreamed():
                assert event.address in begun
            case _:
                pass
    assert any(event["kind"] == "text_streamed" for event in told)


@pytest.mark.parametrize("least", CUTS)
def test_a_stream_cut_anywhere_loses_and_doubles_nothing(site, least):
    """Viewers of running debates hang up after any number of events, and come back with the last number they saw."""
    cuts = 0
    while cuts < least:
        run_id, rng = site.begin(protocol="competition"), random.Random(cuts)
        with ThreadPoolExecutor(VIEWERS) as viewers:
            seeds = rng.sample(range(999), VIEWERS)
            found = [*viewers.map(lambda seed, run=run_id: cut_and_resumed(site, run, seed), seeds)]
        log = logged(site, run_id)
        assert [seen == log for seen, _ in found] == [True] * VIEWERS
        cuts += sum(count for _, count in found)


def cut_and_resumed(site, run_id, seed):
    """What one viewer saw, and how often they were cut off while the debate ran."""
    rng, seen, cuts, over = random.Random(seed), [], 0, False
    with httpx.Client(base_url=site.url, timeout=30) as http:
        while not over:
            headers = {"Last-Event-ID": str(seen[-1]["seq"])} if seen else {}
            patience = rng.choice((1, 1, 2, 3, 5, 8, 40))
            with http.stream("GET", f"/api/debates/{run_id}/events", headers=headers) as answer:
                for number, event in messages(answer.iter_lines()):
                    over = event == "end"
                    if number is not None:
                        seen.append(event)
                        patience -= 1
                    if not patience:
                        cuts += site.state.operator.runs.read(run_id).state == "running"
                        break
    return seen, cuts


def test_words_in_progress_are_told_from_their_beginning_to_whoever_comes(site):
    """Whether somebody watched when they began, or not."""
    run_id = site.begin(seats={"con": "human"})
    path = f"/api/debates/{run_id}/events"
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    begun = next(e for e in logged(site, run_id) if e["kind"] == "human_awaited")
    site.state.bus.publish(run_id, TextStreamed(address=begun["address"], attempt=0, text="One "))
    with site.http.stream("GET", path) as answer:
        lines = messages(answer.iter_lines())
        for piece in ("two ", "three"):
            site.state.bus.publish(run_id, TextStreamed(address=begun["address"], attempt=0, text=piece))
        assert "".join(_words(lines, begun["address"], 3)) == "One two three"
        with site.http.stream("GET", path, headers={"Last-Event-ID": str(begun["seq"])}) as again:
            assert "".join(_words(messages(again.iter_lines()), begun["address"], 1)) == "One two three"
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def _words(told, at, most):
    """Pieces said at an address until three words are there."""
    said = []
    for _, event in told:
        if event["kind"] == "text_streamed" and event["address"] == at:
            said.append(event["text"])
        if len("".join(said).split()) == 3:
            break
    assert len(said) <= most
    return said


def test_words_of_another_try_begin_anew():
    at, channel, words = "000.0 pro opening", event_stream.Channel("run", -1), LiveWords()
    begun = TurnBegun(address=at, seat="pro", brief="opening", on_record=True, attempt=0)
    channel.take([event_stream.framed(0, begun.model_dump_json())], over=False)
    viewer = event_stream.Viewer(channel, words, -1)
    words.on_text("run", TextStreamed(address=at, attempt=0, text="first"))
    assert b'"text":"first"' in viewer.next()
    words.on_text("run", TextStreamed(address=at, attempt=1, text="second"))
    assert b'"attempt":1,"text":"second"' in viewer.next()


def test_words_of_runs_that_fell_silent_are_forgotten():
    at, words = "000.0 pro opening", LiveWords()
    for n in range(3):
        piece = TextStreamed(address=at, attempt=0, text=f"said {n}")
        words.on_text(f"run-{n}", piece, now=n * (event_stream.SILENT_SECONDS - 1))
    heard = [words.since(f"run-{n}", at, None)[0] for n in range(3)]
    assert [piece and piece.text for piece in heard] == [None, "said 1", "said 2"]


def test_many_viewers_share_one_reader(site, monkeypatch):
    looks = []
    look = type(site.state.feed)._look
    monkeypatch.setattr(
        type(site.state.feed), "_look", lambda self, places: (looks.append(time.monotonic()), look(self, places))[1]
    )
    run_id = site.begin(seats={"con": "human"})
    begun, seen = time.monotonic(), []

    def watch():
        with httpx.Client(base_url=site.url, timeout=30) as http:
            seen.append(site.events(run_id, http=http))

    threads = [threading.Thread(target=watch) for _ in range(20)]
    for thread in threads:
        thread.start()
    until(lambda: site.state.feed.watched == 20)
    site.http.post(f"/api/debates/{run_id}/cancel")
    for thread in threads:
        thread.join()
    assert len(seen) == 20
    assert all(numbered(told) == numbered(seen[0]) for told in seen)
    assert len(looks) <= 3 + (time.monotonic() - begun) / event_stream.TICK


def test_a_run_that_is_deleted_while_watched_ends_its_stream(site):
    run_id = site.begin(seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    with site.http.stream("GET", f"/api/debates/{run_id}/events") as answer:
        lines = messages(answer.iter_lines())
        next(lines)
        site.http.post(f"/api/debates/{run_id}/cancel")
        assert [event for _, event in lines][-1] == "end"


def test_a_viewer_who_does_not_read_is_cut_and_holds_nobody_up(site, played, monkeypatch):
    monkeypatch.setattr("hustings.web.routes.live.STUCK", 0.5)
    host, port = site.url.removeprefix("http://").split(":")
    run_id = site.begin(seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["questions"])
    at = next(e["address"] for e in logged(site, run_id) if e["kind"] == "human_awaited")
    tries = count()

    def cut():
        """The same speech, begun anew again and again: more than any buffer between us holds."""
        site.state.bus.publish(run_id, TextStreamed(address=at, attempt=next(tries), text="word " * 20_000))
        return site.state.streams["owner:local"] == 0

    with socket.socket() as line:
        line.connect((host, int(port)))
        line.sendall(f"GET /api/debates/{run_id}/events HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n".encode())
        until(lambda: site.state.streams["owner:local"] == 1)
        until(cut, 40)
        assert site.events(played)[-1] == (None, "end")
    site.http.post(f"/api/debates/{run_id}/cancel")
    site.ended(run_id)


def test_too_many_streams_of_one_owner_are_refused(site, played, monkeypatch):
    monkeypatch.setattr(site.state, "setting", replace(site.state.setting, limits=Limits(streams=0)))
    assert site.http.get(f"/api/debates/{played}/events").status_code == 429


def test_the_document_holds_every_kind_of_event(site):
    document = site.http.get("/api/openapi.json").json()
    kinds = document["components"]["schemas"]["Event"]["discriminator"]["mapping"]
    assert set(kinds) == set(EVENT.json_schema()["discriminator"]["mapping"])
