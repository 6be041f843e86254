"""A protocol in a file of one's own, as somebody uses it who installed the program: no package, no checkout."""

import json
import sqlite3
import subprocess
import sys
from hashlib import sha256

import pytest

from hustings.errors import BrokenFile, NotFound, ScriptError, Unsuitable
from tests.rig.postgres import ready_sqlite_file
from tests.rig.protocol_file import DUEL, REVIEW, own_file
from tests.rig.provider import serving

from .console import ENTRY
from .engine import TOPIC, debate, events_of, run, worker

FREE = ("-m", "improviser")


@pytest.fixture(autouse=True)
def url(tmp_path, monkeypatch):
    url = ready_sqlite_file(tmp_path)
    monkeypatch.setenv("HUSTINGS_DATABASE", url)
    monkeypatch.chdir(tmp_path)
    return url


@pytest.fixture
def file(tmp_path):
    return own_file(tmp_path)


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        yield running


def version_of(file):
    return f"duel/1+{sha256(file.path.read_bytes()).hexdigest()[:12]}"


def exported(run_id):
    return json.loads(run("export", run_id, "--to", "transcript").stdout)


# -- trying it -----------------------------------------------------------------------------


def test_it_is_rehearsed(file):
    ran = run("rehearse", "./duel.py", "--topic", "Tea?")
    assert ran.stdout.startswith(f"{version_of(file)}: Tea?\n4 calls in 3 steps, 2 rounds. Ending: finished.\n")
    assert ran.stderr.endswith("See the prompts: hustings rehearse ./duel.py --prompts\n")


def test_its_prompts_are_shown(file):
    assert "Answer the strongest point." in run("rehearse", "duel.py", "--prompts").stdout


def test_it_is_estimated(file):
    ran = run("run", TOPIC, "-p", "./duel.py", *FREE, "--estimate")
    assert "duel: opening 2, rebuttal 2; 2 rounds, 3 steps" in ran.stdout


def test_a_mistake_in_it_is_its_authors_and_no_bug(file):
    file.write(DUEL.replace("stage.ask(seat, REBUT)", "stage.asks(seat)"))
    for command in (("rehearse", "duel.py"), ("run", TOPIC, "-p", "duel.py", *FREE)):
        with pytest.raises(ScriptError, match=r"duel\.py line 13: AttributeError"):
            run(*command)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFound, match=f"no protocol 'duel.py' .there is no such file: {tmp_path}/duel.py"):
        run("run", TOPIC, "-p", "duel.py", *FREE)


# -- a verdict and sections of its own -------------------------------------------------------


@pytest.fixture
def reviewed(tmp_path):
    """What a debate told whose protocol gives a verdict; its file is gone by now."""
    file = own_file(tmp_path, "review.py").write(REVIEW)
    ran = run("run", TOPIC, "-p", "./review.py", *FREE, "--judges", "improviser", "--fail-on", "wait", "--json")
    file.path.unlink()
    return ran


def test_its_verdict_is_an_exit_code(reviewed):
    (gate,) = [event for event in events_of(reviewed.stdout) if event["kind"] == "gate"]
    assert (reviewed.exit_code, gate["verdict"], gate["why"]) == (6, "stop", "2 risks were named.")


def test_judging_goes_by_its_verdict_and_its_rulings(reviewed):
    told = json.loads(run("export", "last", "--to", "json").stdout)
    judgement = told["judgement"]
    assert (judgement["outcome"]["what"], judgement["own_verdict"]) == ("stop", "Stop the plan.")
    assert judgement["briefing"]["bottom_line"] == "Stop the plan. 2 risks were named."
    assert judgement["briefing"]["would_change"] == "A reader who finds nothing."
    assert "Nobody checked the risks" in judgement["degraded"]
    assert [(row["standing"], row["reason"]) for row in judgement["trace"]][:1] == [
        ("upheld", "Upheld: it was named first.")
    ]


@pytest.mark.parametrize("form", ["md", "html", "json"])
def test_every_report_shows_its_sections(reviewed, form):
    told = run("export", "last", "--to", form).stdout
    assert all(words in told for words in ("Risks of the plan", "Stop the plan."))


def test_a_verdict_that_it_does_not_name_ends_the_debate(tmp_path):
    own_file(tmp_path, "odd.py").write(REVIEW.replace("verdict=VERDICTS[len(result.risks)]", 'verdict="perhaps"'))
    ran = run("run", TOPIC, "-p", "./odd.py", *FREE, "--judges", "none", "--json")
    assert ran.exit_code == 1
    assert "'perhaps' is none of the verdicts of 'odd'" in ran.stdout


# -- a debate under it -----------------------------------------------------------------------


def test_a_debate_under_it_is_held_and_judged_by_its_rubric(file):
    run_id, told = debate(*FREE, "--judges", "improviser", protocol="./duel.py")
    assert [event["ending"] for event in told if event["kind"] == "done"] == ["played", "played"]
    assert told[-1]["judged"] == run_id


def test_the_record_names_it_and_its_digest(file):
    run_id, _ = debate(*FREE, protocol="./duel.py")
    digest = sha256(file.path.read_bytes()).hexdigest()
    told = exported(run_id)["run_metadata"]
    assert (told["protocol"], told["notes"]) == (
        version_of(file),
        f"protocol from a file of its own, sha256:{digest}",
    )
    assert f"{version_of(file)}: {TOPIC}\n" in (shown := run("show", run_id).stdout)
    assert f"protocol from {file.path}, sha256:{digest[:12]}\n" in shown
    assert [one["protocol"] for one in json.loads(run("list", "--json").stdout)] == [version_of(file)]
    assert " duel " in run("list").stdout


def test_no_export_tells_where_the_file_lies(file):
    run_id, _ = debate(*FREE, protocol="./duel.py")
    for form in ("md", "json", "jsonl", "html", "transcript", "argdown"):
        assert str(file.path.parent) not in run("export", run_id, "--to", form).stdout


def test_it_is_named_where_it_lies_whatever_the_working_folder(file, tmp_path, monkeypatch):
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    run_id, _ = debate(*FREE, protocol="../duel.py")
    assert f"protocol from {file.path}, " in run("show", run_id).stdout


def test_all_debates_of_a_batch_may_have_it_and_one_that_names_another_has_that(file, tmp_path):
    (tmp_path / "many.jsonl").write_text('{"question": "A?"}\n{"question": "B?", "protocol": "structured"}\n')
    ran = run("batch", "many.jsonl", "-p", "./duel.py", *FREE, "--json")
    assert events_of(ran.stdout)[-1]["tally"] == {"played": 2}
    found = {one["run_id"]: one["protocol"] for one in json.loads(run("list", "--json").stdout)}
    assert found == {"many-1": version_of(file), "many-2": "structured/1"}


def test_a_worker_holds_it(file, url):
    run("run", TOPIC, "-p", "./duel.py", *FREE, "--detach")
    with worker(url):
        ran = run("resume", "last", "--json")
    assert events_of(ran.stdout)[-1]["ending"] == "played"


def test_a_fork_goes_on_under_the_same_file(file):
    run_id, _ = debate(*FREE, protocol="./duel.py")
    ran = run("fork", run_id, "--from", "r2.t1", "--json")
    assert events_of(ran.stdout)[-1]["ending"] == "played"
    file.write(DUEL.replace("two points", "three points"))
    with pytest.raises(Unsuitable, match="changed since this debate began"):
        run("fork", run_id, "--from", "r2.t1")


# -- going on ------------------------------------------------------------------------------


@pytest.fixture
def killed(file, provider, tmp_path):
    """A debate whose process was killed while somebody was asked."""
    provider.reset()
    provider.plan(delay=1.0)
    model = f"openai_compatible/m@{provider.base_url}"
    command = [sys.executable, "-c", ENTRY, "run", TOPIC, "-p", "./duel.py", "-m", model, "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as ran:
        run_id = json.loads(ran.stdout.readline())["run_id"]
        while json.loads(ran.stdout.readline())["kind"] != "turn_begun":
            pass
        ran.kill()
    provider.plan(delay=0.0)
    with sqlite3.connect(tmp_path / "hustings.db") as db:
        db.execute("update hustings_lease set expires = 0")  # instead of waiting until it runs out
    db.close()
    return run_id


def test_a_debate_whose_process_was_killed_goes_on(killed, provider):
    assert events_of(run("resume", killed, "--json").stdout)[-1]["ending"] == "played"
    assert provider.ledger()["served_again"] == 0


def test_with_a_changed_file_it_is_refused_and_paused_until_the_old_one_is_back(killed, file):
    file.write(DUEL.replace("two points", "three points"))
    file.was_run()
    refused = run("resume", killed)
    assert (refused.exit_code, file.was_run()) == (4, False)
    assert (
        f"Paused: {file.path} changed since this debate began: put the old version back, or start anew"
        in refused.stderr
    )
    assert run("show", killed).stdout.startswith(f"{killed}: paused, {file.path} changed")
    file.write()
    assert events_of(run("resume", killed, "--json").stdout)[-1]["ending"] == "played"


def test_a_debate_that_is_over_is_judged_without_the_file(file):
    run_id, _ = debate(*FREE, protocol="./duel.py")
    file.path.unlink()
    run("judge", run_id, "--judges", "improviser")
    judging = json.loads(run("list", "--all", "--json").stdout)[0]
    assert (judging["judged"], judging["state"]) == (run_id, "ended")


# -- what never runs it ----------------------------------------------------------------------


def test_reading_a_debate_runs_no_code(file, tmp_path):
    run_id, _ = debate(*FREE, "--judges", "improviser", protocol="./duel.py")
    file.was_run()
    (tmp_path / "t.json").write_text(run("export", run_id, "--to", "transcript").stdout)
    # In a process of its own: here the code has run, and is not run twice.
    commands = [
        ["show", run_id, "--transcript"],
        ["export", run_id, "--to", "html"],
        ["validate", "t.json"],
        ["import", "t.json"],
        *(["list"], ["stats"], ["protocols"], ["show", run_id]),
    ]
    reading = f"from hustings.main import app\nfor one in {commands!r}: app(one, standalone_mode=False)"
    subprocess.run([sys.executable, "-c", reading], capture_output=True, check=True)
    assert not file.was_run()


def test_an_imported_transcript_that_names_a_file_runs_nothing(file, tmp_path):
    run_id, _ = debate(*FREE, protocol="structured")
    told = exported(run_id)
    told["run_metadata"] |= {"protocol": f"{file.path}/1", "notes": str(file.path)}
    told.pop("integrity", None)
    (tmp_path / "t.json").write_text(json.dumps(told))
    assert run("import", "t.json").exit_code == 0
    for command in (["show", "last"], ["judge", "last", "--judges", "improviser"], ["export", "last", "--to", "md"]):
        run(*command)
    assert not file.was_run()


@pytest.mark.parametrize("where", ['protocol = "./duel.py"', '[profiles.mine]\nprotocol = "./duel.py"'])
def test_a_settings_file_names_no_code(file, tmp_path, where):
    (tmp_path / "hustings.toml").write_text(where)
    with pytest.raises(BrokenFile, match="a settings file can't name code to run: name the file where you need it"):
        run("run", TOPIC, *FREE)
    assert not file.was_run()


@pytest.mark.parametrize("field", ["protocol", "own_protocol"])
def test_a_line_of_a_batch_names_no_code(file, tmp_path, field):
    (tmp_path / "many.jsonl").write_text(json.dumps({"question": "A?", field: "./duel.py"}))
    with pytest.raises(BrokenFile, match="nothing was queued"):
        run("batch", "many.jsonl", *FREE)
    assert not file.was_run()


def test_a_person_has_no_seat_under_it(file):
    with pytest.raises(Unsuitable, match="in its debates only models can speak"):
        run("run", TOPIC, "-p", "./duel.py", "--pro", "human", "--con", "improviser")


def test_nobody_plays_it_a_command_at_a_time(file):
    with pytest.raises(Unsuitable, match="in its debates only models can speak"):
        run("start", TOPIC, "-p", "./duel.py")
