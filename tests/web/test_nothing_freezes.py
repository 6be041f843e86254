"""What one caller sends takes a server no longer than its length explains, and is parsed outside of its process.

A pattern that takes time with the square of its text holds the interpreter, and so everything: streams, other callers,
and the heartbeat by which a worker keeps its lease. Time is that of computing, so that other work does not count.
"""

import resource
import time
from contextlib import contextmanager
from dataclasses import replace

import pytest

from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse

from .rig import MOTION, fresh, served

BYTES = {"Content-Type": "application/octet-stream"}
OPEN_TAGS = b"word" + b"<i> " * 60_000 + b"end"


@pytest.fixture(scope="module")
def ann(tmp_path_factory):
    with fresh("sqlite", tmp_path_factory.mktemp("frozen")) as url, served(url, works=True) as site:
        yield site, site.caller("ann")


def of_readers():
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


@contextmanager
def computing(server=1.0, readers=0.0):
    """The server computes for no longer than so many seconds, nor do the processes that it starts to read files."""
    before, before_reading = time.process_time(), of_readers()
    yield
    own, reading = time.process_time() - before, of_readers() - before_reading
    assert own < server, f"{own:.1f} s"
    assert reading <= readers, f"{reading:.1f} s"


def read(http, name, content):
    return http.post("/api/documents/read", params={"name": name}, content=content, headers=BYTES)


def test_a_page_of_open_tags_is_read_in_a_process_of_its_own(ann):
    _, http = ann
    read(http, "a.html", b"<p>word")
    with computing(server=0.5, readers=4.0):
        answer = read(http, "a.html", OPEN_TAGS)
    assert (answer.status_code, answer.json()["media"]) == (200, "html")


@pytest.mark.parametrize("text", ["<!--" * 10_000, "[" * 16_000, "![" * 30_000, "# a" + " " * 10_000 + "b"])
def test_a_title_is_found_in_repeated_signs(ann, text):
    _, http = ann
    text = f"{text} word"
    body = {"question": MOTION, "model": "improviser", "judges": "none", "background": {"text": text}}
    assert http.post("/api/estimates", json={**body, "background": {"text": "word"}}).status_code == 200
    with computing(server=1.0):
        assert read(http, "a.md", text.encode()).status_code == 200
        assert http.post("/api/estimates", json=body).status_code == 200


def test_a_speech_of_open_brackets_is_judged(ann):
    site, http = ann
    text = f"Ann: {'[' * 25_000}\n\nBob: No, it is not so.\n\nAnn: It is.\n\nBob: No."
    answer = http.post("/api/debates/import", params={"topic": "Q", "name": "a.txt"}, content=text, headers=BYTES)
    run_id = answer.json()["debates"][0]["run_id"]
    with computing(server=6.0):
        verdict = http.post(f"/api/debates/{run_id}/verdicts", json={"judges": ["improviser"]})
        site.ended(verdict.json()["run_id"], http)


def test_an_import_of_lines_that_could_be_names_is_read_in_a_process_of_its_own(ann):
    _, http = ann
    lines = b"\n".join([b"a" + b" " * 198] * 15_000)
    with computing(server=1.0, readers=3.0):
        answer = http.post("/api/debates/import", params={"topic": "Q"}, content=lines, headers=BYTES)
    assert (answer.status_code, answer.json()["title"]) == (422, "No speaker was found, and a debate has two or more")


@pytest.mark.parametrize("sign", [".", "[", "“", "word "])
@pytest.mark.parametrize(("protocol", "settings"), [("roundtable", {"seats": 2, "rounds": 1}), ("competition", {})])
def test_a_debate_goes_on_when_a_model_repeats_a_sign_without_end(protocol, settings, sign):
    calls = []

    def without_end(call):
        calls.append(call)
        reply = Improviser()(call)
        return replace(reply, text=f"{reply.text} {sign * (24_000 // len(sign))}x") if call.brief.form.prose else reply

    debate = plan(find_protocol(protocol), MOTION, settings=settings, model="improviser")
    began = time.thread_time()
    rehearse(debate, without_end)
    assert time.thread_time() - began < 1 + 0.15 * len(calls)
