"""`hustings batch`: many debates from one file, each of them once."""

import csv
import json
import os
from shutil import copytree

import pytest

from hustings.cli.batch_summary_text import plot
from hustings.config.batch_file import read_batch_file
from hustings.config.variables import variables
from hustings.engine.service import open_service
from hustings.errors import BrokenFile, NotFound, Unreachable, Unsuitable
from hustings.runs.batch_summary import ScoreGap, bins_of
from hustings.transcript.rules import check
from tests.rig.fixtures import postgres_url  # noqa: F401
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .engine import TOPIC, events_of, run, worker


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.chdir(tmp_path)


def request(**more):
    return {"protocol": "structured", "question": TOPIC, "model": "improviser", "judges": "none", **more}


def file_of(tmp_path, *requests, name="some.jsonl"):
    (tmp_path / name).write_text("".join(f"{json.dumps(request)}\n" for request in requests), "utf-8")
    return tmp_path / name


def listed(*options):
    return json.loads(run("list", "--json", "--limit", 1000, *options).stdout)


def test_a_batch_can_be_worked_off_here(tmp_path):
    ran = run("batch", file_of(tmp_path, *[request()] * 5), "--json")
    assert events_of(ran.stdout) == [{"kind": "done", "batch": "some", "tally": {"played": 5}, "spent": 0.0}]
    assert ran.exit_code == 0
    assert sorted(each["run_id"] for each in listed("--batch", "some")) == [f"some-{n}" for n in range(1, 6)]


def test_a_batch_looks_first_whether_its_local_server_answers(tmp_path):
    with serving() as provider:
        gone = f"openai_compatible/m@{provider.base_url}"
    file = file_of(tmp_path, *[request(model=gone)] * 3)
    with pytest.raises(Unreachable, match="no answer from 127"):
        run("batch", file)
    assert listed() == []


def test_runs_that_were_stopped_show_in_the_exit_code(tmp_path):
    stopped = request(max_calls=1)
    ran = run("batch", file_of(tmp_path, request(), stopped))
    assert (ran.exit_code, ran.stdout) == (3, "some: 1 limit reached, 1 finished; 0.0000 USD\n")


def test_a_batch_at_a_slow_server_says_so_once_with_the_setting_that_helps(tmp_path, monkeypatch):
    with serving(hang=5.0) as provider:
        model = {"PROVIDER": "openai_compatible", "BASE_URL": provider.always("hang"), "MODEL": "m"}
        for name, value in {**model, "FIRST_TOKEN_TIMEOUT": "1"}.items():
            monkeypatch.setenv(f"LLM_{name}", value)
        row = {"question": TOPIC, "protocol": "roundtable", "settings": {"rounds": 1}, "judges": "none"}
        told = run("batch", file_of(tmp_path, row, row)).stderr
    [line] = [line for line in told.splitlines() if "no answer" in line]
    assert line.startswith("m at 127.0.0.1:")
    assert line.endswith(" gave no answer within 1 s, five times. Allow more: LLM_FIRST_TOKEN_TIMEOUT")


def test_a_broken_line_is_named_and_nothing_is_entered(tmp_path):
    file = file_of(tmp_path, request(), {**request(), "topik": "x"}, request(protocol="none"))
    with pytest.raises(BrokenFile, match=r"(?s)line 2: .*topik.*line 3: no protocol 'none'"):
        run("batch", file, "--detach")
    assert listed() == []


def test_a_batch_without_a_line_is_refused(tmp_path):
    with pytest.raises(BrokenFile, match="the file is empty"):
        run("batch", file_of(tmp_path))


def test_a_batch_that_is_entered_again_changes_nothing(tmp_path):
    file = file_of(tmp_path, request(), request())
    run("batch", file, "--detach", "--name", "twice")
    before = listed()
    run("batch", file, "--detach", "--name", "twice")
    assert listed() == before


def test_a_line_that_was_changed_needs_a_batch_of_its_own(tmp_path):
    run("batch", file_of(tmp_path, request()), "--detach")
    with pytest.raises(Unsuitable, match="give this batch another --name"):
        run("batch", file_of(tmp_path, request(seed=2)), "--detach")


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "many",
    [
        8,
        pytest.param(50, marks=pytest.mark.nightly("fifty debates take half a minute")),
        pytest.param(500, marks=pytest.mark.nightly("five hundred debates take a minute")),
    ],
)
def test_two_workers_share_a_batch_and_no_call_is_served_twice(tmp_path, postgres_url, many):  # noqa: F811
    with serving() as provider:
        model = f"openai_compatible/m@{provider.base_url}"
        file = file_of(tmp_path, *[request(model=model)] * many)
        run("batch", file, "--detach", "--database", postgres_url)
        with worker(postgres_url) as (first, _), worker(postgres_url) as (second, _):
            ran = run("batch", file, "--queue", "--database", postgres_url, "--json")
            for process in (first, second):
                process.terminate()
            assert [process.wait(30) for process in (first, second)] == [0, 0]
        ledger = provider.ledger()
    assert events_of(ran.stdout)[-1]["tally"] == {"played": many}
    assert (ledger["calls"], ledger["served"], ledger["served_again"]) == (6 * many, 6 * many, 0)
    assert {each["ending"] for each in listed("--batch", "some", "--database", postgres_url)} == {"played"}


@pytest.mark.nightly("three workers in turn; a batch is cancelled on every change")
def test_a_whole_batch_is_told_at_once(tmp_path):
    run("batch", file_of(tmp_path, request(), request()), "--detach")
    told = json.loads(run("pause", "--batch", "some", "--json").stdout)
    assert (told["told"], sorted(told["runs"])) == ("pause", ["some-1", "some-2"])
    waits = run("batch", tmp_path / "some.jsonl")
    assert (waits.exit_code, waits.stdout) == (130, "some: 2 paused; 0.0000 USD\n")
    assert run("resume", "--batch", "some").stdout == "2 of 2 debates of 'some' will resume.\n"
    assert run("batch", tmp_path / "some.jsonl").stdout == "some: 2 finished; 0.0000 USD\n"


def test_a_batch_that_is_cancelled_comes_to_its_end(tmp_path):
    run("batch", file_of(tmp_path, request(), request()), "--detach")
    told = run("cancel", "--batch", "some")
    assert told.stdout == "2 of 2 debates of 'some' will cancel.\n"
    assert "Start one: hustings worker" in told.stderr
    assert run("batch", tmp_path / "some.jsonl").stdout == "some: 2 cancelled; 0.0000 USD\n"


def left_over(tmp_path, *requests):
    """Debates that are on record as a batch and not in the queue."""
    file = file_of(tmp_path, *requests)
    with open_service(os.environ["HUSTINGS_DATABASE"]) as service:
        service.upgrade()
        for spec in (one.spec for one in read_batch_file(file, "some", variables()).debates):
            service.control.enter_here(spec)
    return file


def test_a_batch_that_was_never_queued_is_queued_when_it_is_resumed(tmp_path):
    file = left_over(tmp_path, request(), request())
    told = run("resume", "--batch", "some").stdout
    assert told == "2 of 2 debates of 'some' will resume.\n2 of them were missing from the queue and are queued now.\n"
    assert run("resume", "--batch", "some").stdout == "2 of 2 debates of 'some' will resume.\n"
    assert run("batch", file).stdout == "some: 2 finished; 0.0000 USD\n"


def test_a_batch_that_was_never_queued_is_queued_when_it_is_entered_again(tmp_path):
    left_over(tmp_path, request())
    ran = run("batch", file_of(tmp_path, request(), request()))
    assert ran.stdout == "some: 2 finished; 0.0000 USD\n"


def test_a_debate_that_was_never_queued_is_carried_out_when_it_is_resumed(tmp_path):
    left_over(tmp_path, request())
    ran = run("resume", "some-1")
    assert (ran.exit_code, listed()[0]["ending"]) == (0, "played")


@pytest.mark.parametrize("named", [(), ("some-1", "--batch", "some")])
def test_a_run_or_a_batch_must_be_named_and_not_both(named):
    with pytest.raises(Unsuitable, match="name a RUN or a --batch"):
        run("pause", *named)


def test_a_batch_that_is_not_there_cannot_be_told():
    run("db", "upgrade")
    with pytest.raises(NotFound, match="no batch 'none'"):
        run("resume", "--batch", "none")


# -- judging ---------------------------------------------------------------------------------


def judged_lines(runs):
    """Debate and judging ids of a batch, by debate."""
    return {each["run_id"]: each["judged"] for each in runs if each["judged"]}


def test_a_line_may_name_its_judges(tmp_path):
    file = file_of(
        tmp_path, request(judges="improviser"), request(judges="auto", tier="quick"), request(judges="none"), request()
    )
    ran = run("batch", file, "--json")
    done = events_of(ran.stdout)[-1]
    assert (done["tally"], done["judgings"]) == ({"played": 4}, {"played": 2})
    assert sorted(judged_lines(listed("--batch", "some")).values()) == ["some-1", "some-2"]


def test_judges_that_cannot_judge_are_refused_before_anything_is_entered(tmp_path):
    file = file_of(tmp_path, request(judges=["human"]), request(judges=["a/b"]), request(tier="grand"))
    with pytest.raises(BrokenFile, match=r"(?s)line 1: people can't be judges.*line 2: 'a'.*line 3: tier"):
        run("batch", file, "--detach")


def test_a_line_that_gained_a_judge_needs_a_batch_of_its_own(tmp_path):
    run("batch", file_of(tmp_path, request()), "--detach")
    with pytest.raises(Unsuitable, match="give this batch another --name"):
        run("batch", file_of(tmp_path, request(judges="improviser")), "--detach")


@pytest.fixture(scope="module")
def worked_off(tmp_path_factory):
    """The folder of a batch of two questions that is over and not judged."""
    folder = tmp_path_factory.mktemp("worked_off")
    lines = [request(), request(), request(question="Tea or coffee?", settings={"closing_words": 100})]
    run("batch", file_of(folder, *lines), "--database", ready_sqlite_file(folder))
    return folder


@pytest.fixture
def finished(worked_off, tmp_path):
    """A copy of it: each test has its own."""
    copytree(worked_off, tmp_path, dirs_exist_ok=True)


@pytest.fixture(scope="module")
def worked_off_and_judged(worked_off, tmp_path_factory):
    """The same, and judged."""
    folder = tmp_path_factory.mktemp("judged")
    copytree(worked_off, folder, dirs_exist_ok=True)
    run("judge", "--batch", "some", "--database", f"sqlite:///{folder}/hustings.db")
    return folder


@pytest.fixture
def judged(worked_off_and_judged, tmp_path):
    copytree(worked_off_and_judged, tmp_path, dirs_exist_ok=True)


@pytest.mark.usefixtures("finished")
def test_a_batch_is_judged_at_once_and_only_once():
    ran = run("judge", "--batch", "some", "--json")
    assert (ran.exit_code, events_of(ran.stdout)[-1]["judgings"]) == (0, {"played": 3})
    again = run("judge", "--batch", "some", "--json")
    assert events_of(again.stdout)[-1]["judgings"] == {"played": 3}
    assert "0 judgings of 'some' were queued; 3 were there before." in again.stderr


@pytest.mark.usefixtures("finished")
def test_judging_of_a_batch_that_was_left_to_workers_goes_on_when_it_is_said_again():
    queued_ = run("judge", "--batch", "some", "--detach")
    assert (queued_.stdout, "3 judgings of 'some' were queued" in queued_.stderr) == ("some\n", True)
    ran = run("judge", "--batch", "some", "--json")
    assert events_of(ran.stdout)[-1]["judgings"] == {"played": 3}


@pytest.mark.usefixtures("judged")
def test_another_panel_judges_a_batch_again():
    ran = run("judge", "--batch", "some", "--tier", "standard", "--json")
    assert events_of(ran.stdout)[-1]["judgings"] == {"played": 6}


@pytest.mark.usefixtures("finished")
def test_a_judging_that_was_stopped_is_made_anew():
    stopped = run("judge", "--batch", "some", "--max-calls", 3, "--json")
    assert (stopped.exit_code, events_of(stopped.stdout)[-1]["judgings"]) == (3, {"budget_stopped": 3})
    ran = run("judge", "--batch", "some", "--json")
    assert events_of(ran.stdout)[-1]["judgings"] == {"budget_stopped": 3, "played": 3}


@pytest.mark.usefixtures("finished")
def test_judging_that_costs_money_needs_a_budget_for_all_of_it(monkeypatch):
    with serving() as provider:
        model = {"PROVIDER": "openai_compatible", "BASE_URL": provider.base_url, "MODEL": "m"}
        for name, value in {**model, "PRICE_INPUT": "1", "PRICE_OUTPUT": "2"}.items():
            monkeypatch.setenv(f"JUDGE_LLM_{name}", value)
        with pytest.raises(Unsuitable, match=r"3 judgings cost money") as refused:
            run("judge", "--batch", "some")
        assert refused.value.fix.startswith("hustings judge --batch some --budget ")
        ran = run("judge", "--batch", "some", "--budget", 0.0003, "--json")
        assert provider.ledger()["calls"] == 0
    assert events_of(ran.stdout)[-1]["judgings"] == {"budget_stopped": 3}
    caps = [each["cap"] for each in listed("--batch", "some") if each["judged"]]
    assert caps == [0.0001] * 3


@pytest.mark.usefixtures("finished")
def test_what_judging_a_batch_would_take_is_told_without_a_call():
    assert run("judge", "--batch", "some", "--estimate").stdout.startswith("3 judgings · about ")
    assert len(listed("--batch", "some")) == 3


def test_a_batch_of_which_nothing_is_over_cannot_be_judged(tmp_path):
    run("batch", file_of(tmp_path, request()), "--detach")
    with pytest.raises(Unsuitable, match="no debate of 'some' is finished"):
        run("judge", "--batch", "some")


# -- what a batch came to --------------------------------------------------------------------


@pytest.mark.usefixtures("judged")
def test_a_summary_counts_outcomes_by_question_and_setting():
    found = json.loads(run("show", "--batch", "some", "--json").stdout)
    whole = found["whole"]
    assert (whole["debates"], whole["states"], sum(whole["outcomes"].values())) == (3, {"played": 3}, 3)
    assert [(group["value"], group["debates"]) for group in found["questions"]] == [(TOPIC, 2), ("Tea or coffee?", 1)]
    assert [(g["by"], g["value"], g["debates"]) for g in found["settings"]] == [
        ("closing_words", "200", 2),
        ("closing_words", "100", 1),
    ]
    assert (whole["agreement"], found["spent"]) == (None, 0.0)
    assert {gap["run_id"] for gap in found["gaps"]} <= {"some-1", "some-2", "some-3"}


@pytest.mark.usefixtures("judged")
def test_a_summary_reads_as_lines_with_a_plot():
    lines = run("show", "--batch", "some").stdout.splitlines()
    assert lines[:2] == ["some: 3 debates", "  state      3 finished"]
    assert [line for line in lines if line.startswith("  agreement  unknown")]
    assert [line for line in lines if line.startswith("Score of pro minus score of con")]
    assert sum(line.count("#") for line in lines if " to " in line) == 3


@pytest.mark.usefixtures("finished")
def test_a_summary_of_what_was_not_judged_says_how_to_judge_it():
    told = run("show", "--batch", "some")
    assert "  outcome    3 not judged" in told.stdout.splitlines()
    assert "Next: hustings judge --batch some" in told.stderr


def test_gaps_are_counted_in_intervals_of_a_point():
    assert bins_of([-1.2, 0.1, 0.9, 2.0]) == {-2.0: 1, -1.0: 0, 0.0: 2, 1.0: 0, 2.0: 1}
    assert bins_of([]) == {}


def test_a_mark_of_a_long_plot_stands_for_several_debates():
    gaps = [ScoreGap(run_id="r", sides=("pro", "con"), value=0.5)] * 90
    _, head, line = plot(gaps)
    assert (head.endswith("each # is 3 debates"), line) == (True, f"    0 to  +1  {'#' * 30} 90")


# -- files -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("finished")
def test_a_batch_is_written_into_a_folder(tmp_path):
    assert run("export", "--batch", "some", "--to", "html").stdout == "some: 3 of 3 debates\n"
    assert sorted(path.name for path in (tmp_path / "some").iterdir()) == [f"some-{n}.html" for n in (1, 2, 3)]
    with pytest.raises(Unsuitable, match="already exists"):
        run("export", "--batch", "some", "--to", "html")
    told = json.loads(run("export", "--batch", "some", "--to", "html", "--force", "--json").stdout)
    assert (len(told["files"]), told["left_out"]) == (3, 0)


@pytest.mark.usefixtures("judged")
def test_a_batch_is_written_into_one_table_if_that_is_what_the_name_says(tmp_path):
    assert run("export", "--batch", "some", "--to", "csv", "-o", "data.csv").stdout == "data.csv: 3 of 3 debates\n"
    rows = [*csv.DictReader((tmp_path / "data.csv").read_text("utf-8").splitlines())]
    assert {row["run"] for row in rows} == {"some-1", "some-2", "some-3"}
    each = [run("export", f"some-{n}", "--to", "csv", "-o", "-").stdout.splitlines() for n in (1, 2, 3)]
    assert len(rows) == sum(len(lines) - 1 for lines in each)
    told = json.loads(run("export", "--batch", "some", "-o", "data.jsonl", "--json").stdout)
    lines = (tmp_path / "data.jsonl").read_text("utf-8").splitlines()
    assert (told["left_out"], {json.loads(one)["run_id"] for one in lines}) == (0, {"some-1", "some-2", "some-3"})
    assert run("export", "--batch", "some", "--to", "jsonl", "-o", "-").stdout.splitlines() == lines


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize("given", [("-o", "all.html"), ("--to", "md", "-o", "-"), ("--to", "csv", "-o", "all.html")])
def test_a_batch_that_does_not_fit_into_one_file_is_refused_with_what_to_do(tmp_path, given):
    with pytest.raises(Unsuitable) as refused:
        run("export", "--batch", "some", *given)
    assert ("-o some.csv" in refused.value.fix, (tmp_path / "all.html").exists()) == (True, False)


@pytest.mark.usefixtures("finished")
def test_a_batch_is_written_with_fields_of_the_public_schema_alone(tmp_path):
    run("export", "--batch", "some", "--to", "transcript", "--bare", "-o", tmp_path / "bare")
    files = sorted((tmp_path / "bare").iterdir())
    assert [check(file.read_bytes()) for file in files] == [[]] * 3
    assert not any("protocol" in json.loads(file.read_bytes())["run_metadata"] for file in files)
    with pytest.raises(Unsuitable, match="--bare is for transcripts"):
        run("export", "--batch", "some", "--bare", "-o", tmp_path / "other")


def test_debates_that_are_not_over_are_left_out(tmp_path):
    run("batch", file_of(tmp_path, request()), "--detach")
    told = run("export", "--batch", "some", "-o", tmp_path / "out")
    assert (told.stdout, "1 are not over yet" in told.stderr) == (f"{tmp_path / 'out'}: 0 of 1 debates\n", True)


@pytest.mark.parametrize("command", ["judge", "export", "show"])
def test_other_commands_want_a_run_or_a_batch(command):
    with pytest.raises(Unsuitable, match="name a RUN or a --batch"):
        run(command)
