"""What a person reads in a terminal when a provider fails, and what `resume` makes of it."""

import json
import re

import pytest

from tests.rig.provider import serving

from .console import typed
from .engine import TOPIC


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


@pytest.fixture
def hold(provider, tmp_path, monkeypatch):
    """Hold a debate at this provider: exit code, all that was printed, and its id."""
    provider.plan(rate=0.0, patience=99)
    provider.reset()
    prices = {"LLM_PRICE_INPUT": "2.5", "LLM_PRICE_OUTPUT": "10", "LLM_API_KEY": "sk-test-key"}
    model = {"LLM_PROVIDER": "openai", "LLM_MODEL": "m", "LLM_BASE_URL": provider.base_url}
    for name, value in {**prices, **model, "HUSTINGS_DATABASE": f"sqlite:///{tmp_path}/h.db"}.items():
        monkeypatch.setenv(name, value)

    def hold(*options):
        code, out, err = typed("run", TOPIC, "-p", "roundtable", *options)
        return code, out + err, re.search(r"should-towns[\w-]+", out + err)[0]

    return hold


def test_no_credit_pauses_and_resume_pays_for_nothing_twice(provider, hold):
    provider.plan(rate=1.0, faults=["quota"])
    code, said, run_id = hold()
    assert code == 4
    told = f"Paused: the account at openai has no credit left. Top it up, then: hustings resume {run_id}."
    assert f"{told} Nothing said is paid for again." in " ".join(said.split())
    provider.plan(rate=0.0)
    code, out, err = typed("resume", run_id)
    assert (code, provider.ledger()["served"], provider.ledger()["served_again"]) == (0, 9, 0)
    assert "Finished" in out + err


def test_a_cap_with_room_left_is_not_told_as_spent_and_names_the_way_on(hold):
    code, said, run_id = hold("--budget", "0.03")
    assert (code, "the budget is spent" in said) == (3, False)
    assert re.search(r"The next answer could cost \$[0-9.]+ and \$[0-9.]+ are left", said)
    code, _, said = typed("resume", run_id)
    assert (code, f"hustings fork {run_id} --budget 0." in " ".join(said.split())) == (2, True)


def test_what_may_have_been_billed_is_told_as_held(provider, hold, monkeypatch):
    monkeypatch.setenv("LLM_FIRST_TOKEN_TIMEOUT", "0.5")
    provider.plan(rate=1.0, faults=["stream_cut"], patience=1)
    _, said, run_id = hold("--max-calls", "4")
    assert re.search(r"[0-9.]+ of [0-9.]+ USD, \$0\.[0-9]+ held for [1-9] calls? that may have been billed", said)
    report = json.loads(typed("show", run_id, "--json")[1])
    assert 0 < report["held"] <= report["spent"]


def test_a_debate_in_which_nobody_could_speak_fails_at_once_and_is_not_judged(provider, hold):
    provider.plan(rate=1.0, faults=["ctx_exceeded"])
    code, said, _ = hold("--judges", "auto")
    assert (code, provider.ledger()["calls"], "hustings judge" in said) == (1, 1, False)
    said = " ".join(said.split())
    assert re.search(r"Nobody could speak: the prompt needs about [\d,]+ tokens and m takes 8,192\. Choose", said)
