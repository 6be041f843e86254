"""A rehearsal shows who is asked when, and what remains can be kept as JSON."""

import json

import pytest
from inline_snapshot import snapshot

from hustings.errors import SeatFailed, Unsuitable
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_protocol, protocols
from hustings.runs.staging import START, plan, play_out, proceedings_of, rehearse, set_stage
from hustings.script.calls import Reply
from hustings.script.debate import Proceedings
from hustings.transcript.models import RunMetadata
from hustings.transcript.rules import check_document


def planned(name, settings=None):
    return plan(find_protocol(name), "Tea or coffee?", settings=settings)


def on_stage(name="roundtable"):
    return set_stage(planned(name), "run", START, RunMetadata(), fence="secret")


def test_a_round_table_rotates_its_first_speaker():
    played = rehearse(planned("roundtable", {"seats": 3, "rounds": 3}), Improviser())
    assert played.choreography == snapshot(
        [
            ["000.0 ada contribution"],
            ["001.0 ben contribution"],
            ["002.0 chi contribution"],
            ["003.0 ben contribution"],
            ["004.0 chi contribution"],
            ["005.0 ada contribution"],
            ["006.0 chi contribution"],
            ["007.0 ada contribution"],
            ["008.0 ben contribution"],
        ]
    )


def test_both_sides_of_a_structured_debate_are_asked_at_the_same_time():
    assert rehearse(planned("structured"), Improviser()).choreography == snapshot(
        [
            ["000.0 pro opening", "000.1 con opening"],
            ["001.0 pro cross-examination", "001.1 con cross-examination"],
            ["002.0 pro closing", "002.1 con closing"],
        ]
    )


def test_any_function_of_a_call_can_act():
    played = rehearse(
        planned("roundtable", {"seats": 2, "rounds": 1}), lambda call: Reply(f"I am {call.seat}.", clock(call))
    )
    assert [turn.said for turn in played.proceedings.transcript.turns] == ["I am ada.", "I am ben."]


def test_nobody_answering_is_an_ending_too():
    played = rehearse(planned("moderated"), lambda call: SeatFailed("gone"))
    assert (played.proceedings.ending.kind, played.proceedings.ending.code) == ("failed", "SeatFailed")


def test_a_rehearsal_says_that_it_is_one():
    metadata = rehearse(planned("roundtable"), Improviser(3), seed=3).proceedings.transcript.run_metadata
    assert (metadata.generation_mode, metadata.seed, metadata.protocol) == ("improvised", 3, "roundtable/1")


@pytest.mark.parametrize("name", list(protocols()))
def test_proceedings_are_plain_json_and_come_back_whole(name):
    proceedings = rehearse(planned(name), Improviser()).proceedings
    assert Proceedings.model_validate_json(proceedings.model_dump_json()) == proceedings
    assert json.loads(json.dumps(proceedings.document())) == proceedings.document()
    assert json.loads(json.dumps(proceedings.notes_document())) == proceedings.notes_document()


@pytest.mark.parametrize("name", list(protocols()))
def test_notes_are_bound_to_their_transcript(name):
    proceedings = rehearse(planned(name), Improviser()).proceedings
    assert check_document(proceedings.document()) == []
    assert proceedings.notes_document()["transcript_digest"] == proceedings.document()["integrity"]["digest"]


def test_there_are_no_proceedings_of_an_unfinished_debate():
    driver, stage = on_stage()
    with pytest.raises(Unsuitable, match="the debate has not ended: resume it to its end, or stop it"):
        proceedings_of(driver, stage)


def test_there_are_proceedings_once_it_is_over():
    driver, stage = on_stage()
    assert len(play_out(driver, Improviser())) == 9
    assert proceedings_of(driver, stage).ending.kind == "played"
