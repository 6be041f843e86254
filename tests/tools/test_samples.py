"""The sample debates of the demo are what their sources give, and show what they are there to show."""

from functools import cache

import pytest
from tools.sample_sources import SOURCES, read_sample
from tools.samples import NAMES, NOTE, faults, path_of, recorded

from hustings.runs.recording import dump, load
from hustings.runs.registry import protocols

RECORDINGS = {name: load(path_of(name).read_bytes(), name) for name in NAMES}


@cache
def judgement(name):
    return RECORDINGS[name].remains.judgement


@pytest.mark.parametrize("name", NAMES)
def test_a_recording_is_what_its_sources_give(name):
    assert dump(recorded(read_sample(name))) == path_of(name).read_bytes(), "make samples"


@pytest.mark.parametrize("name", NAMES)
def test_it_breaks_no_rule_and_every_mark_rests_on_words_that_were_said(name):
    assert list(faults(RECORDINGS[name])) == []


@pytest.mark.parametrize("name", NAMES)
def test_it_says_first_who_wrote_it(name):
    assert (RECORDINGS[name].head.note, RECORDINGS[name].head.written) == (NOTE, True)


@pytest.mark.parametrize("name", NAMES)
def test_its_organisation_says_that_it_is_made_up(name):
    paper = (SOURCES / name / "background.md").read_text("utf-8")
    assert "fiction" in paper or "does not exist" in paper


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
