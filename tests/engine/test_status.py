"""Metrics agree with `hustings list --json`, after restarts, faults, cancelled and deleted runs, on each database."""

import json

import pytest

from hustings.engine import status as status_module
from hustings.engine.status import Status
from tests.cli.console import run
from tests.rig.metric_sums import counted, disagreements

pytestmark = pytest.mark.both_databases


def listed(url):
    told = run("list", "--json", "--limit", 100_000, "--database", url)
    return json.loads(told.stdout)


def must_agree(rig, *statuses):
    reports = listed(rig.url)
    assert [disagreements(status, reports) for status in statuses] == [{}] * len(statuses)
    return reports


def test_sums_equal_the_list_after_two_restarts_with_faults_and_a_deleted_run(rig, monkeypatch):
    monkeypatch.setattr(status_module, "FRESH_SECONDS", 0.0)
    old = Status(rig.database)
    for restart in range(3):
        ended = [rig.play(rig.model_spec()).run_id for _ in range(2)]
        must_agree(rig, old, Status(rig.database))
        rig.provider.plan(rate=0.7, faults=["empty", "no_usage"], patience=2)
        rig.play(rig.model_spec(), seconds=60)
        reports = must_agree(rig, old, Status(rig.database))
        assert sum(report["calls"] for report in reports) > 0
        if restart < 2:
            rig.tidy()
            rig.close()
            rig.open()
    rig.control.forget(ended[0])
    must_agree(rig, old, Status(rig.database))


def test_without_faults_every_token_and_cent_has_its_model(rig, monkeypatch):
    monkeypatch.setattr(status_module, "FRESH_SECONDS", 0.0)
    before, spec = counted(Status(rig.database)), rig.model_spec()
    seen = rig.play(spec)
    after = counted(Status(rig.database))
    model = seen.of("call_paid")[0].model
    paid = [event for event in seen.of("call_paid") if event.model == model]

    def grown(name, label, text):
        return after[name, label, text] - before.get((name, label, text), 0)

    assert grown("hustings_tokens_total", "direction", "in") == sum(event.tokens_in for event in paid)
    assert grown("hustings_tokens_total", "direction", "out") == sum(event.tokens_out for event in paid)
    assert grown("hustings_cost_usd_total", "model", model) == pytest.approx(seen.report.spent)
    assert grown("hustings_calls_total", "kind", "ok") == len(paid) == seen.report.calls
    assert after["hustings_call_seconds_count"] - before["hustings_call_seconds_count"] == len(paid)
    assert (after["hustings_workers"], after["hustings_runs_unqueued"]) == (1, 0)


def test_requests_that_were_refused_unpaid_are_no_further_calls(rig, monkeypatch):
    monkeypatch.setattr(status_module, "FRESH_SECONDS", 0.0)
    rig.provider.plan(rate=1.0, faults=["status429_now"], patience=1)
    before = counted(Status(rig.database))
    seen = rig.play(rig.model_spec(), seconds=60)
    must_agree(rig, Status(rig.database))
    after = counted(Status(rig.database))
    grown = {name: after[name] - before.get(name, 0) for name in ("hustings_calls_total", "hustings_requests_total")}
    assert grown["hustings_requests_total"] > grown["hustings_calls_total"] == seen.report.calls
