"""A program of the user answers: prompt in, answer out, and nothing of it outlives its call."""

import asyncio
import json
import os
import sys
import time
from pathlib import Path

import pytest
from pydantic import SecretStr

from hustings.errors import NotFound, Unsuitable
from hustings.llm.command_model import CommandModel, LocalCommand
from hustings.llm.environment import Environment
from hustings.llm.model import LlmRequest, Usage
from hustings.llm.model_spec import ModelSpec, family, model_spec_of, parse_model_spec
from hustings.llm.prices import must_be_known
from hustings.script.prompt import Prompt
from hustings.script.seats import Seat

AGENT = Path(__file__).parents[1] / "rig" / "stand_in_agent.py"
SECRET = "sk-canary-7f3a9b2c"


def agent(*arguments, characters=20_000, **variables):
    given = {name: SecretStr(value) for name, value in variables.items()}
    return LocalCommand("agent", (sys.executable, str(AGENT), *map(str, arguments)), characters, given)


def ask(command, prompt="Is it so?", seconds=30.0, on_text=lambda _: None):
    request = LlmRequest(Prompt("Rules. ", ("A wave. ",), prompt, None), 50, seconds=seconds)
    return asyncio.run(CommandModel(command).answer(request, on_text))


def test_the_whole_prompt_is_read_from_standard_input_and_what_is_written_is_the_answer():
    heard = []
    response = ask(agent("echo"), on_text=heard.append)
    assert (response.kind, response.text, response.model) == ("ok", "Rules. A wave. Is it so?", "cli/agent")
    assert heard == [response.text]


def test_a_prompt_longer_than_a_pipe_holds_is_read_whole():
    response = ask(agent("surroundings"), prompt="é" * 300_000)
    assert json.loads(response.text)["read"] == 300_000 + len("Rules. A wave. ")


def test_no_shell_reads_the_arguments():
    response = ask(agent("surroundings", "$HOME; ls *", "`id`"))
    assert json.loads(response.text)["arguments"] == ["$HOME; ls *", "`id`"]


def test_it_runs_in_an_empty_folder_that_is_gone_afterwards():
    found = json.loads(ask(agent("surroundings")).text)
    assert found["files"] == []
    assert not Path(found["folder"]).exists()


def test_it_gets_no_key_unless_its_settings_name_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("DATABASE_PASSWORD", SECRET)
    seen = json.loads(ask(agent("surroundings")).text)["variables"]
    assert {"OPENAI_API_KEY", "DATABASE_PASSWORD"} & set(seen) == set()
    assert "PATH" in seen
    assert "AGENT_API_KEY" in json.loads(ask(agent("surroundings", AGENT_API_KEY=SECRET)).text)["variables"]


def test_a_key_that_it_repeats_is_hidden():
    response = ask(agent("variable", "AGENT_API_KEY", AGENT_API_KEY=SECRET))
    assert response.text == "it is [key]"


def test_tokens_are_unknown_and_may_all_have_been_paid_for():
    response = ask(agent("say", "Yes."))
    assert (response.usage, response.billed) == (Usage(), "yes")


def test_what_a_failing_program_wrote_is_told_in_one_line_without_keys():
    response = ask(agent("fail", f"with {SECRET}"))
    assert (response.kind, response.text, response.billed) == ("rejected", "", "maybe")
    assert response.detail == "exit code 3: not logged in: run `agent login` with [key]"


def test_a_failing_program_that_complains_where_answers_go_is_heard_too():
    assert ask(agent("fail_quietly")).detail == "exit code 1: you have used up your requests"


def test_a_program_that_is_not_there_costs_nothing():
    response = ask(LocalCommand("agent", ("/nowhere/agent",), 100))
    assert (response.kind, response.billed) == ("rejected", "no")
    assert response.detail == "/nowhere/agent can't be started: No such file or directory"


def test_a_name_that_no_program_can_have_is_told():
    response = ask(LocalCommand("agent", ("bad\0name",), 100))
    assert (response.kind, response.billed) == ("rejected", "no")


def test_no_words_are_no_answer():
    assert ask(agent("nothing")).kind == "empty"


def test_colours_and_control_characters_are_no_part_of_an_answer():
    assert ask(agent("colours")).text == "Yes, it is."


def test_bytes_that_are_no_text_break_nothing():
    assert ask(agent("odd_bytes")).text == "caf\N{REPLACEMENT CHARACTER} is open"


@pytest.mark.parametrize(("size", "kind"), [(4, "ok"), (3, "malformed")])
def test_an_answer_may_be_as_long_as_the_settings_say(size, kind):
    response = ask(agent("say", "Yes.", characters=size))
    assert response.kind == kind
    assert response.detail == ("" if kind == "ok" else "it wrote more than 3 characters")


def test_a_program_that_never_stops_writing_is_ended():
    response = ask(agent("endless", characters=1_000), seconds=60)
    assert (response.kind, response.detail) == ("malformed", "it wrote more than 1,000 characters")


def is_running(pid):
    """Whether a process still runs; on a busy machine one that was killed may take a moment to go."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_after_its_time_it_is_ended_with_all_that_it_started(tmp_path):
    response = ask(agent("hang", tmp_path / "note"), seconds=3)
    assert (response.kind, response.billed) == ("timed_out", "maybe")
    assert response.detail == "no answer in 3 seconds, so it was stopped"
    assert not is_running(int((tmp_path / "note").read_text("utf-8")))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_what_it_leaves_behind_delays_no_answer_and_is_ended(tmp_path):
    response = ask(agent("leave_behind", tmp_path / "note"), seconds=60)
    assert (response.kind, response.text) == ("ok", "done")
    assert not is_running(int((tmp_path / "note").read_text("utf-8")))


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes here")
def test_a_call_that_is_given_up_ends_its_program(tmp_path):
    async def given_up():
        request = LlmRequest(Prompt("", (), "", None), 50, seconds=60)
        asked = asyncio.ensure_future(CommandModel(agent("hang", tmp_path / "note")).answer(request, lambda _: None))
        while not (tmp_path / "note").exists() or not (tmp_path / "note").read_text("utf-8"):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    asyncio.run(given_up())
    assert not is_running(int((tmp_path / "note").read_text("utf-8")))


KNOWN = Environment(
    commands={"agent": {"price": {"input": 3, "output": 15}, "timeout": 90.0, "at_once": 2}, "bare": {}}
)


def test_a_seat_takes_limits_and_price_from_the_settings_of_its_command():
    spec = model_spec_of(Seat("pro"), KNOWN, flag=parse_model_spec("cli/agent"))
    assert (spec.label, spec.timeout, spec.at_once, spec.key, spec.base_url) == ("cli/agent", 90.0, 2, "", "")
    assert not spec.free
    must_be_known(spec)


def test_a_command_without_a_price_is_refused_with_what_to_set():
    spec = model_spec_of(Seat("pro"), KNOWN, flag=parse_model_spec("cli/bare"))
    with pytest.raises(Unsuitable, match=r"no price known for cli/bare.*set price in \[commands\.bare\]"):
        must_be_known(spec)


@pytest.mark.parametrize(
    ("known", "told"),
    [(KNOWN, "did you mean 'agent'"), (Environment(), r"describe it in config\.toml as \[commands\.agnt\]")],
)
def test_a_command_that_no_settings_name_is_not_started(known, told):
    with pytest.raises(NotFound, match=told):
        model_spec_of(Seat("pro"), known, flag=parse_model_spec("cli/agnt"))


def test_the_name_of_a_command_says_nothing_about_its_family():
    assert {family(ModelSpec(provider="cli", model=name)) for name in ("claude", "codex", "my-gpt")} == {"unknown"}
