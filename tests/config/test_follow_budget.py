"""A protocol that goes by its budget is told the budget of its run, and what all seats would cost."""

import pytest

from hustings.config.plan_run import plan_run
from hustings.config.variables import variables
from hustings.errors import Unsuitable
from hustings.runs.request import DebateRequest


@pytest.fixture(autouse=True)
def _keyed(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-nobody-calls-this")


def settings(**more):
    request = DebateRequest(**{"protocol": "adaptive", "question": "Is it so?", "model": "openai/gpt-4o", **more})
    return plan_run(request, variables()).spec.debate.settings


def test_what_a_run_may_cost_is_what_is_left_for_it():
    assert settings(budget=0.25)["budget"] == 0.25
    assert settings()["budget"] == 1.0


def test_all_seats_cost_what_the_estimate_says():
    assert 0 < settings()["extended_cost"] < 1
    assert settings(model="improviser")["extended_cost"] == 0.0


def test_figures_that_were_set_stay():
    chosen = settings(settings={"budget": 7.0, "extended_cost": 3.0}, budget=0.25)
    assert (chosen["budget"], chosen["extended_cost"]) == (7.0, 3.0)


def test_all_seats_that_the_budget_cannot_pay_for_are_refused_before_any_call():
    with pytest.raises(Unsuitable, match=r"all seats would cost about \$0\.\d\d, and the debate may cost \$0\.00"):
        settings(settings={"extent": "extended"}, budget=0.000001)


def test_what_all_seats_cost_does_not_depend_on_the_extent_that_was_chosen():
    costs = {settings(settings={"extent": extent})["extended_cost"] for extent in ("auto", "standard", "extended")}
    assert len(costs) == 1


def test_other_protocols_know_no_such_figures():
    assert "budget" not in settings(protocol="structured")
