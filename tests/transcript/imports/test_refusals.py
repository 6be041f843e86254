"""What is no debate is refused in words that name the fix, whatever the bytes."""

import json

import pytest

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.transcript.imports import recognise, spoken

from .foreign import TOPIC, chat, entry, imported, memory, message, transcript

TWO = [message("ada"), message("ben")]
BROKEN = {
    "truncated": ('{"messages": [', "brackets open"),
    "no JSON": ('{"messages": [}]', "can't be read as JSON"),
    "not UTF-8": (b"Ada: \xff\xfe", "not UTF-8"),
    "JSON not UTF-8": (b'[{"name": "\xff"}]', "can't be read as JSON"),
    "too deep": ("[" * 100 + "]" * 100, "nested too deeply"),
    "not a number": ('[{"source": "ada", "content": NaN}]', "NaN"),
    "huge number": ('[{"content": 1' + "0" * 5_000 + "}]", "cannot be kept exactly"),
    "infinite": ('[{"content": 1e999}]', "cannot be kept exactly"),
    "same key twice": ('{"messages": [], "messages": []}', "same key twice"),
    "half a character": ('[{"source": "a", "content": "\\ud800"}]', "surrogate"),
    "unknown shape": ({"a": 1}, "none of the known shapes"),
    "a number": ("42", "none of the known shapes"),
    "empty": ("", "does not say what"),
    "empty list": ([], "none of the known shapes"),
    "no rounds": (transcript(), "DT-S013"),
    "broken transcript": ({"schema_version": "2.0.0"}, "DT-S001 at /debate_id"),
    "another major version": (transcript(["ada", "ben"], schema_version="3.0.0"), "DT-S004"),
    "changed after sealing": (
        transcript(["ada", "ben"], integrity={"algorithm": "sha256", "canonicalization": "RFC8785", "digest": "0"}),
        "DT-G002",
    ),
    "one speaker": ([message("user", TOPIC), message("ada"), message("ada")], "only one speaker ('ada')"),
    "no speaker": (f"{TOPIC}\nHe said: nothing.", "no speaker was found"),
    "no question": (TWO, "does not say what the debate is about"),
    "message is a text": ([*TWO, "words"], "message 3 is no object"),
    "memory is an object": ({"globalMemory": {}, "input": TOPIC}, "globalMemory is no list"),
    "entry is a list": (memory([1]), "entry 1 is no object"),
    "turn is a text": (memory(entry("1", "a")), "no whole number as its turn"),
    "turn is true": (memory(entry(True, "a")), "no whole number as its turn"),
    "no agent": (memory(entry(1, "")), "names no agent"),
    "input is a number": ({"input": [3], "globalMemory": [entry(1, "a")]}, "its input is no text"),
    "second memory is a number": ([memory(entry(1, "a"), entry(1, "b")), 3], "debate 2 is no object"),
    "second question is a number": ({TOPIC: [[chat("A."), chat("B.")], 1], "B?": 4}, "debate 2 holds no chats"),
    "chat with a text": ({TOPIC: [[[*chat("A."), "B."], chat("C.")], 1]}, "agent 1, message 3 is no object"),
    "U+0000 in words": ([message("ada", "a\0b"), message("ben")], "contains the character U+0000"),
    "U+0000 in a part": ([message("ada", ["a\0b"]), message("ben")], "contains the character U+0000"),
    "U+0000 in the question": ({"topic": "a\0b", "messages": TWO}, "a character that no text can have"),
    "control in a name": ({"topic": TOPIC, "messages": [message("a\x1bda"), message("ben")]}, "can't be the name"),
    "turned name": ({"topic": TOPIC, "messages": [message("a\u202eda"), message("ben")]}, "can't be the name"),
    "name of two lines": ({"topic": TOPIC, "messages": [message("a\nb"), message("ben")]}, "can't be the name"),
    "long name": ({"topic": TOPIC, "messages": [message("a" * 101), message("ben")]}, "can't be the name"),
    "long question": ({"topic": "a" * 100_001, "messages": TWO}, "100,001 characters"),
    "long speech": ({"topic": TOPIC, "messages": [message("ada", "a" * 1_048_577), message("ben")]}, "DT-P007"),
}


@pytest.mark.parametrize("file", BROKEN)
def test_a_broken_file_is_refused_in_words(file):
    content, why = BROKEN[file]
    with pytest.raises((BrokenFile, Unsuitable)) as raised:
        imported(content)
    assert why in str(raised.value)
    assert raised.value.fix


@pytest.mark.parametrize("field", ["display_name", "role", "team", "model_name"])
def test_a_name_in_a_transcript_must_fit_on_one_line(field):
    document = transcript(["ada", "ben"])
    document["participants"][0][field] = "a\u2028b"
    with pytest.raises(Unsuitable, match="can't be the name"):
        imported(document)


def test_three_broken_rules_are_told_and_the_rest_counted():
    document = transcript(["ada", "ben"])
    document["rounds"] = [{}, {}, {}, {}]
    with pytest.raises(BrokenFile, match="and 5 more"):
        imported(document)


OPTIONS = {
    "speakers of a memory": (memory(entry(1, "a")), {"speakers": ("a",)}, "does not apply to memory"),
    "speaker with a line end": (TWO, {"speakers": ("a\nb",)}, "can't be the name"),
    "blank question": (TWO, {"topic": "\ud800"}, "a character that no text can have"),
    "question of a transcript": (transcript(["ada", "ben"]), {"topic": TOPIC}, "kept as it is"),
    "second of a transcript": (transcript(["ada", "ben"]), {"item": 2}, "a transcript is one debate"),
    "third of two": ([memory(entry(1, "a"))] * 2, {"item": 3}, "no debate 3"),
    "number zero": ([memory(entry(1, "a"))] * 2, {"item": 0}, "no debate 0"),
    "one of several": ([memory(entry(1, "a"))] * 2, {}, "the file holds 2 debates"),
    "one question for all": ([memory(entry(1, "a"))] * 2, {"item": "all", "topic": TOPIC}, "of every debate"),
    "too many": ([memory()] * 1_001, {"item": "all"}, "1,001 debates"),
    "text as messages": ("Ada: Yes.", {"shape": "messages"}, "can't be read as JSON"),
    "object as memory": ({}, {"shape": "memory"}, "globalMemory is no list"),
    "list as contexts": ([], {"shape": "contexts"}, "the file is no object"),
    "nothing as contexts": ({}, {"shape": "contexts"}, "holds no debate"),
    "number as messages": (3, {"shape": "messages"}, "the file is no list"),
    "chats of another kind": ({"a": [[], []]}, {"shape": "contexts"}, "holds no chats"),
    "text as transcript": ("Ada: Yes.", {"shape": "transcript"}, "DT-P001"),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_an_option_that_does_not_fit_is_refused_in_words(option):
    content, how, why = OPTIONS[option]
    with pytest.raises((BrokenFile, Unsuitable)) as raised:
        imported(content, **how)
    assert why in str(raised.value)


def test_an_unknown_shape_is_refused_with_those_that_are_known():
    with pytest.raises(NotFound, match="did you mean 'memory'"):
        imported(TWO, shape="memroy")


def test_more_turns_than_allowed_are_refused(monkeypatch):
    monkeypatch.setattr(spoken, "MOST_TURNS", 3)
    content = {"topic": TOPIC, "messages": TWO * 2}
    for document in (content, transcript(["ada", "ben"], ["ada", "ben"])):
        with pytest.raises(Unsuitable, match="4 turns, and 3 are allowed"):
            imported(document)


def test_more_bytes_than_allowed_are_refused(monkeypatch):
    monkeypatch.setattr(recognise, "MOST_BYTES", 10)
    with pytest.raises(BrokenFile, match="more than 10 bytes"):
        imported("Ada: Yes, of course.")


def test_a_line_with_many_spaces_takes_no_time():
    spaces = " " * 300_000
    text = f"{TOPIC}\nAda: Yes.\nBen{spaces}\n{spaces}x\nround 1{spaces}x\nBen: No.\nAda: Yes!\nBen: No!"
    assert len(imported(text)[0].transcript.turns) == 4


@pytest.mark.parametrize("field", ["role", "type", "source", "name", "created_at", "model", "tool_calls"])
@pytest.mark.parametrize("value", [[], {}, 3, None, True, [["a"]]], ids=repr)
def test_a_field_of_any_type_is_read_or_passed_over(field, value):
    said = [*TWO, {**message("ada"), field: value}]
    (found,) = imported({"topic": TOPIC, "messages": said})
    assert len(found.transcript.turns) in (2, 3)


def test_a_value_that_is_no_text_is_no_speech():
    said = [*TWO, message("ada", 3), message("ben", {"a": 1}), message("", "Words."), message("ada", [{"type": "x"}])]
    (found,) = imported({"topic": TOPIC, "messages": json.loads(json.dumps(said))})
    assert "4 messages left out, no speech: calls of tools, events, instructions" in found.remarks


def said(count, speaker):
    return [{"source": speaker(n), "content": "W."} for n in range(count)]


HEAVY = {
    "one speaker for ever": {"topic": TOPIC, "messages": said(20_000, lambda _: "ada")},
    "a speaker for every word": {"topic": TOPIC, "messages": said(20_000, str)},
    "two speakers for ever": {"topic": TOPIC, "messages": said(20_000, lambda n: "ab"[n % 2])},
    "many agents, one of whom talks": {TOPIC: [[chat(*["W."] * 5_000), *[[{"role": "user"}]] * 20_000], 1]},
    "many agents who all talk": {TOPIC: [[chat("W.")] * 20_000, 1]},
    "a round for every word": memory(*(entry(n, "ab"[n % 2]) for n in range(20_000))),
}


AT_NIGHT = ("one speaker for ever", "two speakers for ever", "many agents, one of whom talks")
LATER = pytest.mark.nightly("seconds for each; one of every shape is refused on every change")


@pytest.mark.timeout(30)
@pytest.mark.parametrize("file", [pytest.param(name, marks=LATER if name in AT_NIGHT else ()) for name in HEAVY])
def test_a_file_that_is_made_to_take_long_is_refused_in_time(file):
    with pytest.raises(Unsuitable, match=r"turns, and 5,000 are allowed|only one speaker"):
        imported(HEAVY[file])
