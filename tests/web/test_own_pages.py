"""Settings, check-up, costs, saved panels and open questions: what each tells, to whom, and what it never tells."""

import json

import pytest

from hustings.config.variables import variables
from tests.cli.console import run
from tests.config.machine import machine
from tests.rig.provider import serving

from .rig import fresh, served

__all__ = ["machine"]
KEY = "sk-canary-7f3a9b2c"
PANEL = {
    "name": "Two <b>judges</b> & a person",
    "protocol": "structured",
    "settings": {"closing_words": 100},
    "model": "improviser",
    "seats": {"con": "human"},
    "personas": {"pro": "dry"},
    "judges": ["improviser"],
    "control": True,
    "repeats": 3,
    "swapped": True,
}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A server, and a debate with its control and judging. A busy machine may take a minute for them."""
    with fresh("sqlite", tmp_path_factory.mktemp("costs")) as url, served(url, works=True) as site:
        run_id = site.begin(judges=["improviser"], control=True, model="improviser")
        site.ended(run_id, follows=2, seconds=90)
        yield site, url


def test_every_table_of_costs_sums_up_to_what_the_list_shows(played):
    site, url = played
    listed = json.loads(run("list", "--json", "--database", url).stdout)
    found = site.http.get("/api/costs").json()
    for table in ("days", "protocols", "kinds", "owners"):
        rows = found[table]
        assert sum(row["runs"] for row in rows) == len(listed) == found["total"]["runs"], table
        assert sum(row["calls"] for row in rows) == sum(run["calls"] for run in listed), table
        assert sum(row["tokens"] for row in rows) == sum(run["tokens"] for run in listed), table
        assert sum(row["spent"] for row in rows) == pytest.approx(sum(run["spent"] for run in listed), abs=1e-9), table
    assert sum(row["calls"] for row in found["models"]) == found["total"]["calls"]
    assert {row["name"] for row in found["kinds"]} == {"debate", "judging", "control"}


def test_what_nobody_has_priced_stands_apart_from_what_is_known(played):
    """A provider that reports no tokens is booked at the most that its calls can cost, and the page says so."""
    site, _ = played
    with site.state.database.writing() as db:
        run_id = site.http.get("/api/debates").json()["debates"][0]["run_id"]
        db.exec_driver_sql(f"update hustings_budget set spent = 500000 where id = 'run:{run_id}'")
        db.exec_driver_sql(
            "update hustings_call set price = 500000, unproven_tokens = 1, tokens = tokens + 1 "
            f"where lineage = '{run_id}' and key = (select min(key) from hustings_call where lineage = '{run_id}')"
        )
    found = site.http.get("/api/costs").json()
    assert (found["total"]["spent"], found["total"]["presumed"]) == (0.5, 0.5)
    assert sum(row["spent"] for row in found["models"]) == 0.5
    assert sum(row["presumed"] for row in found["models"]) == 0.5


def test_limits_are_told_with_what_is_used_of_them(played):
    site, _ = played
    site.state.operator.budgets.set_caps("local", total=None, day=2_000_000)
    day, total = site.http.get("/api/costs").json()["caps"]
    assert (day["what"], day["cap"], total["what"], total["cap"]) == ("day", 2.0, "total", None)


def test_a_time_that_is_none_is_refused(played):
    site, _ = played
    assert site.http.get("/api/costs?since=soon").status_code == 422
    assert site.http.get("/api/costs?since=1d").json()["total"]["runs"] == 3
    assert site.http.get("/api/costs?since=2999-01-01").json()["total"]["runs"] == 0


def test_a_panel_is_saved_replaced_and_deleted_as_it_was_given(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        assert only_given(site.http.post("/api/panels", json=PANEL)) == [PANEL]
        other = {**PANEL, "repeats": 1}
        assert only_given(site.http.post("/api/panels", json=other)) == [other]
        assert site.http.delete("/api/panels", params={"name": PANEL["name"]}).status_code == 204
        assert site.http.get("/api/panels").json()["panels"] == []


def only_given(answer):
    """Panels without the fields that nobody gave, which have their defaults."""
    return [{name: panel[name] for name in PANEL} for panel in answer.json()["panels"]]


@pytest.mark.parametrize(
    "wrong", [{"name": ""}, {"name": "a\nb"}, {"repeats": 0}, {"settings": {"a": "x" * 20_000}}, {"more": 1}]
)
def test_a_panel_that_cannot_be_one_is_refused(tmp_path, wrong):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        assert site.http.post("/api/panels", json={**PANEL, **wrong}).status_code == 422


def test_settings_are_told_with_their_origin_and_no_key(tmp_path, machine):
    machine.project("protocol = 'roundtable'\n[con]\nprovider = 'mistral'\nmodel = 'mistral-small'\n")
    machine.has(MISTRAL_API_KEY=KEY)
    machine.user(json.dumps({"PRO_LLM_API_KEY": KEY}), "keys.json")
    with fresh("sqlite", tmp_path) as url, served(url, look=variables) as site:
        answer = site.http.get("/api/settings")
    found = answer.json()
    options = {row["name"]: (row["value"], row["origin"]) for row in found["options"]}
    keys = {row["name"]: row["place"] for row in found["keys"]}
    assert (options["protocol"], options["budget"]) == (("roundtable", "hustings.toml"), (None, "built in"))
    assert [(one["name"], one["model"], one["key"]) for one in found["models"]] == [
        ("con", "mistral/mistral-small", "MISTRAL_API_KEY")
    ]
    assert (keys["MISTRAL_API_KEY"], keys["PRO_LLM_API_KEY"], keys["OPENAI_API_KEY"]) == ("env", "key file", "")
    assert KEY not in answer.text
    assert KEY[-4:] not in answer.text


def test_the_check_up_of_the_page_is_that_of_the_terminal(tmp_path, machine):
    machine.has(OPENAI_API_KEY=KEY)
    machine.project("[nobody_1]\nmodel = 'x'\nprovider = 'ollama'\n")
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        answer = site.http.get("/api/checkup")
        told = json.loads(run("doctor", "--json", "--database", url).stdout)
    changing = {"disk", "server", "model"}  # the terminal looks at the usual ports as well
    page = [one for one in answer.json()["findings"] if one["about"] not in changing]
    terminal = [{**one, "fix": one["cure"]} for one in told if one["about"] not in changing]
    assert [{**one, "cure": one["fix"]} for one in page] == terminal
    assert "warn" in {one["state"] for one in page}
    assert KEY not in answer.text


def test_a_model_is_called_on_request_and_its_key_counts_as_checked(tmp_path, machine):
    with serving() as provider:
        machine.has(
            LLM_PROVIDER="openai_compatible", LLM_BASE_URL=provider.url, LLM_MODEL="m", LLM_API_KEY=KEY,
            LLM_PRICE_INPUT="0", LLM_PRICE_OUTPUT="0",
        )  # fmt: skip
        with fresh("sqlite", tmp_path) as url, served(url, look=variables) as site:
            before = {row["name"]: row["works"] for row in site.http.get("/api/settings").json()["keys"]}
            called = site.http.post("/api/checkup/calls")
            after = {row["name"]: row["works"] for row in site.http.get("/api/settings").json()["keys"]}
    assert [one["state"] for one in called.json()["findings"] if one["about"] == "online"] == ["ok"]
    assert (before["LLM_API_KEY"], after["LLM_API_KEY"]) == (None, True)
    assert KEY not in called.text


@pytest.mark.parametrize("path", ["/api/settings", "/api/checkup"])
def test_a_server_that_is_open_to_all_tells_strangers_nothing_of_its_machine(tmp_path, path):
    with fresh("sqlite", tmp_path) as url, served(url, unguarded=True) as site:
        assert site.http.get(path).status_code == 403
        assert site.caller("local").get(path).status_code == 200


def test_the_operator_is_who_has_a_token_of_this_machine(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url, needs_token=True) as site:
        who = [site.caller("ann"), site.caller("local", "viewer"), site.caller("local")]
        assert [http.get("/api/settings").status_code for http in who] == [403, 403, 200]


def test_caps_hold_nothing_of_another(tmp_path):
    with fresh("sqlite", tmp_path) as url, served(url) as site:
        site.state.operator.budgets.set_caps("ann", total=5_000_000, day=None)
        ann, bob = (site.caller(name).get("/api/costs").json()["caps"] for name in ("ann", "bob"))
    assert [cap["cap"] for cap in (*ann, *bob)] == [None, 5.0, None, None]
