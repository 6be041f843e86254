"""Four files of each shape: turns and rounds are those that a reader counts, and what is left out is told."""

import pytest
from jsonschema import Draft202012Validator

from hustings.transcript.bare import bare
from hustings.transcript.rules import check_document
from tests.transcript.test_bare import public_schema

from .foreign import AT, EVERY, NAMED, TOPIC, entry, imported, memory, rounds_of, transcript


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.shape)
def test_turns_and_rounds_are_those_that_a_reader_counts(file):
    (found,) = imported(file.content, **file.how)
    assert (found.shape, found.topic) == (file.shape, file.topic)
    assert rounds_of(found.transcript) == [(status, names.split()) for status, names in file.rounds]


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.shape)
def test_the_transcript_breaks_no_rule(file):
    (found,) = imported(file.content, **file.how)
    assert [one for one in check_document(found.transcript.document()) if one.severity == "error"] == []


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.shape)
def test_its_bare_form_fits_the_closed_public_schema(file):
    (found,) = imported(file.content, **file.how)
    Draft202012Validator(public_schema()).validate(bare(found.transcript))


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.shape)
def test_what_is_left_out_joined_or_unknown_is_told(file):
    (found,) = imported(file.content, **file.how)
    missing = [said for said in file.told if not any(remark.startswith(said) for remark in found.remarks)]
    assert missing == [], found.remarks


@pytest.mark.parametrize("file", EVERY, ids=lambda file: file.shape)
def test_the_shape_may_be_named(file):
    assert imported(file.content, **{**file.how, "shape": file.shape}) == imported(file.content, **file.how)


def test_a_transcript_is_kept_as_it_is():
    (found,) = imported(NAMED)
    kept = found.transcript.document()
    written = {name: {**NAMED}[name] for name in NAMED}
    written["rounds"][0]["theirs"]["kept"] = [1, 2.5, None]
    assert {name: kept[name] for name in written if name != "run_metadata"} == {
        name: part for name, part in written.items() if name != "run_metadata"
    }


def test_nothing_unknown_is_filled_in():
    (found,) = imported(memory(entry(1, "a"), entry(1, "b")))
    document = found.transcript.document()
    assert document["participants"] == [{"agent_id": "a"}, {"agent_id": "b"}]
    known = {name for name, value in document["run_metadata"].items() if value is not None}
    assert known == {"generation_mode", "notes"}
    first = document["rounds"][0]
    assert set(first) == {"round_index", "round_status", "turns"}
    assert set(first["turns"][0]["attempts"][0]) == {"attempt_index", "timestamp", "status", "content"}


def test_the_record_says_where_its_words_and_times_come_from():
    (found,) = imported(f"{TOPIC}\nAda: Yes.\nBen: No.\nAda: Yes!\nBen: No!")
    about = found.transcript.run_metadata
    assert about.generation_mode == "imported"
    assert about.notes.startswith("Imported from text, file sha256:")
    assert about.notes.endswith("Times are those of the import")
    assert {turn.attempts[0].timestamp for turn in found.transcript.turns} == {AT}


def test_names_and_models_that_the_file_tells_are_kept():
    people = [{"agentId": "a", "model": "llama-3"}]
    content = memory(entry(1, "a", persona="Chef"), entry(1, "b"), entry(2, "a"), personas=people)
    (found,) = imported(content)
    told = [(seat.agent_id, seat.display_name, seat.model_name) for seat in found.transcript.participants]
    assert told == [("a", "Chef", "llama-3"), ("b", None, None)]


def test_a_speaker_with_two_models_has_an_unknown_one():
    said = [{"source": "ada", "content": "W.", "model": model} for model in ("gpt-5", "gpt-4")]
    ben = {"source": "ben", "content": "W.", "model": "llama-3"}
    for messages in ([said[0], ben, said[1]], [*said, ben]):
        (found,) = imported(messages, topic=TOPIC)
        assert [seat.model_name for seat in found.transcript.participants] == [None, "llama-3"]


def test_two_speakers_never_share_an_id():
    said = [{"source": name, "content": "W."} for name in ("Ann B", "Ann_B", "Ann*B", "Ann B_2", "李", "王")]
    (found,) = imported(said, topic=TOPIC)
    ids = [seat.agent_id for seat in found.transcript.participants]
    assert ids[:4] == ["Ann_B", "Ann_B_2", "Ann_B_3", "Ann_B_2_2"]
    assert len({*ids}) == 6


@pytest.mark.parametrize(
    "times",
    [
        ("2026-01-01T00:00:01Z", "2026-01-01T00:00:00Z"),
        ("2026-01-01T00:00:01Z", "yesterday"),
        ("2026-01-01T00:00:01Z",),
    ],
    ids=["going back", "no time", "a number"],
)
def test_times_that_cannot_be_right_are_those_of_the_import(times):
    said = [{"source": who, "content": "W."} for who in ("ada", "ben")]
    for one, time in zip(said, times, strict=False):
        one["created_at"] = time
    (found,) = imported(said, topic=TOPIC)
    assert [turn.attempts[0].timestamp for turn in found.transcript.turns] == [AT, AT]


def test_the_same_words_have_the_same_id_whenever_they_come():
    text = f"{TOPIC}\nAda: Yes.\nBen: No.\nAda: Yes!\nBen: No!"
    first, spaced, other = (imported(each)[0].transcript for each in (text, f"{text}\n\n", text.replace("No!", "Oh!")))
    assert first.debate_id == spaced.debate_id != other.debate_id


def test_all_debates_of_a_file_can_be_taken():
    several = {
        f"Question {n}?": [[said, said], n] for n in range(3) for said in [[{"role": "assistant", "content": "W."}]]
    }
    found = imported(several, item="all")
    assert [(one.topic, one.item, one.items) for one in found] == [(f"Question {n}?", n + 1, 3) for n in range(3)]


def test_a_byte_order_mark_is_no_part_of_a_file():
    content = f"{TOPIC}\nAda: Yes.\nBen: No.\nAda: Yes!\nBen: No!".encode("utf-8-sig")
    assert imported(content)[0].topic == TOPIC
    assert imported(b"\xef\xbb\xbf" + b'[{"name": "a", "content": "W."}, {"name": "b", "content": "W."}]', topic=TOPIC)


def test_characters_that_do_not_show_are_counted():
    (found,) = imported(f"{TOPIC}\nAda: Yes\u202e.\nBen: No.\nAda: Yes!\nBen: No!")
    assert "1 speech with characters that do not show" in found.remarks


def test_the_question_of_a_transcript_without_one_can_be_named():
    bare = transcript(["ada", "ben"], debate_metadata={})
    assert imported(bare, topic=TOPIC)[0].topic == TOPIC
    assert imported(bare, topic=TOPIC)[0].transcript.debate_metadata.topic is None
