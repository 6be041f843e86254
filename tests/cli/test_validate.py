"""`hustings validate` finds what is wrong, says it in its exit code, and trusts no file."""

import json
import os

import pytest

from hustings.cli.commands.validate import read
from hustings.errors import BrokenFile
from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Judge
from hustings.lab.artefact import evaluation_digest
from hustings.lab.build_evaluation import build_evaluation
from hustings.lab.bundle import Bundle, EvaluationTask
from hustings.lab.evaluation_material import EvaluationMaterial
from hustings.lab.judge_answers import PILLARS, CritAnswer, TurnAnswers
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_export, find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.background import Background
from hustings.script.documents import DocumentText, laid_down
from hustings.transcript.canonical import digest, sealed
from hustings.transcript.models import Transcript
from hustings.transcript.rules import SizeLimits

from .console import hustings, run

GOOD = rehearse(plan(find_protocol("roundtable"), "Tea?"), Improviser()).proceedings.document()
WARNED = sealed({**GOOD, "schema_version": "2.9.0"})
BAD = {**GOOD, "mode": "in_loop"}


@pytest.fixture
def written(tmp_path):
    def write(name, document):
        path = tmp_path / name
        path.write_text(json.dumps(document) if isinstance(document, dict) else document, "utf-8")
        return path

    return write


def test_a_valid_file_is_called_valid(written):
    path = written("good.json", GOOD)
    result = run("validate", path)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"{path}: valid\n", "")


def test_errors_are_told_with_their_place_and_end_in_1(written):
    path = written("bad.json", BAD)
    result = run("validate", path)
    assert result.exit_code == 1
    assert result.stdout.startswith(f"{path}: error DT-")
    assert result.stderr == "1 of 1 files break the rules.\n"


def test_a_warning_is_told_and_forgiven(written):
    path = written("warned.json", WARNED)
    result = run("validate", path)
    assert result.exit_code == 0
    assert f"{path}: warning DT-S005 at /schema_version: " in result.stdout
    assert result.stdout.endswith(f"{path}: valid, 1 warnings\n")


def test_a_warning_counts_where_it_is_asked_to(written):
    result = run("validate", "--strict", written("warned.json", WARNED))
    assert (result.exit_code, "valid" in result.stdout) == (1, False)


def test_of_several_files_each_is_told_and_one_bad_one_is_enough(written):
    good, bad = written("good.json", GOOD), written("bad.json", "{")
    result = run("validate", good, bad, good)
    assert result.exit_code == 1
    assert [line.split(": ")[:2] for line in result.stdout.splitlines()] == [
        [str(good), "valid"],
        [str(bad), "error DT-P001 at the file"],
    ]
    assert result.stderr == "1 of 2 files break the rules.\n"


def test_findings_are_told_as_json(written):
    good, bad = written("good.json", GOOD), written("bad.json", "[1, 1e999]")
    result = run("validate", "--json", good, bad)
    assert result.exit_code == 1
    first, second = json.loads(result.stdout)
    assert first == {"file": str(good), "valid": True, "findings": []}
    assert (second["file"], second["valid"]) == (str(bad), False)
    assert second["findings"] == [
        {"code": "DT-P003", "severity": "error", "pointer": "", "message": second["findings"][0]["message"]}
    ]


def test_a_warning_is_told_as_json(written):
    [told] = json.loads(run("validate", "--json", written("warned.json", WARNED)).stdout)
    assert (told["valid"], told["findings"][0]["severity"]) == (True, "warning")


def test_a_pipe_that_nobody_writes_to_does_not_hold_us(tmp_path):
    os.mkfifo(pipe := tmp_path / "pipe.json")
    assert "is not a regular file" in read(pipe)


@pytest.mark.parametrize("name", ["nowhere.json", "."], ids=["missing", "a directory"])
def test_a_file_that_cannot_be_read_is_named(name, tmp_path):
    with pytest.raises(BrokenFile) as error:
        run("validate", tmp_path / name)
    assert str(error.value).startswith(f"can't read {str(tmp_path / name)!r}: ")


def test_a_file_that_cannot_be_read_ends_in_2(tmp_path):
    code, out, err = hustings("validate", str(tmp_path / "nowhere.json"))
    assert (code, out) == (2, b"")
    assert err.startswith(b"Error: ")
    assert err.count(b"\n") == 1


def test_an_export_of_all_is_said_to_be_one_with_the_command_that_helps(written):
    played = rehearse(plan(find_protocol("roundtable"), "Tea?"), Improviser()).proceedings
    path = written("all.json", find_export("json").render(Dossier(proceedings=played)))
    result = run("validate", path)
    wanted = f"hustings export {played.transcript.run_id} --to transcript\n"
    assert (result.exit_code, result.stderr.endswith(wanted)) == (1, True)


def test_no_file_at_all_is_wrong_usage():
    assert run("validate").exit_code == 2


def test_a_file_beyond_the_limit_is_refused(tmp_path):
    path = tmp_path / "large.json"
    with path.open("wb") as file:
        file.truncate(4 * SizeLimits().size)
    result = run("validate", path)
    assert (result.exit_code, result.stdout.split(": ")[1]) == (1, "error DT-P005 at the file")


# -- hostile files -----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["\x1b[2J.json", "\u202e.json", "a: valid\nb.json", "tab\t.json"], ids=ascii)
def test_a_file_name_cannot_steer_the_terminal_or_begin_a_line(name, written):
    result = run("validate", written(name, GOOD))
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    assert result.stdout[:-1].isprintable()


@pytest.mark.parametrize("key", ["\x1b[2J", "\u202e", "\nx: valid"], ids=ascii)
def test_a_pointer_cannot_steer_the_terminal_or_begin_a_line(key, written):
    result = run("validate", written("bad.json", json.dumps({**GOOD, key: "\ud800"})))
    assert "DT-P006 at /" in result.stdout
    assert result.stdout.count("\n") == 1
    assert result.stdout[:-1].isprintable()


def test_a_message_cannot_steer_the_terminal(written):
    result = run("validate", written("bad.json", {**GOOD, "schema_version": "\x1b[2J\n\u202e"}))
    assert result.exit_code == 1
    assert all(line.isprintable() for line in result.stdout.splitlines())


def test_a_file_name_that_is_no_text_is_still_told(tmp_path):
    code, out, err = hustings("validate", str(tmp_path / "\udcff.json"))
    assert (code, out) == (2, b"")
    assert b"can't read" in err
    assert b"\\udcff.json'" in err


# -- quotes from documents -----------------------------------------------------------------

REPORT = DocumentText(title="report.md", text="The street was measured twice. The committee did not approve the plan.")


@pytest.fixture
def cited(written, tmp_path):
    """A transcript whose speakers quote a report, and a folder with that report."""
    documents, texts = laid_down((REPORT,))
    debate = plan(find_protocol("roundtable"), "Tea?").model_copy(update={"documents": documents})
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "report.md").write_text(REPORT.text, "utf-8")
    return written("cited.json", rehearse(debate, Improviser(), texts=texts).proceedings.document()), folder


def test_quotes_from_documents_are_checked_again(cited):
    path, folder = cited
    result = run("validate", path, "--documents", folder)
    assert (result.exit_code, result.stdout) == (
        0,
        f"{path}: valid\n{path}: 9 of 9 quotes from documents stand in {folder}\n",
    )


def test_a_quote_that_the_document_no_longer_has_ends_in_1(cited):
    path, folder = cited
    (folder / "report.md").write_text("The street was never measured at all.", "utf-8")
    result = run("validate", path, "--documents", folder)
    assert (result.exit_code, f"{path}: 0 of 9 quotes from documents stand in {folder}\n" in result.stdout) == (1, True)


def test_quotes_are_told_as_json_with_the_file_that_has_them(cited):
    path, folder = cited
    (told,) = json.loads(run("validate", path, "--documents", folder, "--json").stdout)
    assert {(one["document"], one["file"], one["accepted"]) for one in told["quotes"]} == {("DOC-1", "report.md", True)}


def test_the_background_of_a_debate_can_be_quoted_without_its_file(written, tmp_path):
    own = Background(title="Plan", text="The last bus should leave at two in the morning.")
    documents, texts = laid_down((REPORT,), first=2)
    debate = plan(find_protocol("roundtable"), "Tea?")
    debate = debate.model_copy(update={"documents": documents, "background": own})
    path = written("own.json", rehearse(debate, Improviser(), texts=texts).proceedings.document())
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "report.md").write_text(REPORT.text, "utf-8")
    assert run("validate", path, "--documents", tmp_path / "docs").exit_code == 0


# -- evaluations ---------------------------------------------------------------------------

JUDGE = Judge(seat="judge_1", model="x/llama", family="llama", asked=1, accepted=1)
LEVELS = CritAnswer(judge="judge_1", levels=dict.fromkeys(PILLARS, 5), fit=4)
TRANSCRIPT = Transcript.model_validate(GOOD)
FIRST = TRANSCRIPT.turns[0]
EVALUATED = build_evaluation(
    EvaluationMaterial(
        transcript=TRANSCRIPT,
        transcript_digest=digest(GOOD),
        task=EvaluationTask(question="Tea?", options=("yes", "no")),
        bundles=[Bundle(turn_id=FIRST.turn_id, seat=FIRST.speaker_id, round=1, phases=("opening",))],
        answers={FIRST.turn_id: TurnAnswers(crit=(LEVELS,))},
        evaluated_at="2026-01-01T00:00:00.000Z",
        evaluator_version="1",
        judges=(JUDGE,),
    )
).document()


def changed(value, *path):
    document = json.loads(json.dumps(EVALUATED))
    *parents, last = path
    part = document
    for name in parents:
        part = part[name]
    part[last] = value
    return document


def resealed(document):
    document["x_hustings"]["integrity"]["digest"] = evaluation_digest(document)
    return document


def test_an_evaluation_is_valid_alone_and_beside_its_transcript(written):
    evaluation, transcript = written("e.json", EVALUATED), written("t.json", GOOD)
    assert run("validate", evaluation).stdout == f"{evaluation}: valid\n"
    result = run("validate", evaluation, transcript)
    assert (result.exit_code, result.stdout) == (0, f"{evaluation}: valid\n{transcript}: valid\n")


def test_an_evaluation_that_was_changed_is_refused(written):
    path = written("e.json", changed(0.99, "run_summary", "crit_summary", "gamma_mean"))
    result = run("validate", path)
    wanted = f"{path}: error EV-G002 at /x_hustings/integrity/digest: the file was changed after it was written\n"
    assert (result.exit_code, result.stdout) == (1, wanted)


def test_an_evaluation_of_another_transcript_is_refused(written):
    other = sealed({**GOOD, "created_at": "2020-01-01T00:00:00.000Z"})
    result = run("validate", written("e.json", EVALUATED), written("t.json", other))
    assert result.exit_code == 1
    assert "EV-G003 at /x_hustings/transcript_digest: the transcript is not the one that was evaluated" in result.stdout


def test_a_figure_that_does_not_follow_from_the_answers_is_found_even_if_it_is_sealed(written):
    path = written("e.json", resealed(changed(0.99, "run_summary", "crit_summary", "gamma_mean")))
    assert run("validate", path).exit_code == 0
    result = run("validate", path, written("t.json", GOOD))
    assert result.exit_code == 1
    assert "EV-F003 at /run_summary/crit_summary/gamma_mean: this does not follow from the answers" in result.stdout


@pytest.mark.parametrize(
    ("document", "code"),
    [
        (changed("2.0.0", "schema_version"), "EV-S002 at /schema_version"),
        (changed(None, "run_summary"), "EV-S001 at /run_summary"),
        (
            changed("L9", "run_summary", "t3_summary", "required_rung"),
            "EV-S001 at /run_summary/t3_summary/required_rung",
        ),
        (changed(None, "x_hustings", "integrity"), "warning EV-G001 at /x_hustings/integrity"),
        (json.dumps(EVALUATED)[:-2], "DT-P001 at the file"),
    ],
)
def test_what_is_no_evaluation_is_refused_in_words(document, code, written):
    assert code in run("validate", "--strict", written("e.json", document)).stdout


def test_other_arithmetic_is_not_held_against_ours(written):
    path = written("e.json", resealed(changed("9", "eval_metadata", "rca_version")))
    result = run("validate", path, written("t.json", GOOD))
    assert (result.exit_code, "warning EV-F001 at /eval_metadata: other arithmetic" in result.stdout) == (0, True)


def test_answers_about_a_turn_that_is_missing_are_told(written):
    document = changed("nowhere", "turn_evaluations", 0, "x_hustings", "bundle", "turn_id")
    result = run("validate", written("e.json", resealed(document)), written("t.json", GOOD))
    assert (result.exit_code, "error EV-F003 at /turn_evaluations/0" in result.stdout) == (1, True)
