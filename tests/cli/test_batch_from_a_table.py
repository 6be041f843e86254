"""`hustings batch FILE.csv`, and questions alone in any file: the rest comes from the options, as with `run`."""

import json

import pytest

from hustings.config.batch_file import read_batch_file
from hustings.config.variables import variables
from hustings.errors import BrokenFile, Unreachable
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .engine import events_of, run

QUICK = ("-m", "improviser", "-p", "roundtable", "--set", "rounds=1", "--judges", "none")
EXACT = 'Should we, at last;\r\n"go"?  '


@pytest.fixture(autouse=True)
def _at_home(tmp_path, monkeypatch):
    monkeypatch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(tmp_path))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def file(tmp_path):
    """Writes a file, as bytes: what editors and Excel put in is part of it."""

    def write(name, text, coding="utf-8"):
        (tmp_path / name).write_bytes(text.encode(coding))
        return tmp_path / name

    return write


def read(file, **given):
    content = read_batch_file(file, "b", variables(), {"model": "improviser", **given})
    return [one.spec.debate for one in content.debates]


def topics(file):
    return [debate.topic for debate in read(file)]


def told(file, **given):
    with pytest.raises(BrokenFile) as refused:
        read_batch_file(file, "b", variables(), {"model": "improviser", **given})
    return refused.value.what.splitlines()


def listed():
    return {each["run_id"]: each for each in json.loads(run("list", "--json", "--limit", 1000).stdout)}


# -- questions alone -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.csv", "question\nIs it so?\nTea or coffee?\n"),
        ("q.csv", "question,language\nIs it so?,en\nTea or coffee?,\n"),
        ("q.jsonl", '{"question": "Is it so?"}\n{"question": "Tea or coffee?"}\n'),
        ("q.toml", 'question = ["Is it so?", "Tea or coffee?"]'),
        ("q.toml", '[vary]\nquestion = ["Is it so?", "Tea or coffee?"]'),
    ],
)
def test_questions_alone_are_debated_here_with_the_options_of_run(file, name, text):
    ran = run("batch", file(name, text), *QUICK, "--json")
    assert (ran.exit_code, events_of(ran.stdout)[-1]["tally"]) == (0, {"played": 2})
    assert {each["topic"] for each in listed().values()} == {"Is it so?", "Tea or coffee?"}
    assert {each["protocol"].partition("/")[0] for each in listed().values()} == {"roundtable"}


def test_a_debate_of_a_batch_is_judged_unless_it_says_otherwise(file, monkeypatch):
    monkeypatch.delenv("HUSTINGS_JUDGES")
    path = file("q.csv", "question,judges\nIs it so?,\nTea or coffee?,none\n")
    ran = run("batch", path, "-m", "improviser", "-p", "roundtable", "--json")
    done = events_of(ran.stdout)[-1]
    assert (done["tally"], done["judgings"]) == ({"played": 2}, {"played": 1})
    assert [each["judged"] for each in listed().values() if each["judged"]] == ["q-1"]


def test_what_a_line_says_counts_before_the_options(file):
    path = file("q.csv", "question,protocol,settings.rounds,seed\nIs it so?,roundtable,2,7\nTea or coffee?,,,\n")
    rounds = [dict(debate.settings)["rounds"] for debate in read(path, protocol="roundtable", settings={"rounds": 1})]
    assert rounds == [2, 1]


def test_all_debates_of_a_batch_go_to_the_endpoint_that_is_named(file):
    with serving() as provider:
        path, where = file("q.csv", "question\nIs it so?\nTea or coffee?\n"), provider.base_url
        ran = run("batch", path, "-p", "roundtable", "--endpoint", where, "-m", "m", "--judges", "none", "--json")
        calls = provider.ledger()["calls"]
    assert (events_of(ran.stdout)[-1]["tally"], calls > 0) == ({"played": 2}, True)


def test_a_batch_is_left_to_workers_if_that_is_asked_for(file):
    ran = run("batch", file("q.csv", "question\nIs it so?\n"), *QUICK, "--queue", "--detach")
    assert (ran.stdout, [each["state"] for each in listed().values()]) == ("q\n", ["waiting"])


# -- tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("between", [",", ";", "\t"])
def test_the_text_of_a_question_is_kept_as_it_stands_in_the_table(file, coding, between):
    cell = '"' + EXACT.replace('"', '""') + '"'
    path = file("q.csv", f"question{between}language\r\n{cell}{between}en\r\n{between}\r\nTee{between}\r\n", coding)
    assert topics(path) == [EXACT, "Tee"]


def test_commas_need_no_quotes_in_a_table_of_questions_alone(file):
    assert topics(file("q.csv", 'Question\nTea, or coffee; or both?\n"Well, ""no""?"\n')) == [
        "Tea, or coffee; or both?",
        'Well, "no"?',
    ]


def test_excels_line_about_its_own_semicolons_is_no_question(file):
    assert topics(file("q.csv", "sep=;\r\nquestion;language\r\nTea, or coffee?;en\r\n")) == ["Tea, or coffee?"]


def test_a_column_that_nobody_knows_is_told_once(file):
    path = file("q.csv", "qestion,notes\n" + "Is it so?,x\n" * 20)
    assert told(path) == [
        "nothing was queued. Fix the first line:",
        "unknown field 'qestion': did you mean 'question'?",
        "unknown field 'notes': leave it out",
    ]


def test_a_table_without_a_column_of_questions_says_so(file):
    for text in ("Should we?\nIs it so?\n", "protocol,model\nroundtable,improviser\n"):
        assert told(file("q.csv", text))[1] == "no column 'question': the first line has to name the columns"


def test_a_row_with_too_many_cells_is_named(file):
    path = file("q.csv", "question,language\nTea, or coffee?,en\nIs it so?,en\n")
    assert told(path)[1:] == ["line 2: more cells than the 2 columns: put a text with commas in quotes"]


def test_quotes_that_do_not_close_are_named_with_the_line(file):
    with pytest.raises(BrokenFile, match=r"line 2 is no line of a table.*double those"):
        read(file("q.csv", 'question,language\n"Tea" or coffee?,en\n'))


# -- what is wrong ---------------------------------------------------------------------------


def test_an_error_of_many_lines_is_told_once_with_the_lines(file):
    lines = ['{"qestion": "Is it so?"}'] * 20 + ['{"question": "Is it so?", "retries": -1}', "{}", '{"qestion": "?"}']
    assert told(file("q.jsonl", "\n".join(lines)))[1:] == [
        "lines 1 to 20, 23: unknown field 'qestion': did you mean 'question'?",
        "line 21: retries: must be at least 0",
        "line 22: no question",
    ]


def test_that_there_is_no_model_is_told_once(file, monkeypatch):
    monkeypatch.setattr("hustings.config.plan_run.find", lambda _: [])
    with pytest.raises(Unreachable, match="no model available") as refused:
        run("batch", file("q.csv", "question\n" + "Is it so?\n" * 20))
    assert refused.value.fix.startswith("-m MODEL for all debates")
    assert listed() == {}
