"""What is exported can be read back, is all there, and is harmless in the program that opens it."""

import csv
import json

import pytest
from inline_snapshot import snapshot

from hustings.judging.judgement import ExecutiveSummary, SummarySentence
from hustings.report.formats import csv as trace
from hustings.report.formats import json as whole
from hustings.report.formats import jsonl, md, transcript
from hustings.transcript.rules import check

from .dossiers import everywhere, judged, steering, unjudged
from .judged import DECIDED, TOO_CLOSE
from .test_markdown import HOSTILE

STRUCTURED = judged("structured")
FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "＝1", "|cmd", "%0a", "\r\n=1"]


def table_of(dossier):
    return list(csv.DictReader(trace.render(dossier).splitlines(keepends=True), strict=True))


def rows_of(dossier):
    return [json.loads(line) for line in jsonl.render(dossier).splitlines()]


def of_kind(dossier, kind):
    return [row for row in rows_of(dossier) if row["kind"] == kind]


# -- Markdown ------------------------------------------------------------------------------


def test_a_report_begins_with_the_bottom_line_and_how_sure_it_is():
    text = md.render(STRUCTURED.model_copy(update={"judgement": TOO_CLOSE}))
    assert [line.partition(":")[0] for line in text.splitlines() if line][1:3] == ["**Bottom line", "**How sure"]


def test_a_report_holds_the_briefing_at_all_depths_and_then_the_record():
    heads = [line for line in md.render(STRUCTURED).splitlines() if line.startswith(("# ", "## "))]
    assert heads == snapshot(
        [
            "# Should a town close its centre to cars?",
            "## Final positions",
            "## Held up",
            "## Withdrawn",
            "## Check before deciding",
            "## Each argument",
            "## Possible fallacies and broken rules",
            "## What moved each argument, and what would change it",
            "## Judge agreement",
            "## Judges",
            "## How to reproduce these figures",
            "# Transcript",
            "## 1. opening",
            "## 2. cross-examination",
            "## 3. closing",
            "## Working notes",
        ]
    )


def test_a_report_of_an_unjudged_debate_says_so_first():
    assert md.render(unjudged("structured")).split("\n\n")[1] == md.UNJUDGED


# -- JSON ----------------------------------------------------------------------------------


def test_the_document_holds_all_of_it():
    document = json.loads(whole.render(STRUCTURED))
    assert list(document) == snapshot(
        [
            "dossier_version",
            "run_id",
            "transcript",
            "notes",
            "result",
            "result_sections",
            "ending",
            "judgement",
            "expenses",
        ]
    )
    assert document["judgement"] == STRUCTURED.judgement.model_dump(mode="json")
    assert document["notes"] == STRUCTURED.proceedings.notes_document()


def test_the_transcript_of_a_document_is_valid_when_it_is_taken_out():
    taken = json.dumps(json.loads(whole.render(STRUCTURED))["transcript"])
    assert check(taken.encode()) == check(transcript.render(STRUCTURED).encode()) == []


def test_an_unjudged_document_has_no_judgement():
    assert json.loads(whole.render(unjudged("structured")))["judgement"] is None


def test_a_summary_by_a_model_is_part_of_the_document_where_there_is_one():
    sentence = SummarySentence(text="It is late.", ids=("PRO-1",), quote="the bus is late")
    summary = ExecutiveSummary(run_id="s", model="acme", sentences=(sentence,), dropped=1)
    document = json.loads(whole.render(STRUCTURED.model_copy(update={"summary": summary})))
    assert document["summary"] == summary.model_dump(mode="json")


def test_words_of_any_language_stay_readable_in_json():
    assert "日本語" in whole.render(everywhere("日本語"))


@pytest.mark.parametrize("word", ["nul\x00", "right\u202eleft", "tag\U000e0041", "c1\x9b", "line\u2028"], ids=ascii)
def test_what_would_steer_a_screen_is_escaped_and_read_back_as_it_was(word):
    text = whole.render(everywhere(word))
    assert not steering(text)
    assert json.loads(text)["judgement"]["topic"] == word


# -- rows ----------------------------------------------------------------------------------


def test_every_row_is_found_by_run_kind_and_id():
    for dossier in (STRUCTURED, judged("roundtable"), unjudged("roundtable")):
        keys = [(row["run_id"], row["kind"], row["id"]) for row in rows_of(dossier)]
        assert len(keys) == len(set(keys))


def test_there_is_a_row_for_each_turn_argument_and_score():
    trace, turns = STRUCTURED.judgement.trace, STRUCTURED.proceedings.transcript.turns
    assert [row["said"] for row in of_kind(STRUCTURED, "turn")] == [turn.said for turn in turns]
    assert [row["strength"] for row in of_kind(STRUCTURED, "argument")] == [traced.strength for traced in trace]
    assert len(of_kind(STRUCTURED, "score")) == sum(len(traced.dimensions) for traced in trace)


def test_a_response_leads_to_what_it_is_about():
    known = {row["id"] for row in rows_of(STRUCTURED) if row["kind"] in {"argument", "response"}}
    assert {row["target"] for row in of_kind(STRUCTURED, "response")} <= known


def test_there_is_one_outcome_if_it_was_judged():
    (row,) = of_kind(STRUCTURED, "outcome")
    assert row["outcome"] == STRUCTURED.judgement.outcome.model_dump(mode="json")
    assert of_kind(unjudged("structured"), "outcome") == []


def test_arguments_of_an_unjudged_debate_have_no_standing():
    assert {row["standing"] for row in of_kind(unjudged("structured"), "argument")} == {None}


# -- the trace table -----------------------------------------------------------------------


def test_the_table_holds_every_argument_with_its_figures():
    read = [(row["argument"], row["standing"], float(row["strength"])) for row in table_of(STRUCTURED)]
    assert read == [(traced.id, traced.standing, traced.strength) for traced in STRUCTURED.judgement.trace]


def test_its_lines_end_as_the_standard_has_it_and_are_equally_long():
    text = trace.render(STRUCTURED)
    assert text.count("\r\n") == text.count("\n") == len(STRUCTURED.judgement.trace) + 1
    assert len({len(row) for row in csv.reader(text.splitlines(), strict=True)}) == 1


def test_a_debate_without_numbered_arguments_has_a_head_alone():
    assert table_of(unjudged("roundtable")) == []


@pytest.mark.parametrize("word", [*FORMULAS, *HOSTILE], ids=ascii)
def test_no_cell_begins_a_formula(word):
    cells = [cell for row in csv.reader(trace.render(everywhere(word)).splitlines(keepends=True)) for cell in row]
    assert not [cell for cell in cells if cell.lstrip()[:1] in set("=+-@|%＝＋－＠")]


def test_quotes_commas_and_lines_are_read_back():
    word = 'He said "no", and\nleft'
    assert {row["claim"] for row in table_of(everywhere(word))} == {word}


@pytest.mark.parametrize("sample", [DECIDED, TOO_CLOSE], ids=["decided", "too close"])
def test_what_is_not_known_is_empty(sample):
    rows = table_of(unjudged("roundtable").model_copy(update={"judgement": sample}))
    assert [row["would_become"] for row in rows] == [f.flip.standing if f.flip else "" for f in sample.trace]
