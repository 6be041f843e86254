"""A key in the wrong field is not sent back, whatever is wrong with the request; and nothing of the inside is told."""

import logging

import pytest

from hustings.web.problems import discreet
from hustings.web.schemas import Problem

from .rig import MOTION

KEY = "sk-canary-0123456789abcdef"
WHOLE = {
    "question": MOTION,
    "protocol": "structured",
    "settings": {},
    "model": "improviser",
    "seats": {},
    "judges": "none",
    "control": False,
    "budget": 1.0,
    "language": "en",
    "seed": 1,
}
BODIES = [
    *(("/api/debates", {**WHOLE, field: KEY}) for field in WHOLE if field != "question"),
    *(("/api/estimates", {**WHOLE, field: KEY}) for field in WHOLE if field != "question"),
    ("/api/debates", {**WHOLE, KEY: 1}),
    ("/api/debates", {**WHOLE, "settings": {KEY: 1}}),
    ("/api/debates", {**WHOLE, "settings": {"rounds": KEY}, "protocol": "roundtable"}),
    ("/api/debates", {**WHOLE, "seats": {KEY: "improviser"}}),
    ("/api/debates", {**WHOLE, "seats": {"pro": KEY}}),
    ("/api/debates", {**WHOLE, "judges": [KEY]}),
    ("/api/debates", {**WHOLE, "question": [KEY]}),
    ("/api/debates", {**WHOLE, "question": KEY * 100}),
    ("/api/debates", [KEY]),
    ("/api/debates", KEY),
    ("/api/session", {"token": KEY}),
    ("/api/session", {"token": KEY * 20}),
    ("/api/session", {KEY: KEY}),
    ("/api/debates/{run}/forks", {"turn": KEY}),
    ("/api/debates/{run}/forks", {"turn": f"!{KEY}"}),
    ("/api/debates/{run}/forks", {"settings": {KEY: 1}}),
    ("/api/debates/{run}/verdicts", {"judges": [KEY]}),
    ("/api/debates/{run}/verdicts", {"judges": KEY}),
    ("/api/debates/{run}/estimates", {"judges": [KEY]}),
    ("/api/debates/{run}/evaluations", {"judges": [KEY]}),
    ("/api/debates/{run}/evaluations", {"options": [KEY]}),
    ("/api/debates/{run}/evaluations", {"rung": KEY}),
    ("/api/debates/{run}/speeches", {"seat": KEY, "text": KEY}),
    ("/api/debates/{run}/speeches", {"seat": "con", "text": KEY, "key": KEY}),
    ("/api/debates/{run}/votes", {"winner": None, "remark": KEY * 100}),
    ("/api/debates/{run}/votes", {"winner": f"!{KEY}"}),
    ("/api/debates/{run}/votes", {"winner": None, "standings": {KEY: KEY}}),
    *((f"/api/debates/{{run}}/{what}", {KEY: 1}) for what in ("forks", "verdicts", "evaluations", "speeches", "votes")),
]
QUERIES = [
    ("/api/debates", {"cursor": KEY}),
    ("/api/debates", {"state": KEY}),
    ("/api/debates", {"limit": KEY}),
    ("/api/debates/{run}/export", {"format": KEY}),
    ("/api/debates/{run}/view", {"blind": KEY}),
    ("/api/debates/{run}/events", {"after": KEY}),
    ("/api/debates/" + KEY, {}),
    ("/api/debates/!" + KEY, {}),
    ("/api/comparisons", {"first": KEY, "second": KEY}),
    ("/api/stability", {"run": KEY}),
    ("/api/" + KEY, {}),
]


@pytest.fixture(scope="module")
def run(site):
    return site.play()


@pytest.mark.parametrize(("path", "body"), BODIES)
def test_no_answer_repeats_what_was_sent(site, run, path, body, caplog):
    with caplog.at_level(logging.DEBUG):
        answer = site.http.post(path.replace("{run}", run), json=body)
    assert 400 <= answer.status_code < 500, answer.text
    assert KEY not in answer.text
    assert KEY not in str(answer.headers)
    assert KEY not in caplog.text


@pytest.mark.parametrize(("path", "query"), QUERIES)
def test_no_answer_repeats_what_was_asked(site, run, path, query):
    answer = site.http.get(path.replace("{run}", run), params=query)
    assert 400 <= answer.status_code < 500, answer.text
    assert KEY not in answer.text + str(answer.headers)


NO_JSON = [b"", b"{", b"\xff\xfe", b'{"question": "' + KEY.encode(), b"[" * 100_000, b"1e999"]
DEEP = [b'{"question": "x", "settings": {"a": ' + b"[" * depth + b"]" * depth + b"}}" for depth in (300, 900, 5000)]


@pytest.mark.parametrize("body", [*NO_JSON, *DEEP])
def test_what_cannot_be_read_is_refused_in_words(site, body):
    answer = site.http.post("/api/debates", content=body, headers={"Content-Type": "application/json"})
    assert (answer.status_code in {400, 422}, answer.headers["content-type"]) == (True, "application/problem+json")
    assert KEY not in answer.text


def test_known_names_stay_readable():
    problem = Problem(title="no seat hustings-key under 'structured'", status=422)
    told = discreet(problem, b'{"protocol": "structured", "seats": {"hustings-key": 1}}', frozenset({"structured"}))
    assert told.title == "no seat … under 'structured'"


def test_what_goes_wrong_inside_stays_inside(site, monkeypatch, caplog):
    def broken(*_):
        raise RuntimeError("the password is hunter2")

    monkeypatch.setattr("hustings.web.routes.debates.debate_rows", broken)
    answer = site.http.get("/api/debates")
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert "hunter2" not in answer.text
    assert "RuntimeError" in caplog.text
