"""Every turn of our protocols has its phases; records of others go by the type of turn."""

import pytest

from hustings.lab.phases import PHASES, evaluated_turns, is_assigned, phases_of
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_script
from hustings.runs.staging import plan, rehearse
from hustings.transcript.models import Participant, RunMetadata

from .evaluated import BUNDLES, record


@pytest.mark.parametrize(
    ("protocol", "kind", "nth", "phases"),
    [
        ("roundtable", "contribution", 0, ("opening",)),
        ("roundtable", "contribution", 2, ("critique", "revision")),
        ("structured", "closing", 2, ("revision",)),
        ("moderated", "question", 0, ()),
        ("moderated", "answer", 0, ("critique", "revision")),
        ("adaptive", "refinement", 0, ("synthesis",)),
    ],
)
def test_phases_of_our_protocols(protocol, kind, nth, phases):
    assert phases_of(protocol, kind, nth) == phases


@pytest.mark.parametrize(
    ("turn_type", "nth", "phases"),
    [
        ("synthesis", 0, ("synthesis",)),
        ("meta", 0, ()),
        (None, 0, ("opening",)),
        ("rebuttal", 1, ("critique", "revision")),
    ],
)
def test_phases_of_records_that_are_not_ours(turn_type, nth, phases):
    assert phases_of("", "", nth, turn_type) == phases


def test_where_sides_were_assigned_no_stance_is_read():
    assert is_assigned("structured", "opening")
    assert is_assigned("moderated", "devil's advocate")
    assert not is_assigned("moderated", "answer")
    assert not is_assigned("adaptive", "position")


def test_two_teams_are_assigned_sides_in_any_record():
    teams = [Participant(agent_id="a", team="pro"), Participant(agent_id="b", team="con")]
    foreign = record(BUNDLES, participants=teams, run_metadata=RunMetadata())
    assert {turn.assigned for turn in evaluated_turns(foreign)} == {True}
    assert {turn.assigned for turn in evaluated_turns(record(BUNDLES))} == {False}


def test_moderators_judges_and_lost_turns_are_not_evaluated():
    transcript = record(BUNDLES, participants=[Participant(agent_id="a", role="moderator"), Participant(agent_id="b")])
    transcript.turns[1].attempts[0].status = "failed"
    assert [(turn.turn.turn_id, turn.phases) for turn in evaluated_turns(transcript)] == [("r2.t0", ("opening",))]


@pytest.mark.parametrize("name", sorted({protocol for protocol, _ in PHASES}))
def test_every_kind_of_turn_that_a_protocol_writes_is_known(name):
    played = rehearse(plan(find_script(name), "Should towns ban cars?"), Improviser())
    transcript = played.proceedings.transcript
    kinds = {(name, turn.metadata.kind) for turn in transcript.turns}
    assert kinds <= PHASES.keys()
    assert evaluated_turns(transcript)
