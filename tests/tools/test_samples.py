"""The sample debates of the demo are what their sources give, and show what they are there to show."""

from functools import cache
from html import unescape

import pytest
from tools.sample_sources import SOURCES, read_sample
from tools.samples import NAMES, NOTE, faults, path_of, recorded

from hustings.report.formats import html
from hustings.runs.recording import dump, load
from hustings.runs.registry import protocols
from hustings.script.citing import citations_of
from hustings.script.documents import listed_in
from hustings.transcript.events import AttemptRejected

RECORDINGS = {name: load(path_of(name).read_bytes(), name) for name in NAMES}
DOCUMENTS = {name: listed_in(RECORDINGS[name].proceedings.notes) for name in NAMES}
WITH_DOCUMENTS = [name for name in NAMES if len(DOCUMENTS[name]) > 1]
"""Those with documents beside the paper."""
LEAST_QUOTES = 15


@cache
def judgement(name):
    return RECORDINGS[name].remains.judgement


ON_EVERY_CHANGE = ("monolith", "backup")
"""A debate with documents, and a critique."""
LATER = pytest.mark.nightly("seconds for each debate and its judging; two of them are made on every change")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in ON_EVERY_CHANGE else LATER) for n in NAMES])
def test_a_recording_is_what_its_sources_give(name):
    assert dump(recorded(read_sample(name))) == path_of(name).read_bytes(), "make samples"


@pytest.mark.parametrize("name", NAMES)
def test_it_breaks_no_rule_and_every_mark_rests_on_words_that_were_said(name):
    assert list(faults(RECORDINGS[name])) == []


@pytest.mark.parametrize("name", NAMES)
def test_it_says_first_who_wrote_it(name):
    assert (RECORDINGS[name].head.note, RECORDINGS[name].head.written) == (NOTE, True)


@pytest.mark.parametrize("paper", sorted(SOURCES.glob("*/*.md")), ids=lambda paper: f"{paper.parent.name}/{paper.stem}")
def test_every_paper_says_that_it_is_made_up(paper):
    told = paper.read_text("utf-8")
    assert any(words in told for words in ("fiction", "does not exist", "invented for this sample"))


def test_there_is_one_for_each_protocol():
    assert sorted(sample.head.protocol.partition("/")[0] for sample in RECORDINGS.values()) == sorted(protocols())


@pytest.mark.parametrize("name", NAMES)
def test_three_judges_of_three_families_read_it_in_both_orders(name):
    assert len({judge.family for judge in judgement(name).panel}) == 3
    assert all(judge.asked == judge.accepted for judge in judgement(name).panel)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("monolith", "decided"),
        ("last-boat", "decided"),
        ("car-free", "decided"),
        ("rewrite", "too_close"),
        ("phones", "decided"),
        ("backup", "decided"),
    ],
)
def test_they_end_in_different_ways(name, kind):
    assert judgement(name).outcome.kind == kind


def test_in_one_an_issue_is_deadlocked_and_others_converge():
    assert [issue.state for issue in judgement("last-boat").settled] == ["converged", "deadlocked", "converged"]


def test_in_one_a_seat_is_missed_and_the_record_says_why():
    log = RECORDINGS["car-free"].proceedings.transcript.participant_state_log
    assert {(state.agent_id, "503" in state.reason) for state in log} == {("eli", True)}


def test_in_one_two_families_flag_a_fallacy():
    assert ("misquotation", 2) in {(flag.kind, len(flag.families)) for flag in judgement("monolith").flags}


def test_in_one_a_side_gives_up_its_answer_and_that_decides_it():
    assert judgement("monolith").outcome.what == "con"
    assert "no longer defends the proposal as put" in judgement("monolith").reason


def test_in_one_a_judge_finds_what_a_critic_missed_and_the_verdict_is_to_revise():
    result = RECORDINGS["backup"].proceedings.result
    assert result["verdict"] == "revise"
    assert [one["state"] for one in result["objections"]] == ["holds", "does not hold", "holds in part", "holds"]


# -- quotes from documents -----------------------------------------------------------------


@cache
def quotes(name):
    return citations_of(RECORDINGS[name].proceedings.notes)


def turn(name, turn_id):
    return next(one for one in RECORDINGS[name].proceedings.transcript.turns if one.turn_id == turn_id)


def rejected(name):
    return [came.event for came in RECORDINGS[name].events if isinstance(came.event, AttemptRejected)]


def test_three_of_them_enclose_documents():
    assert {judgement(name).protocol.partition("/")[0] for name in WITH_DOCUMENTS} >= {"structured", "moderated"}
    assert len(WITH_DOCUMENTS) >= 3


@pytest.mark.parametrize("name", WITH_DOCUMENTS)
def test_one_side_has_a_document_of_its_own_and_quotes_it(name):
    [private] = [one for one in DOCUMENTS[name] if one.seats]
    cited = {
        (turn(name, turn_id).speaker_id,)
        for turn_id, some in quotes(name).items()
        for one in some
        if one.document == private.id
    }
    assert cited == {private.seats}


@pytest.mark.parametrize("name", WITH_DOCUMENTS)
def test_every_document_is_quoted_and_most_arguments_rest_on_quotes(name):
    accepted = [one for some in quotes(name).values() for one in some if one.accepted]
    assert len(accepted) >= LEAST_QUOTES
    assert {one.document for one in accepted} == {one.id for one in DOCUMENTS[name]}
    assert 2 * judgement(name).support.cited > judgement(name).support.arguments


@pytest.mark.parametrize("name", WITH_DOCUMENTS)
def test_a_speaker_names_the_passage_in_which_the_words_stand(name):
    for turn_id, some in quotes(name).items():
        said = turn(name, turn_id).said
        assert [one.passage for one in some if one.accepted and f"[{one.passage}: “" not in said] == []


def test_one_false_quote_stays_and_no_other():
    false = [
        (name, turn_id, one)
        for name in WITH_DOCUMENTS
        for turn_id, some in quotes(name).items()
        for one in some
        if not one.accepted
    ]
    [(name, turn_id, one)] = false
    assert (name, turn(name, turn_id).speaker_id, one.verdict) == ("monolith", "con", "altered")


def test_a_speaker_whose_quote_goes_back_corrects_it():
    [sent_back] = [event for event in rejected("monolith") if event.seat == "pro"]
    [attempt, better] = turn("monolith", "r1.t0").attempts
    assert attempt == sent_back.attempt
    assert ("15 went out late" in attempt.content, "15 went out late" in better.content) == (True, False)
    assert all(one.accepted for one in quotes("monolith")["r1.t0"])


def test_the_other_says_it_again_as_often_as_it_goes_back():
    sent_back = [event for event in rejected("monolith") if event.seat == "con"]
    [false] = [one for one in quotes("monolith")["r1.t1"] if not one.accepted]
    assert len(sent_back) > 1
    assert all(false.quote in event.attempt.content and false.why in event.complaints[0] for event in sent_back)


def test_the_false_quote_is_pointed_out_and_costs_its_argument_the_marks_for_evidence():
    [false] = [one for one in quotes("monolith")["r1.t1"] if not one.accepted]
    assert f'"{false.quote}", is not in the paper' in turn("monolith", "r2.t0").said
    resting = judgement("monolith").support.bases
    assert [argument for argument, basis in resting.items() if basis == "false quote"] == ["CON-3"]
    scores = {row.id: row.dimensions["evidence"] for row in judgement("monolith").trace}
    assert scores["CON-3"] == min(scores.values()) <= 3


def test_the_report_tells_at_the_turn_what_was_sent_back_and_what_is_false():
    [false] = [one for one in quotes("monolith")["r1.t1"] if not one.accepted]
    page = html.render(RECORDINGS["monolith"].dossier)
    turns = {
        one: unescape(page.partition(f'<article id="turn-{one}"')[2].partition("</article>")[0])
        for one in ("r1.t0", "r1.t1")
    }
    told = {one: turn.count("was not accepted: DOC-1") for one, turn in turns.items()}
    assert told == {"r1.t0": 1, "r1.t1": 2}
    assert "false quote" not in turns["r1.t0"]
    assert f"false quote, DOC-1: “{false.quote}” {false.why}" in turns["r1.t1"]
