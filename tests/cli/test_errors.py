"""Everything that can go wrong at a terminal, as a person sees it: what, why, the cure, and the exit code."""

import json
import sys

import pytest
from inline_snapshot import snapshot

from hustings.cli.lazy_commands import COMMANDS, CommandEntry
from hustings.installation import install_hint
from tests.rig.provider import serving

from .console import typed

MOTION = "Is it so?"


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


# -- models and keys -----------------------------------------------------------------------


def test_no_model_at_all(seen, monkeypatch):
    monkeypatch.setattr("hustings.llm.local_servers.PORTS", ())  # whoever has a server here would have a debate
    assert seen(MOTION, OLLAMA_HOST="") == snapshot(
        (
            4,
            """\
Error: no model available
Why:   no local model server and no provider key found
Fix:   hustings demo                                  watch a recorded debate, no model needed
       hustings "QUESTION" -m improviser              try without a model, in invented words
       hustings start "QUESTION"                      play the seats yourself, or let your coding agent play them
       ollama pull llama3.2                           get a local model
       hustings keys set openai                       store a provider's key: openai, anthropic, google and others
       hustings --endpoint URL -m MODEL "QUESTION"    any OpenAI-compatible server\
""",
        )
    )


def test_no_key(seen):
    assert seen(MOTION, "-m", "openai/gpt-4o-mini") == snapshot(
        (
            2,
            """\
Error: seat pro has no key for api.openai.com
Fix:   hustings keys set openai, or set PRO_LLM_API_KEY, LLM_API_KEY or OPENAI_API_KEY. Without a
       key: a local model (ollama pull llama3.2), your coding agent in every seat
       (hustings start "QUESTION"), or invented words (-m improviser)\
""",
        )
    )


def test_a_wrong_key(seen, provider):
    url = provider.always("status401")
    code, said = seen(MOTION, "-m", f"openai_compatible/m@{url}", LLM_API_KEY="sk-wrong-key", LLM_BASE_URL=url)
    assert (code, "hustings resume" in said, "sk-wrong" in said) == (4, True, False)


def test_a_server_that_is_down(seen):
    assert seen(MOTION, "-m", "openai_compatible/m@http://127.0.0.1:9/v1") == snapshot(
        (
            4,
            """\
Error: no answer from 127.0.0.1:9, the server of openai_compatible/m
Why:   Connection refused
Fix:   start the server, or see which models you have: hustings models\
""",
        )
    )


def test_a_model_that_the_server_does_not_know(seen, provider):
    code, said = seen(MOTION, "-m", f"openai_compatible/m@{provider.always('unknown_model')}")
    assert (code, "the provider rejected the request" in said, "hustings show" in said) == (1, True, True)


def test_a_model_without_a_price(seen):
    assert seen(MOTION, "-m", "openai/gpt-nobody-knows", OPENAI_API_KEY="sk-secret") == snapshot(
        (
            2,
            """\
Error: no price known for openai/gpt-nobody-knows, so the budget can't be enforced
Fix:   set LLM_PRICE_INPUT and LLM_PRICE_OUTPUT in USD per million tokens (both 0 for your own
       server)\
""",
        )
    )


def test_a_provider_that_nobody_knows(seen):
    assert seen(MOTION, "-m", "opnai/gpt-5") == snapshot(
        (
            2,
            """\
Error: 'opnai', for seat pro, is not a known provider
Fix:   did you mean openai/gpt-5? choose anthropic, openai, google, mistral, deepseek, zai, xai,
       groq, openrouter, ollama, lmstudio, llamacpp, vllm or openai_compatible\
""",
        )
    )


def test_something_that_names_no_model(seen):
    assert seen(MOTION, "-m", "gpt") == snapshot(
        (
            2,
            """\
Error: 'gpt' is not a model
Fix:   write provider/model, provider/model@base_url, or human or improviser\
""",
        )
    )


# -- the debate ----------------------------------------------------------------------------


def test_a_protocol_that_is_not_there(seen):
    assert seen(MOTION, "-p", "structred", "-m", "improviser") == snapshot(
        (
            2,
            """\
Error: no protocol 'structred'
Fix:   did you mean 'structured'? Known: adaptive, competition, critique, moderated, roundtable,
       structured\
""",
        )
    )


def test_a_seat_that_is_not_there(seen):
    assert seen(MOTION, "-m", "improviser", "--seat", "jury=improviser") == snapshot(
        (
            2,
            """\
Error: no seat jury in 'structured'
Fix:   choose from con, pro\
""",
        )
    )


def test_a_seat_without_its_model(seen):
    assert seen(MOTION, "-m", "improviser", "--seat", "con") == snapshot(
        (
            2,
            """\
Error: --seat 'con' has no model
Fix:   write it like --seat con=improviser\
""",
        )
    )


def test_a_setting_that_is_not_there(seen):
    assert seen(MOTION, "-m", "improviser", "--set", "rounds=2") == snapshot(
        (
            2,
            """\
Error: settings of 'structured': unknown setting 'rounds'
Fix:   choose from closing_words, answer_words\
""",
        )
    )


def test_a_setting_without_its_value(seen):
    assert seen(MOTION, "-m", "improviser", "--set", "rounds") == snapshot(
        (
            2,
            """\
Error: --set 'rounds' has no value
Fix:   write it like --set rounds=2\
""",
        )
    )


def test_nothing_to_debate(seen):
    assert seen("run", " ", "-m", "improviser") == snapshot(
        (
            2,
            """\
Error: the question is empty
Fix:   write a question or a statement\
""",
        )
    )


def test_a_motion_in_a_file_that_is_not_there(seen):
    assert seen("@nowhere.txt", "-m", "improviser") == snapshot(
        (
            2,
            """\
Error: there is no file 'nowhere.txt'
Fix:   check the name; to debate these words, put them as a question: hustings "Should …?"\
""",
        )
    )


# -- money ---------------------------------------------------------------------------------


def test_a_debate_that_ran_out_of_its_budget(seen):
    code, said = seen(MOTION, "-m", "improviser", "--max-calls", "2")
    assert (code, "All 2 calls are made." in said, "--max-calls 4" in said) == (3, True, True)


def test_a_debate_that_a_days_cap_has_no_room_for(seen, tmp_path):
    where = {"HUSTINGS_DATABASE": f"sqlite:///{tmp_path}/capped.db"}
    seen("db", "cap", "--day", "0.10", **where)
    said = seen(MOTION, "-m", "openai/gpt-4o-mini", "--budget", "1", OPENAI_API_KEY="sk-secret", **where)
    assert said == snapshot(
        (
            2,
            """\
Error: the spending limit of 'local' leaves no room for a debate of 1.00 USD
Fix:   lower --budget, or wait until other debates end\
""",
        )
    )


# -- programs and faults of our own ----------------------------------------------------------


@pytest.mark.usefixtures("seen")
def test_an_error_is_data_for_whoever_reads_json():
    code, out, err = typed("show", "nowhere", "--json")
    told = json.loads(out)
    assert (code, err, told["kind"], sorted(told)) == (2, "", "error", ["fix", "kind", "what"])


def test_a_fault_of_our_own_is_said_to_be_one_and_its_trace_is_kept(seen, home, monkeypatch):
    monkeypatch.setitem(COMMANDS, "list", CommandEntry("nowhere:list_runs", "List runs.", "Read"))
    assert seen("list")[0] == 1
    assert "ModuleNotFoundError" in (home / "STATE" / "hustings" / "fault.log").read_text()


# -- commands to copy ----------------------------------------------------------------------


def test_a_command_is_one_line_however_narrow_the_terminal(seen, monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)  # as Python knows a package that is not there
    code, told = seen("mcp", COLUMNS="40")
    assert (code, told.splitlines()[-1]) == (2, f"Fix:   {install_hint('mcp')}")
