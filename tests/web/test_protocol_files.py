"""A protocol in a file is for the user of the machine alone: no door of a server opens one, not even one it loaded."""

import asyncio
import json

import pytest

from hustings.runs.protocol_files import load_protocol
from hustings.runs.request import DebateRequest, build_spec
from tests.mcp.rig import over_http, over_pipe, refused
from tests.rig.postgres import ready_sqlite_file
from tests.rig.protocol_file import DUEL, own_file

from .rig import MOTION, fresh, served

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server with a worker, and with every door open."""
    with fresh("sqlite", tmp_path_factory.mktemp("site")) as url, served(url, works=True, openai=True) as made:
        yield made


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return own_file(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def held(site, file):
    """A debate under a file that the user of this machine began, and that the server's worker held in this process."""
    loaded = load_protocol(file.path)
    spec = build_spec(DebateRequest(protocol="duel", own_protocol=loaded, question=MOTION, model="improviser"), {})
    site.state.operator.control.enter(spec)
    return site.ended(spec.run_id)


@pytest.fixture
def changed(file, held):
    """The file with other code, which leaves a trace if it is run."""
    file.write(DUEL.replace("two points", "three points"))
    file.trace.unlink(missing_ok=True)
    return file


@pytest.fixture(params=["duel", "duel.py", "./duel.py", "the whole path"])
def name(request, changed):
    return str(changed.path) if request.param == "the whole path" else request.param


def test_the_workers_of_a_server_hold_it(site, held):
    report = site.http.get(f"/api/debates/{held}").json()["report"]
    assert (report["ending"], report["protocol"].startswith("duel/1+")) == ("played", True)


# -- it is named -----------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["debates", "estimates"])
def test_over_http_it_is_unknown(site, name, changed, what):
    answer = site.http.post(f"/api/{what}", json={"question": MOTION, "protocol": name, "model": "improviser"})
    assert (answer.status_code, answer.json()["title"]) == (422, "Unknown protocol.")
    assert (str(changed.path) in answer.text, changed.was_run()) == (False, False)


def test_over_http_no_request_brings_one(site, changed):
    asked = {"question": MOTION, "protocol": "duel", "model": "improviser"}
    for more in ({"own_protocol": str(changed.path)}, {"protocol_file": {"path": str(changed.path)}}):
        assert site.http.post("/api/debates", json={**asked, **more}).status_code == 422
    assert not changed.was_run()


def test_it_is_not_among_the_protocols_of_a_server(site, held):
    assert "duel" not in [one["name"] for one in site.http.get("/api/about").json()["protocols"]]


@pytest.mark.parametrize("shape", ["chat/completions", "responses"])
def test_as_a_model_it_is_unknown(site, name, changed, shape):
    words = {"messages": [{"role": "user", "content": MOTION}], "input": MOTION}
    answer = site.http.post(f"/v1/{shape}", json={"model": f"hustings/{name}", **words})
    assert (answer.status_code, changed.was_run()) == (404, False)


def test_it_is_not_among_the_models(site, held):
    assert not [one["id"] for one in site.http.get("/v1/models").json()["data"] if "duel" in one["id"]]


@pytest.mark.parametrize("brain", ["models", "you"])
def test_a_tool_over_http_does_not_know_it(site, name, changed, brain):
    async def ask():
        async with over_http(site.url) as client:
            return await refused(
                client, "debate_start", question=MOTION, protocol=name, model="improviser", brain=brain
            )

    assert "nknown protocol" in asyncio.run(ask())
    assert not changed.was_run()


def test_a_tool_over_a_pipe_does_not_know_it(tmp_path, changed):
    async def ask():
        async with over_pipe(tmp_path, ready_sqlite_file(tmp_path)) as client:
            asked = {"question": MOTION, "model": "improviser", "protocol": str(changed.path)}
            return [await refused(client, "debate_start", brain=brain, **asked) for brain in ("models", "you")]

    assert all("no protocol" in said for said in asyncio.run(ask()))
    assert not changed.was_run()


# -- a debate under it is there --------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("forks", {"turn": "r2.t1"}),
        ("repeats", {}),
        ("repeats", {"swapped": True}),
        ("questions", {"question": "And buses?"}),
    ],
)
def test_over_http_nothing_new_begins_under_it(site, held, changed, what, body):
    before = len(site.state.operator.runs.latest(most=100))
    answer = site.http.post(f"/api/debates/{held}/{what}", json=body)
    assert answer.status_code in {409, 422}
    assert (len(site.state.operator.runs.latest(most=100)), changed.was_run()) == (before, False)


def test_over_http_one_that_failed_is_not_tried_again_under_it(site, file, changed):
    """One that was cancelled without its file."""
    loaded = load_protocol(changed.path)
    spec = build_spec(DebateRequest(protocol="duel", own_protocol=loaded, question=MOTION, model="improviser"), {})
    site.state.operator.control.enter_here(spec, "nobody", paused=True)
    changed.trace.unlink(missing_ok=True)
    answer = site.http.post(f"/api/debates/{spec.run_id}/retry", json={"instead": True})
    assert (answer.status_code, changed.was_run()) == (422, False)
    assert "which only its own user may run" in answer.text


def test_whoever_reads_it_runs_nothing_and_learns_no_path(site, held, changed):
    for path in (
        "",
        "/view",
        "/live",
        "/export?format=json",
        "/export?format=html",
        "/documents",
        "/board",
        "/summary",
    ):
        answer = site.http.get(f"/api/debates/{held}{path}")
        assert str(changed.path.parent) not in answer.text
    assert str(changed.path.parent) not in json.dumps(site.events(held))
    assert not changed.was_run()


def test_an_imported_transcript_that_names_it_runs_nothing(site, held, changed):
    told = site.http.get(f"/api/debates/{held}/export", params={"format": "transcript"}).json()
    told["run_metadata"]["protocol"] = f"{changed.path}/1"
    told.pop("integrity")
    headers = {"Content-Type": "application/octet-stream"}
    answer = site.http.post("/api/debates/import", content=json.dumps(told).encode(), headers=headers)
    run_id = answer.json()["debates"][0]["run_id"]
    assert site.http.post(f"/api/debates/{run_id}/verdicts", json={"judges": ["improviser"]}).status_code == 202
    site.ended(run_id, follows=1)
    assert not changed.was_run()
