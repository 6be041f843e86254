"""Imports over HTTP: bytes in, debates out, for their owner alone; errors repeat nothing of the file."""

import json

import pytest

from hustings.web.limits import FILE

from .rig import fresh, served

BYTES = {"Content-Type": "application/octet-stream"}
TOPIC = "Should towns close their centres to cars?"
TEXT = f"{TOPIC}\nAda: Yes, they are loud.\nBen: No, shops need them.\nAda: Shops gain.\nBen: They do not."


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with fresh("sqlite", tmp_path_factory.mktemp("imports")) as url, served(url, works=True) as site:
        yield site


@pytest.fixture
def ann(site):
    return site.caller("ann")


def send(http, content=TEXT, headers=None, **params):
    raw = content if isinstance(content, bytes) else content.encode()
    return http.post("/api/debates/import", params=params, content=raw, headers=headers or BYTES)


def test_a_file_becomes_a_debate_that_is_listed_and_opened(ann):
    answer = send(ann, name="chat.txt")
    (found,) = answer.json()["debates"]
    assert (answer.status_code, found["question"], found["turns"], found["badges"]) == (
        201,
        TOPIC,
        4,
        ["debaters unknown"],
    )
    assert found["run_id"] in [one["run_id"] for one in ann.get("/api/debates").json()["debates"]]
    view = ann.get(f"/api/debates/{found['run_id']}/view").json()
    assert (view["topic"], view["made"], len(view["speeches"])) == (TOPIC, "imported", 4)
    assert view["summary"] == "Imported. Debaters unknown. Not judged yet."
    assert ann.get(f"/api/debates/{found['run_id']}").json()["viewable"]
    for form in ("md", "html", "json", "transcript", "csv"):
        assert ann.get(f"/api/debates/{found['run_id']}/export", params={"format": form}).status_code == 200


def test_the_same_file_is_found_again_and_only_by_its_owner(site, ann):
    text = TEXT.replace("loud", "large")
    first, second, bobs = (send(http, text).json()["debates"][0] for http in (ann, ann, site.caller("bob")))
    assert (first["before"], second["before"], bobs["before"]) == (False, True, False)
    assert first["run_id"] == second["run_id"] != bobs["run_id"]
    assert site.caller("bob").get(f"/api/debates/{first['run_id']}").status_code == 404


def test_options_are_those_of_the_command(ann):
    said = [{"role": "assistant", "content": "Words."}]
    many = json.dumps({f"Q{n}?": [[said, said], n] for n in (1, 2, 3)})
    assert send(ann, many).status_code == 422
    found = send(ann, many, **{"as": "contexts", "item": "all"}).json()["debates"]
    assert [one["question"] for one in found] == ["Q1?", "Q2?", "Q3?"]
    (one,) = send(ann, "Ada: Yes.\nBen: No.", topic=TOPIC, speakers="Ada, Ben").json()["debates"]
    assert one["speakers"] == ["Ada", "Ben"]


@pytest.mark.parametrize(
    "params",
    [{"as": "novel"}, {"item": "0"}, {"item": "-1"}, {"topic": "a\0"}, {"name": "a\nb"}],
)
def test_an_option_that_does_not_fit_is_refused(ann, params):
    assert send(ann, **params).status_code == 422


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"schema_version": "2.0.0", "debate_id": "sk-live-abcdef123456"}',
        b'{"topic": "q", "messages": [{"source": "sk-live\\nabc", "content": "x"}, {"source": "b", "content": "y"}]}',
        b"q\nSecretname: only one.\nSecretname: again.",
        b'[{"content": NaN}]',
    ],
)
def test_a_broken_file_is_refused_in_words_that_repeat_nothing_of_it(ann, content):
    answer = send(ann, content)
    assert (answer.status_code, answer.headers["content-type"]) == (422, "application/problem+json")
    assert answer.json()["title"]
    assert answer.json()["fix"]
    assert not [secret for secret in ("sk-live", "Secretname") if secret in answer.text]


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "multipart/form-data"])
def test_a_file_comes_as_bytes_alone(ann, kind):
    assert send(ann, headers={"Content-Type": kind}).status_code == 415


def test_a_file_is_limited_in_size(ann):
    assert send(ann, b"a" * (FILE.bytes + 1)).status_code == 413


def test_it_is_judged_and_never_forked(site, ann):
    run_id = send(ann, TEXT.replace("loud", "green")).json()["debates"][0]["run_id"]
    assert ann.post(f"/api/debates/{run_id}/forks", json={}).status_code == 422
    assert ann.post(f"/api/debates/{run_id}/resume").status_code == 409
    begun = ann.post(f"/api/debates/{run_id}/verdicts", json={"judges": ["improviser"]})
    assert begun.status_code == 202
    site.ended(begun.json()["run_id"], ann)
    assert ann.get(f"/api/debates/{run_id}/view").json()["judgement"]
