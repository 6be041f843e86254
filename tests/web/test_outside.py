"""Seen from outside: health, readiness with its reason, and metrics that an oracle can read."""

import http.client
import shutil
import time

import httpx2 as httpx
import pytest
import sqlalchemy as sa
from prometheus_client.parser import text_string_to_metric_families

from hustings.db import leases, migrate
from hustings.db.connection import connect
from hustings.db.metering import BUCKETS, Booked, CallGroup, CallSums
from hustings.engine import status as status_module
from hustings.engine.status import Snapshot, Status
from hustings.web.metrics import MOST_MODELS, prometheus_text
from hustings.web.outside import PlainAnswer, metrics, metrics_port
from tests.rig.fixtures import own_cluster  # noqa: F401
from tests.rig.waiting import until

from .rig import fresh, served

WANTED = {
    "hustings_runs": "gauge",
    "hustings_runs_unqueued": "gauge",
    "hustings_queue_depth": "gauge",
    "hustings_oldest_waiting_seconds": "gauge",
    "hustings_workers": "gauge",
    "hustings_calls": "counter",
    "hustings_requests": "counter",
    "hustings_calls_unanswered": "gauge",
    "hustings_tokens": "counter",
    "hustings_misreported": "counter",
    "hustings_cost_usd": "counter",
    "hustings_held_usd": "gauge",
    "hustings_call_seconds": "histogram",
}


@pytest.fixture(autouse=True)
def _look_anew(monkeypatch):
    """A look at the database serves for a second; these tests change it faster."""
    monkeypatch.setattr(status_module, "FRESH_SECONDS", 0.0)


def read(text):
    return {family.name: family for family in text_string_to_metric_families(text)}


def value(text, name, **labels):
    samples = [one for family in read(text).values() for one in family.samples]
    return sum(one.value for one in samples if one.name == name and labels.items() <= one.labels.items())


# -- the server ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def closed(tmp_path_factory):
    """A server with a token, and without a worker."""
    with fresh("sqlite", tmp_path_factory.mktemp("outside")) as url, served(url) as made:
        yield made, made.caller("ann")


def test_health_and_readiness_need_no_token_and_say_only_that(closed):
    site, _ = closed
    told = {path: site.http.get(path) for path in ("/healthz", "/readyz")}
    assert {path: (each.status_code, each.text) for path, each in told.items()} == {
        "/healthz": (200, "ok\n"),
        "/readyz": (200, "ready\n"),
    }
    assert all(each.headers["cache-control"] == "no-store" for each in told.values())


def test_metrics_need_the_token_of_an_owner(closed):
    site, ann = closed
    assert (site.http.get("/metrics").status_code, ann.get("/metrics").status_code) == (401, 200)
    assert site.http.get("/metrics", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert [site.caller("ann", role).get("/metrics").status_code for role in ("viewer", "judge")] == [403, 403]


def test_nothing_is_posted_to_them(closed):
    _, ann = closed
    assert [ann.post(path, json={}).status_code for path in ("/healthz", "/readyz", "/metrics")] == [405, 405, 405]


def test_an_oracle_reads_every_metric_and_no_label_holds_a_run_or_an_owner(closed):
    site, ann = closed
    run_id = site.begin(ann, model="improviser")
    text = ann.get("/metrics").text
    assert {name: family.type for name, family in read(text).items()} == WANTED
    assert value(text, "hustings_runs", state="waiting") == value(text, "hustings_queue_depth", queue="debates") == 1
    assert (run_id in text, "ann" in text) == (False, False)


def test_a_run_that_the_engine_does_not_know_raises_the_alarm(closed, monkeypatch):
    site, ann = closed
    monkeypatch.setattr("hustings.engine.unqueued.GRACE", -1.0)
    before = value(ann.get("/metrics").text, "hustings_runs_unqueued")
    run_id = site.begin(ann, model="improviser")
    site.state.operator.engine.delete({run_id: 0})
    assert (before, value(ann.get("/metrics").text, "hustings_runs_unqueued")) == (0, 1)


def test_other_tables_and_a_lost_lease_make_it_unready(closed, monkeypatch):
    site, _ = closed

    def told():
        answer = site.http.get("/readyz")
        return answer.status_code, answer.text

    def at(version):
        with site.state.database.writing() as db:
            db.execute(sa.text("update hustings_version set version_num = :v"), {"v": version})

    head = migrate.HEAD
    at("0999")
    status, text = told()
    assert status == 503
    assert f"another version of hustings (its tables have version 0999, and this one needs {head})" in text
    at(head)
    monkeypatch.setattr(site.state.status, "worker", "one")
    leases.take(site.state.database, "one", 60)
    assert told() == (200, "ready\n")
    leases.release(site.state.database, "one")
    assert told() == (503, "not ready: the worker has lost its lease: restart it\n")
    leases.take(site.state.database, "one", -1)
    assert told()[1].startswith("not ready: the worker's lease has expired")
    leases.release(site.state.database, "one")


def test_a_file_that_is_gone_makes_it_unready(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        path = tmp_path / url.rpartition("/")[2]
        shutil.move(path, tmp_path / "elsewhere")
        answer = site.http.get("/readyz")
        shutil.move(tmp_path / "elsewhere", path)
        assert (answer.status_code, answer.text) == (503, "not ready: the database file is missing\n")
        assert site.http.get("/readyz").status_code == 200


def test_a_server_that_is_away_makes_it_unready_until_it_is_back(own_cluster):  # noqa: F811
    with served(own_cluster.url) as site:
        assert site.http.get("/readyz").status_code == 200
        own_cluster.crash()
        answer, counted = site.http.get("/readyz"), site.http.get("/metrics")
        assert (answer.status_code, answer.text) == (503, "not ready: the database does not answer\n")
        assert (counted.status_code, counted.json()["title"]) == (503, "the database does not answer")
        assert metrics(site.state.status) == PlainAnswer(503, "no metrics: the database does not answer\n")
        assert site.http.get("/healthz").status_code == 200
        own_cluster.start()
        until(lambda: site.http.get("/readyz").status_code == 200, 10)


def test_a_database_that_hangs_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(status_module, "READY_SECONDS", 0.2)
    with fresh("sqlite", tmp_path) as url:
        status = Status(connect(url))
        monkeypatch.setattr(migrate, "version_of", lambda _: time.sleep(1))
        assert status.not_ready() == "the database has not answered for 0 seconds"


# -- the port of its own -------------------------------------------------------------------


def test_the_port_of_its_own_answers_on_this_machine_under_its_own_names(tmp_path):
    with fresh("sqlite", tmp_path) as url:
        status = Status(database := connect(url), worker="")
        migrate.upgrade(database)
        with metrics_port(status, 0) as port:
            base = f"http://127.0.0.1:{port}"
            assert httpx.get(f"{base}/healthz").text == "ok\n"
            told = httpx.get(f"{base}/readyz")
            assert (told.status_code, told.text) == (503, "not ready: the worker has not started yet\n")
            assert httpx.head(f"{base}/healthz").text == ""
            assert httpx.get(f"{base}/api/debates").status_code == 404
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/metrics", headers={"Host": "evil.example"})
            assert connection.getresponse().status == 421
            connection.close()
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{base}/healthz")
        database.close()


# -- the text ------------------------------------------------------------------------------


def snapshot_of(usage, booked=Booked(0, 0, 0, 0)):  # noqa: B008  frozen
    return Snapshot({"ended": 1}, 0, {"debates": 0}, 0.0, 1, usage, booked)


def test_any_name_of_a_model_comes_back_from_the_oracle():
    name = 'a "quoted" \\ name\nof two lines, ümläut {}'
    text = prometheus_text(snapshot_of({CallGroup(name, "ok", 0): CallSums(3, 2_500_000, 10, 20, 3, 600)}))
    assert value(text, "hustings_calls_total", model=name, kind="ok") == 3
    assert value(text, "hustings_cost_usd_total", model=name) == 2.5
    assert value(text, "hustings_tokens_total", model=name, direction="out") == 20


def test_a_server_that_makes_up_names_gets_no_series_for_each():
    usage = {CallGroup(f"m-{n}", "ok", 0): CallSums(calls=1) for n in range(5 * MOST_MODELS)}
    calls = read(prometheus_text(snapshot_of(usage)))["hustings_calls"].samples
    assert (len(calls), sum(one.value for one in calls)) == (MOST_MODELS + 1, 5 * MOST_MODELS)


def test_the_histogram_is_cumulative_and_its_count_is_its_last_bucket():
    usage = {CallGroup("m", "ok", n): CallSums(calls=1, timed=1, milliseconds=1000) for n in range(len(BUCKETS) + 1)}
    text = prometheus_text(snapshot_of(usage))
    buckets = [one for one in read(text)["hustings_call_seconds"].samples if one.name.endswith("_bucket")]
    assert [one.value for one in buckets] == [float(n) for n in range(1, len(BUCKETS) + 2)]
    assert value(text, "hustings_call_seconds_count") == value(text, "hustings_call_seconds_sum") == len(BUCKETS) + 1


def test_what_is_booked_beyond_the_models_is_told_as_unknown():
    usage = {CallGroup("m", "ok", 0): CallSums(2, 100, 10, 5), CallGroup("unknown", "unknown", 0): CallSums(calls=1)}
    text = prometheus_text(snapshot_of(usage, Booked(calls=4, tokens=40, money=300, held=7)))
    assert value(text, "hustings_calls_total") + value(text, "hustings_calls_unanswered") == 4
    assert value(text, "hustings_tokens_total") == 40
    assert value(text, "hustings_tokens_total", direction="unknown") == 25
    assert value(text, "hustings_cost_usd_total") == pytest.approx(0.0003)
