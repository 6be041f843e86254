"""A bare transcript has the fields of the public schema and no others."""

import pytest
from jsonschema import Draft202012Validator

from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.transcript.bare import bare
from hustings.transcript.rules import check_document
from hustings.transcript.schema import closed_schema
from tests.judging.judgings import EVERY


def public_schema():
    """The closed schema without the fields that this project added."""
    schema = closed_schema()
    for part in (schema, *schema["$defs"].values()):
        if "properties" in part:
            part["properties"] = {name: each for name, each in part["properties"].items() if not each.get("x-own")}
            part.pop("patternProperties")
    return schema


@pytest.mark.parametrize("protocol", EVERY)
def test_it_fits_the_public_schema_and_keeps_the_rules(protocol):
    played = rehearse(plan(find_protocol(protocol), "Is it so?", retries=1, model="improviser"), Improviser())
    document = bare(played.proceedings.transcript)
    Draft202012Validator(public_schema()).validate(document)
    assert not [found for found in check_document(document) if found.severity == "error"]


def test_words_and_speakers_stay():
    transcript = rehearse(plan(find_protocol("roundtable"), "Is it so?"), Improviser()).proceedings.transcript
    document = bare(transcript)
    said = [turn["attempts"][-1]["content"] for round_ in document["rounds"] for turn in round_["turns"]]
    assert said == [turn.attempts[-1].content for turn in transcript.turns]
    assert [seat["agent_id"] for seat in document["participants"]] == [
        seat.agent_id for seat in transcript.participants
    ]
    assert document["run_metadata"]["temperature"] is None


def test_notes_are_kept_beside_those_that_were_there():
    transcript = rehearse(plan(find_protocol("roundtable"), "Is it so?"), Improviser()).proceedings.transcript
    assert "notes" not in bare(transcript)["debate_metadata"]
    about = transcript.debate_metadata.model_copy(update={"notes": "first"})
    told = bare(transcript.model_copy(update={"debate_metadata": about}), "second")
    assert told["debate_metadata"]["notes"] == "first\n\nsecond"
