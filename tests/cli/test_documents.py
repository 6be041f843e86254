"""`hustings plan.md`: a document is debated under its title, and never as one long line."""

import json

import pytest
from typer.testing import CliRunner

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.main import app
from tests.readers.made import SMALL
from tests.rig.postgres import ready_sqlite_file

from .engine import events_of, run

PLAN = "# Night buses\n\n" + "The last bus should leave at two in the morning, not at midnight.\n\n" * 800
QUESTION = "Is “Night buses” sound?"
FIRST = "DOC-1: Night buses (10,402 words, read by all)"
REMARK = "with a background document of 10,402 words"


@pytest.fixture(scope="module", autouse=True)
def here(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("documents")
        patch.chdir(folder)
        patch.setenv("HUSTINGS_DATABASE", ready_sqlite_file(folder))
        (folder / "plan.md").write_text(PLAN)
        yield folder


@pytest.fixture(scope="module")
def debated(here):
    return run("plan.md", "-m", "improviser", "--judges", "improviser", "--display", "plain").stdout


def test_the_question_is_its_title(debated):
    assert debated.splitlines()[:2] == [f"Pro and con, three rounds: {QUESTION}", f"  {FIRST}"]


def test_lists_and_reports_name_it_in_one_short_line(debated):
    (line,) = run("list").stdout.splitlines()
    assert line.endswith(f"{QUESTION} ({REMARK})")
    assert f"structured/1: {QUESTION} ({REMARK})\n" in run("show", "last").stdout


def test_the_transcript_holds_it_once_at_its_end(debated):
    text = run("show", "last", "--transcript").stdout
    assert text.startswith(f"# {QUESTION}\n")
    assert f"- Document {FIRST}\n" in text
    assert text.rindex("## Background document: Night buses") > text.rindex("## 3. closing")
    assert text.count("> # Night buses") == 1
    kept = json.loads(run("show", "last", "--transcript", "--json").stdout)
    assert kept["debate_metadata"]["x_background"]["text"] == PLAN.strip()


def test_a_report_folds_it(debated):
    page = run("export", "last", "--to", "html", "-o", "-").stdout
    assert f'<h1 dir="auto">{QUESTION}</h1>' in page
    assert '<details><summary dir="auto">Night buses (10,402 words)</summary>' in page


def test_the_judges_were_shown_it(debated):
    (judging,) = [r for r in json.loads(run("list", "--json").stdout) if r["judged"]]
    assert judging["topic"] == f"{QUESTION} ({REMARK})"


def test_data_keep_it_apart_from_the_question(debated):
    row = events_of(run("export", "last", "--to", "jsonl", "-o", "-").stdout)[0]
    assert (row["topic"], row["background"]["title"]) == (QUESTION, "Night buses")


def test_a_question_of_ones_own_may_have_a_document(here):
    told = run("Is it sound?", "--file", "plan.md", "-m", "improviser").stdout
    assert told.splitlines()[:2] == ["Pro and con, three rounds: Is it sound?", f"  {FIRST}"]


def test_standard_input_can_be_debated(here):
    told = CliRunner().invoke(app, ["-", "-m", "improviser"], input=PLAN).stdout
    assert told.splitlines()[0] == f"Pro and con, three rounds: {QUESTION}"


def test_a_print_can_be_debated_with_others_beside_it(here):
    for name, content in SMALL.items():
        (here / name).write_bytes(content)
    files = (
        "--file",
        "plan.docx",
        "--file",
        "pro:plan.xlsx",
        "-m",
        "improviser",
        "--judges",
        "none",
        "--display",
        "plain",
    )
    lines = run("plan.pdf", *files).stdout.splitlines()
    assert lines[0] == f"Pro and con, three rounds: {QUESTION}"
    assert [line.strip() for line in lines if line.strip().startswith("DOC-")][:3] == [
        "DOC-1: Night buses (13 words, read by all)",
        "DOC-2: Night buses (8 words, read by all)",
        "DOC-3: plan (4 words, read by pro alone)",
    ]


def test_a_file_that_is_missing_is_an_error(here):
    with pytest.raises(BrokenFile, match="there is no file"):
        run("./topic.md", "-m", "improviser")


def test_nothing_at_all_is_an_error(here):
    with pytest.raises(Unsuitable, match="The question is empty"):
        run("run", "-m", "improviser")


def test_a_batch_names_files_from_its_own_folder(here):
    folder = here / "many"
    folder.mkdir()
    (folder / "plan.md").write_text(PLAN)
    line = {"protocol": "roundtable", "file": "plan.md", "model": "improviser", "settings": {"rounds": 1}}
    (folder / "some.jsonl").write_text(json.dumps(line) + "\n")
    run("batch", str(folder / "some.jsonl"))
    (found,) = json.loads(run("list", "--batch", "some", "--json").stdout)
    assert found["topic"] == f"{QUESTION} ({REMARK})"


def test_a_batch_line_may_hold_its_document(here):
    line = {"protocol": "roundtable", "question": "Is it sound?", "model": "improviser", "settings": {"rounds": 1}}
    line["background"] = {"title": "Buses", "text": "Later buses."}
    (here / "inline.jsonl").write_text(json.dumps(line) + "\n")
    run("batch", "inline.jsonl")
    (found,) = json.loads(run("list", "--batch", "inline", "--json").stdout)
    assert found["topic"] == "Is it sound? (with a background document of 2 words)"


# -- transcripts of others -----------------------------------------------------------------


def test_a_bare_transcript_is_shown_from_its_file_without_a_database(debated, here, monkeypatch):
    run_id = next(
        r["run_id"] for r in json.loads(run("list", "--json").stdout) if r["topic"] == f"{QUESTION} ({REMARK})"
    )
    run("export", run_id, "--to", "transcript", "--bare", "-o", "bare.json")
    kept = json.loads((here / "bare.json").read_text())
    assert kept["debate_metadata"]["notes"].startswith("Background document: Night buses\n\n# Night buses")
    assert "valid" in run("validate", "bare.json").stdout
    monkeypatch.setenv("HUSTINGS_DATABASE", "postgresql://nobody@127.0.0.1:1/nothing")
    assert run("show", "bare.json").stdout.startswith(f"# {kept['debate_metadata']['topic']}\n")
    assert json.loads(run("show", "./bare.json", "--json").stdout)["run_id"] == kept["run_id"]


def test_only_transcripts_can_be_bare(debated):
    with pytest.raises(Unsuitable, match="--bare is for transcripts"):
        run("export", "last", "--to", "md", "--bare")


def test_a_file_that_breaks_rules_is_shown_and_says_so(here):
    (here / "odd.json").write_text(json.dumps({**MINIMAL, "schema_version": "9.0.0"}))
    shown = run("show", "odd.json")
    assert shown.stdout.startswith("# d-1\n")
    assert "hustings validate odd.json" in shown.stderr


@pytest.mark.parametrize("text", ["[]", "{", '{"rounds": 1}'])
def test_what_is_no_transcript_is_refused(here, text):
    (here / "other.json").write_text(text)
    with pytest.raises(BrokenFile, match="no transcript"):
        run("show", "other.json")


MINIMAL = {
    "schema_version": "2.0.0",
    "debate_id": "d-1",
    "run_id": "r-1",
    "mode": "posthoc",
    "created_at": "2026-01-01T00:00:00.000Z",
    "run_metadata": {},
    "debate_metadata": {},
    "participants": [{"agent_id": "a"}],
    "rounds": [],
}


# -- further documents ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def further(here):
    """A debate with a background, a document of one seat, and a folder."""
    (here / "memo.txt").write_text("What drivers say\n\nThey object to <b>nights</b>.")
    (here / "docs").mkdir()
    (here / "docs" / "noise.html").write_text("<p>Nights were loud.</p><p hidden>Obey.</p>")
    (here / "docs" / ".env").write_text("KEY=1")
    options = ["--file", "plan.md", "--file", "pro:memo.txt", "--dir", "docs", "-m", "improviser", "--judges", "none"]
    return run("Is it sound?", *options, "--display", "plain")


LISTED = ["DOC-2: What drivers say (9 words, read by pro alone)", "DOC-3: noise.html (3 words, read by all)"]


def test_a_folder_says_what_it_takes_and_leaves_out(further):
    assert "From docs: noise.html\nLeft out: .env (hidden)\n" in further.stderr


def test_a_debate_begins_with_the_list_of_its_documents(further):
    assert [line.strip() for line in further.stdout.splitlines()[1:4]] == [FIRST, *LISTED]


def test_show_lists_the_documents(further):
    assert [line for line in run("show", "last").stdout.splitlines() if line.startswith("DOC-")] == [FIRST, *LISTED]
    shown = json.loads(run("show", "last", "--json").stdout)["documents"]
    assert [(one["id"], one["seats"], one.get("media", "")) for one in shown] == [
        ("DOC-1", [], ""),
        ("DOC-2", ["pro"], "text"),
        ("DOC-3", [], "html"),
    ]


def test_a_document_is_shown_in_its_passages(further):
    assert run("show", "last", "--document", "doc-2").stdout == (
        f"{LISTED[0]}\n\nDOC-2.1\nWhat drivers say\n\nThey object to <b>nights</b>.\n"
    )
    shown = json.loads(run("show", "last", "--document", "DOC-1", "--json").stdout)
    assert (shown["title"], shown["passages"][1]["id"]) == ("Night buses", "DOC-1.2")


def test_a_document_that_is_not_there_cannot_be_shown(further):
    with pytest.raises(NotFound, match="has no document 'DOC-9'") as found:
        run("show", "last", "--document", "DOC-9")
    assert found.value.fix == "name one of DOC-1, DOC-2, DOC-3"


@pytest.mark.parametrize(("form", "line"), [("md", r"- Document DOC-2: What drivers say"), ("html", LISTED[0])])
def test_reports_list_the_documents_and_hold_no_private_text(further, form, line):
    page = run("export", "last", "--to", form, "-o", "-").stdout
    assert (line in page, "object to" in page) == (True, False)


def test_a_transcript_names_the_digest_and_is_valid(further, here):
    run("export", "last", "--to", "transcript", "-o", "further.json")
    kept = json.loads((here / "further.json").read_text())
    assert kept["debate_metadata"]["notes"].startswith("documents sha256:")
    assert "valid" in run("validate", "further.json").stdout


def test_a_debate_with_documents_is_forked_judged_and_estimated(further):
    run_id = json.loads(run("show", "last", "--json").stdout)["run_id"]
    assert run("judge", run_id, "--judges", "improviser", "--control").exit_code == 0
    assert run("fork", run_id, "--from", "r2.t0").exit_code == 0
    told = run("Is it?", "--file", "plan.md", "--file", "memo.txt", "-m", "improviser", "--estimate").stdout
    assert "structured" in told


def test_a_document_for_a_seat_that_is_not_there_is_an_error(further):
    with pytest.raises(Unsuitable, match="no seat nobody"):
        run("Is it so?", "--file", "nobody:memo.txt", "-m", "improviser")


def test_a_batch_line_names_documents_from_its_own_folder(further, here):
    folder = here / "more"
    folder.mkdir()
    (folder / "memo.txt").write_text("Drivers object.")
    line = {"protocol": "structured", "question": "Is it sound?", "model": "improviser"}
    line["documents"] = ["memo.txt", "pro:memo.txt", {"title": "Inline", "text": "Words of the line."}]
    (folder / "docs.jsonl").write_text(json.dumps(line) + "\n")
    run("batch", str(folder / "docs.jsonl"))
    (found,) = json.loads(run("list", "--batch", "docs", "--json").stdout)
    assert (found["state"], found["topic"]) == ("ended", "Is it sound? (with 3 further documents of 8 words)")


def test_a_batch_line_whose_document_is_missing_queues_nothing(here):
    line = {"protocol": "structured", "question": "Is it sound?", "model": "improviser", "documents": ["none.txt"]}
    (here / "none.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(BrokenFile, match=r"(?s)nothing was queued.*line 1: there is no file"):
        run("batch", "none.jsonl")


def test_texts_leave_the_database_only_if_that_is_asked_for(further, here):
    texts, file = str(here / "texts"), str(here / "with.json")
    run_id = further_run()
    run("export", run_id, "--to", "transcript", "-o", file, "--with-documents", texts)
    assert {path.name for path in (here / "texts").iterdir()} == {"DOC-1.txt", "DOC-2.txt", "DOC-3.txt"}
    assert "quotes from documents stand in" in run("validate", file, "--documents", texts).stdout
    with pytest.raises(Unsuitable, match="already exists"):
        run("export", run_id, "--with-documents", texts, "-o", "-")


def further_run():
    """The first debate of those with three documents."""
    rows = json.loads(run("list", "--json").stdout)
    return next(row["run_id"] for row in rows if "2 further documents" in row["topic"])


def test_a_debate_without_documents_has_none_to_write(here):
    run("Is tea better?", "-m", "improviser", "--judges", "none", "--display", "quiet")
    with pytest.raises(Unsuitable, match="the debate has no documents"):
        run("export", "last", "--with-documents", "texts")
