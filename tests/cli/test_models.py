"""`hustings models`: who could speak from here, whose key is where, and what it costs."""

import json

from tests.config.machine import machine
from tests.config.ports import answering, whole

from .console import run

__all__ = ["machine"]


def test_a_server_and_its_models_are_listed(machine):
    with answering(whole({"data": [{"id": "gemma"}]})) as number:
        machine.has(HUSTINGS_ENDPOINT=f"127.0.0.1:{number}")
        told = json.loads(run("models", "--json").stdout)
        shown = run("models").stdout
    assert {"name": "openai_compatible", "url": f"http://127.0.0.1:{number}/v1", "models": ["gemma"]} in told["servers"]
    assert f"http://127.0.0.1:{number}/v1  gemma" in shown


def test_a_server_without_a_model_is_told(machine):
    with answering(whole({"models": []})) as number:
        machine.has(OLLAMA_HOST=f"127.0.0.1:{number}")
        assert "running, but has no model" in run("models").stdout


def test_a_provider_with_a_key_is_listed_with_its_price_and_where_the_key_is_from(machine):
    machine.project("MISTRAL_API_KEY=sk-canary", ".env")
    told = run("models")
    (row,) = json.loads(run("models", "--json").stdout)["providers"]
    assert (row["key"], row["from"], row["usual_model"]) == ("MISTRAL_API_KEY", ".env", "mistral-medium-latest")
    assert row["usd_per_million"]["input"] > 0
    assert f"{row['usd_per_million']['input']:.2f} / " in told.stdout
    assert "canary" not in told.output


def test_what_is_set_up_is_listed_with_what_is_wrong(machine):
    machine.project("[con]\nprovider = 'ollama'\nmodel = 'qwen3'\n[judge]\nprovider = 'openai'\nmodel = 'gpt-5'\n")
    told = {row["for"]: row for row in json.loads(run("models", "--json").stdout)["set_up"]}
    assert told["con"]["usd_per_million"] == {"input": 0.0, "output": 0.0}
    assert "has no key" in told["judge"]["problem"]
    assert "can't be used: " in run("models").stdout


def test_a_price_that_nobody_knows_is_said_to_be_unknown(machine):
    machine.has(LLM_PROVIDER="openai_compatible", LLM_MODEL="m", LLM_BASE_URL="https://h.example", LLM_API_KEY="k")
    assert "price unknown" in run("models").stdout


def test_with_nothing_at_all_the_next_step_is_told(machine, monkeypatch):
    monkeypatch.setattr("hustings.llm.local_servers.PORTS", ())  # whoever has a server here has a model
    told = run("models").stderr
    assert [way for way in ("hustings demo", "-m improviser", "keys set", "ollama pull") if way not in told] == []
