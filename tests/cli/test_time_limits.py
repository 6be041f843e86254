"""Time limits hold, whatever names the model of a seat, and a run that goes on takes those of today."""

import json
import time

import pytest

from hustings.config.plan_run import affordable
from hustings.engine.service import open_service
from hustings.errors import Unsuitable
from hustings.llm.environment import Environment
from hustings.llm.model_spec import parse_model_spec
from hustings.runs.judging_spec import JudgingRequest, control_spec, judging_spec, summary_spec
from tests.config.machine import machine
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .engine import TOPIC, debate, run

__all__ = ["machine"]
SERVER = "http://127.0.0.1:9/v1"
MODEL = f"openai_compatible/fake@{SERVER}"
EVERY = {"LLM_PROVIDER": "openai_compatible", "LLM_MODEL": "fake", "LLM_BASE_URL": SERVER}
SPEAKER = parse_model_spec(MODEL).model_copy(update={"local": True})
OTHER = {"LLM_PROVIDER": "ollama", "LLM_MODEL": "other"}


@pytest.fixture(scope="module")
def server():
    with serving() as provider:
        yield provider.base_url


@pytest.fixture
def url(machine, tmp_path):
    url = ready_sqlite_file(tmp_path)
    machine.has(HUSTINGS_DATABASE=url)
    return url


def limits(url, run_id, seat="pro"):
    with open_service(url) as service:
        model_spec = service.runs.spec(run_id).model_specs[seat]
    return model_spec.timeout, model_spec.first_token_timeout


def queued(*options):
    return run("run", TOPIC, "--judges", "none", "--detach", *options).stdout.strip()


WAYS = {
    "variables": ([], EVERY),
    "--endpoint": (["--endpoint", SERVER, "-m", "fake"], {}),
    "-m model@URL": (["-m", MODEL], {}),
    "-m model@URL over another provider": (["-m", MODEL], OTHER),
    "--pro and --con": (["--pro", MODEL, "--con", MODEL], {}),
    "--seat": (["--seat", f"pro={MODEL}", "--seat", f"con={MODEL}"], {}),
    "variables of the seat": ([], OTHER | {f"{side}_{name}": EVERY[name] for side in ("PRO", "CON") for name in EVERY}),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("prefix", ["", "PRO_"])
def test_time_limits_hold_whatever_names_the_model(machine, url, server, way, prefix):
    options, variables = WAYS[way]
    options = [option.replace(SERVER, server) for option in options]
    variables = {name: value.replace(SERVER, server) for name, value in variables.items()}
    machine.has(**variables, **{f"{prefix}LLM_TIMEOUT": "11", f"{prefix}LLM_FIRST_TOKEN_TIMEOUT": "2"})
    assert limits(url, queued(*options)) == (11, 2)


@pytest.mark.parametrize("file", ["user", "project"])
@pytest.mark.parametrize("table", ["llm", "pro"])
def test_time_limits_of_a_settings_file_hold_too(machine, url, server, file, table):
    getattr(machine, file)(f"[{table}]\ntimeout = 11\nfirst_token_timeout = 2\n")
    assert limits(url, queued("-m", MODEL.replace(SERVER, server))) == (11, 2)


def test_a_seat_has_its_own_time_limits(machine, url, server):
    machine.has(PRO_LLM_TIMEOUT="11", CON_LLM_TIMEOUT="12")
    run_id = queued("-m", MODEL.replace(SERVER, server))
    assert [limits(url, run_id, seat)[0] for seat in ("pro", "con")] == [11, 12]


def test_a_server_that_stays_silent_is_given_up_after_the_seconds_that_were_set(machine, url):
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="0.4")
    with serving(hang=60) as provider:
        began = time.monotonic()
        ran = run("run", TOPIC, "--judges", "none", "-m", f"openai_compatible/fake@{provider.always('hang')}")
        took = time.monotonic() - began
    assert took < 50
    advice = "(no first word within 0.4 s). Allow more: PRO_LLM_FIRST_TOKEN_TIMEOUT, PRO_LLM_TIMEOUT"
    assert advice in ran.stdout + ran.stderr


# -- judges --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    url = ready_sqlite_file(tmp_path_factory.mktemp("played"))
    return url, debate("-m", "improviser", "--judges", "none", "--database", url)[0]


def audits(played, judges, variables):
    """The judging, its summary and the control of a debate whose speakers are models at a server."""
    url, run_id = played
    known = Environment(variables)
    with open_service(url) as service:
        old, judged = service.runs.spec(run_id), service.runs.finished(run_id)
    spoke = affordable(old.model_copy(update={"model_specs": dict.fromkeys(old.model_specs, SPEAKER)}), known)
    request = JudgingRequest(judges=judges)
    judging = judging_spec(spoke, judged, request, known)
    others = summary_spec(spoke, judged, judging, None, request), control_spec(spoke, judged, request, known, 1000)
    return [affordable(each, known) for each in (judging, *others)]


@pytest.mark.parametrize("judges", [(), (MODEL,), (MODEL, f"openai_compatible/other@{SERVER}")])
@pytest.mark.parametrize("prefix", ["", "JUDGE_"])
def test_judges_their_clerk_and_the_writer_have_the_time_limits_of_a_judge(played, judges, prefix):
    judging, summary, _ = audits(
        played, judges, {f"{prefix}LLM_TIMEOUT": "11", f"{prefix}LLM_FIRST_TOKEN_TIMEOUT": "2"}
    )
    every = [*judging.model_specs.values(), *summary.model_specs.values()]
    assert {(one.timeout, one.first_token_timeout) for one in every} == {(11, 2)}


def test_a_single_judge_has_its_own_time_limits(played):
    judging, _, _ = audits(played, (MODEL, MODEL), {"JUDGE_LLM_TIMEOUT": "11", "JUDGE_2_LLM_TIMEOUT": "12"})
    assert [judging.model_specs[seat].timeout for seat in ("judge_1", "judge_2")] == [11, 12]


def test_a_control_has_the_time_limits_of_the_speakers_that_it_asks(played):
    set_up = {"PRO_LLM_TIMEOUT": "11", "CON_LLM_TIMEOUT": "11", "LLM_TIMEOUT": "5", "JUDGE_LLM_TIMEOUT": "7"}
    _, _, control = audits(played, (), set_up)
    assert {one.timeout for one in control.model_specs.values()} == {11}


# -- going on ------------------------------------------------------------------------------


def rows(tmp_path, server, **more):
    line = {"protocol": "structured", "question": TOPIC, "model": MODEL.replace(SERVER, server), **more}
    (tmp_path / "rows.jsonl").write_text(json.dumps(line) + "\n", "utf-8")
    return tmp_path / "rows.jsonl"


def test_a_batch_is_given_more_time_by_entering_it_again(machine, url, server, tmp_path):
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="2")
    run("batch", rows(tmp_path, server), "--detach")
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="30", LLM_TIMEOUT="60")
    assert run("batch", rows(tmp_path, server), "--detach").exit_code == 0
    assert limits(url, "rows-1") == (60, 30)


def test_a_batch_that_is_entered_again_without_a_time_limit_keeps_its_own(machine, url, server, tmp_path, monkeypatch):
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="200")
    run("batch", rows(tmp_path, server, seconds_per_call=400), "--detach")
    monkeypatch.delenv("LLM_FIRST_TOKEN_TIMEOUT")
    run("batch", rows(tmp_path, server), "--detach")
    assert limits(url, "rows-1") == (None, 200)


def test_a_batch_is_still_one_request_but_for_its_time_limits(url, server, tmp_path):
    run("batch", rows(tmp_path, server), "--detach")
    with pytest.raises(Unsuitable, match="entered with another request"):
        run("batch", rows(tmp_path, server, retries=3), "--detach")


def test_a_batch_is_given_more_time_by_resuming_it(machine, url, server, tmp_path):
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="2")
    run("batch", rows(tmp_path, server), "--detach")
    machine.has(PRO_LLM_FIRST_TOKEN_TIMEOUT="30")
    run("resume", "--batch", "rows")
    assert [limits(url, "rows-1", seat)[1] for seat in ("pro", "con")] == [30, 2]


def test_a_debate_is_given_more_time_by_resuming_or_forking_it(machine, url, server):
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="2")
    run_id = queued("-m", MODEL.replace(SERVER, server))
    machine.has(LLM_FIRST_TOKEN_TIMEOUT="30")
    forked = run("fork", run_id, "--detach").stdout.strip()
    run("resume", run_id)
    assert limits(url, forked) == limits(url, run_id) == (None, 30)
