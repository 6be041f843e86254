"""Owners: whatever belongs to one does not exist for another, by any route, to the last byte."""

import pytest

from hustings.engine.service import RunService
from hustings.lab.routes import ROUTES
from hustings.runs.queries import RunQueries
from hustings.web.app import api

from .rig import MOTION, fresh, served

pytestmark = pytest.mark.both_databases
POSTGRES_FIRST = (
    pytest.param("postgres", marks=pytest.mark.on_postgres),
    pytest.param("sqlite", marks=pytest.mark.nightly("a minute; on every change owners are kept apart on PostgreSQL")),
)

BODIES = {
    "fork": {"turn": "r1.t0"},
    "invite": {"seat": "con"},
    "evaluate": {},
    "estimate_evaluation": {},
    "judge": {},
    "rate": {"stars": 4},
    "record_outcome": {"option": "yes"},
    "estimate_verdict": {},
    "say": {"seat": "con", "text": "Words."},
    "tag": {"tags": ["mine"]},
    "retry": {},
    "hold_again": {},
    "follow_up": {"question": "And then?"},
    "tell": {"text": "Be brief."},
    "vote": {"winner": None},
}
QUERIES = {"compare": ("first", "second"), "compare_evaluations": ("first", "second"), "stability": ("run", "run")}
HARMLESS = ("forget",)
"""Tried last: where the filter is missing, nothing is left after it."""


@pytest.fixture(scope="module", params=POSTGRES_FIRST)
def shared(request, tmp_path_factory):
    """A server with two owners, and a debate of the first, played and judged."""
    with fresh(request.param, tmp_path_factory.mktemp("owners")) as url, served(url, works=True) as site:
        ann, bob = site.caller("ann"), site.caller("bob")
        run_id = site.play(ann, judges=["improviser"], follows=1)
        judging = ann.get(f"/api/debates/{run_id}").json()["follows"][0]["run_id"]
        yield site, ann, bob, (run_id, judging)


def routes():
    """Everything that takes the id of a run: name, method, path."""
    document = api(added=[ROUTES]).openapi()
    found = [(o["operationId"], m, path) for path, ms in document["paths"].items() for m, o in ms.items()]
    mine = [(name, method, path) for name, method, path in found if "{run_id}" in path or name in QUERIES]
    return sorted(mine, key=lambda route: route[0] in HARMLESS)


def asked(http, name, method, path, run_id):
    """Status and body of a call about a run."""
    params = [(key, run_id) for key in QUERIES.get(name, ())]
    if name == "stability":
        params = [("run", run_id), ("run", f"{run_id}")]
    where = path.replace("{run_id}", run_id).replace("{seat}", "pro").replace("{document}", "DOC-1")
    body = {"json": BODIES[name]} if name in BODIES else {}
    answer = http.request(method.upper(), where, params=params, **body)
    return answer.status_code, answer.content


def leaks(http, run_ids):
    """Routes that tell a stranger's run from one that never was."""
    return [
        (name, run_id)
        for name, method, path in routes()
        for run_id in run_ids
        if asked(http, name, method, path, run_id) != asked(http, name, method, path, "never-was-0a1b2c3d4e5f")
    ]


def test_every_route_is_tried():
    assert len(routes()) >= 15


def test_what_belongs_to_another_does_not_exist(shared):
    _, _, bob, run_ids = shared
    statuses = {asked(bob, *route, run_id)[0] for route in routes() for run_id in run_ids}
    assert (leaks(bob, run_ids), statuses) == ([], {404})


def test_lists_show_ones_own(shared):
    _, ann, bob, (run_id, _) = shared
    assert [d["run_id"] for d in ann.get("/api/debates").json()["debates"]] == [run_id]
    assert bob.get("/api/debates").json()["debates"] == []


def test_the_key_of_another_is_free(shared):
    site, ann, bob, _ = shared
    body, headers = {"motion": MOTION, "judges": "none"}, {"Idempotency-Key": "the-same"}
    first, second = (who.post("/api/debates", json=body, headers=headers).json()["run_id"] for who in (ann, bob))
    assert first != second
    site.ended(first, ann)
    site.ended(second, bob)


def test_the_owner_still_has_all_of_it(shared):
    _, ann, _, (run_id, judging) = shared
    assert ann.get(f"/api/debates/{run_id}/view").status_code == 200
    assert ann.get(f"/api/debates/{judging}").json()["report"]["judged"] == run_id


@pytest.mark.nightly("tries the check itself, by every route")
def test_without_the_filter_the_check_fails(shared, monkeypatch):
    """The mutant: a server that reads the runs of all owners."""
    site, _, bob, run_ids = shared
    monkeypatch.setattr(type(site.state), "service", lambda state, _: state.operator)
    assert len(leaks(bob, run_ids)) >= len(routes())


def test_the_database_is_a_second_net(shared, monkeypatch):
    """Where queries forget to look whose run it is, PostgreSQL still keeps owners apart; SQLite knows no roles."""
    site, ann, bob, _ = shared
    run_id = site.play(ann)

    def forgetful(state, owner):
        return RunService(RunQueries(state.database.acting_for(owner)), state.operator.engine)

    monkeypatch.setattr(type(site.state), "service", forgetful)
    assert bool(leaks(bob, (run_id,))) == (site.state.database.dialect == "sqlite")
