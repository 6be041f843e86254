"""What a program gives to `Debate` and other functions: it is there in the debate, or refused by its name."""

import decimal
import logging
from collections import UserDict
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hustings import Debate, HustingsError, Result, debate, import_debates
from hustings.errors import BrokenFile, Unsuitable
from hustings.lab import evaluate
from hustings.runs.spec import RunSpec
from hustings.script.background import Background
from tests.readers.made import SMALL

PLAIN = {"model": "improviser", "judges": None, "database": "temporary"}
MEMO = "Night buses\n\nThe last bus should leave at two."

# -- nothing is dropped, nothing is bare ---------------------------------------------------

DEFAULTS = {each.name: each.default for each in fields(Debate)} | PLAIN
WORDS = st.sampled_from(["x", "auto", "pro", "human", "ada", "rounds", "task_type", "text", "title", "\ud800", "a\0b"])
ODD = st.sampled_from([
    *(object(), object, len, ..., NotImplemented, {"x"}, frozenset({1}), range(3), iter("x"), 3j, bytearray(b"x")),
    *(memoryview(b"x"), decimal.Decimal(1), Fraction(1, 2), UserDict(a=1), Exception("x"), float("nan"), float("inf")),
    *(b"", b"\xff\xfe", b"%PDF-1.4", b"memo", Path("missing"), Path("/"), Path("\0"), Path("x" * 5_000), "x" * 5_000),
    *(":memory:", "sqlite://", "postgresql://h:x/", "mysql:x", "a?b.db", "~nobody-of-that-name/x.db", 10**30, -1),
])  # fmt: skip
PLAINLY = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3) | st.binary(max_size=3) | WORDS
ANYTHING = st.recursive(
    PLAINLY | ODD,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(WORDS | st.integers(), inner, max_size=2),
    max_leaves=4,
)


def seen(made):
    """All that a debate will be."""
    own = {"run_id", "lineage", "created_at", "fence"}
    return made._spec.model_dump(exclude=own), made._follow_ups, made._url, made._known.get("LLM_TIMEOUT")


def says_nothing(name, value):
    """Whether a value asks for what would be so without it."""
    if isinstance(value, dict) and value:
        return all(one == "" for one in value.values())
    blank = not value.strip() if isinstance(value, str) else not value and not isinstance(value, int | float)
    return (
        blank
        or value == DEFAULTS[name]
        or [name, value] in [["look_ups", 0], ["judges", "none"], ["judges", ["none"]], ["retries", 2]]
    )


@given(st.sampled_from(sorted(DEFAULTS)), ANYTHING)
@example("background", b"A memo.")
@example("background", 3)
@example("documents", "memo")
@example("documents", [b"A memo."])
@example("judges", False)
@example("judges", [""])
@example("look_ups", 3)
@example("budget", float("nan"))
@settings(max_examples=250, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_a_program_gives_is_in_the_debate_or_refused_by_us(name, value):
    plain = {"question": "Is it so?", **PLAIN}
    try:
        made = Debate(**{**plain, name: value})
    except HustingsError as error:
        assert str(error)  # noqa: PT017  either is right
    else:
        assert RunSpec.model_validate_json(made._spec.model_dump_json()).debate == made._spec.debate
        assert says_nothing(name, value) or seen(made) != seen(Debate(**plain))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"background": 3}, "background is 3: give text, a Path, bytes, Background or None"),
        ({"documents": "a memo"}, "documents is text: give a list"),
        ({"documents": [3]}, "documents[0] is 3: give text, a Path, bytes, Background, DocumentText or a dict"),
        ({"documents": [{"text": ""}]}, "documents[0] can't be used (text: not written as it should be)"),
        ({"documents": ["a", b""]}, "'documents[1]' is empty: name a file with text in it"),
        ({"budget": float("nan")}, "budget is nan: give a number or None"),
        ({"budget": "1"}, "budget is text: give a number or None"),
        ({"budget": -1}, "these debate settings don't work: budget: must be at least 0"),
        ({"budget": 1e300}, "1e+300 is no amount of money: write it like 0.50"),
        ({"max_calls": 10**30}, "these debate settings don't work: max_calls: too large a number"),
        ({"max_minutes": 0.0}, "these debate settings don't work: max_minutes: must be more than 0"),
        ({"max_calls": True}, "max_calls is True: give a whole number or None"),
        ({"judges": False}, "judges is False: give text, a list or None"),
        ({"judges": ["improviser", 3]}, "judges[1] is 3: give text"),
        ({"judges": [""]}, "judges names no model: name models, auto or none"),
        ({"control": "no"}, "control is text: give True or False"),
        ({"on_failure": "stop"}, "these debate settings don't work: on_failure: must be 'pause' or 'go-on'"),
        ({"on_failure": 3}, "on_failure is 3: give 'pause' or 'go-on'"),
        ({"seats": {"pro": None}}, "seats['pro'] is None: give text"),
        ({"pro": "improviser", "seats": {"pro": "human"}}, "pro has two models, one in seats: name one of them"),
        ({"meta": {"colour": "red"}}, "meta can't be used (colour: unknown field)"),
        ({"look_ups": 3}, "look_ups needs further documents: bring some, or leave it out"),
        (
            {"language": "klingon"},
            "can't start a structured debate: language: 'klingon' is no language tag; write en, de or pt-BR",
        ),
    ],
)
def test_what_does_not_fit_is_refused_by_its_name(arguments, said):
    with pytest.raises(HustingsError) as refused:
        Debate("Is it so?", **{**PLAIN, **arguments})
    assert str(refused.value) == said


def test_a_key_in_a_wrong_place_is_not_repeated():
    with pytest.raises(Unsuitable) as refused:
        Debate("Is it so?", **{**PLAIN, "budget": "abcd-1234-a-key"})
    assert "abcd" not in str(refused.value)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Result.of(3), "run_id is 3: give text"),
        (lambda: Result.of("x", database=3), "database is 3: give text, a Path or None"),
        (lambda: import_debates(3), "file is 3: give text, a Path or bytes"),
        (lambda: import_debates(b"x", speakers="Ada"), "speakers is text: give a list"),
        (lambda: import_debates(b"x", item=1.5), "item is 1.5: give a whole number, 'all' or None"),
        (lambda: Debate("Is it so?", **PLAIN).say("pro", 3), "words is 3: give text"),
        (lambda: evaluate("x", "improviser"), "judges is text: give a list"),
    ],
)
def test_the_other_functions_refuse_by_name_too(call, said):
    with pytest.raises(Unsuitable) as refused:
        call()
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Result.of("nothing"), "hustings list (in Python: database=…)"),
        (lambda: Debate("Is it so?", **{**PLAIN, "model": "openai/gpt-4o-mini"}), "(in Python: keys={…})"),
    ],
)
def test_an_error_that_names_a_command_or_a_key_names_the_argument_too(call, said):
    with pytest.raises(HustingsError) as refused:
        call()
    assert str(refused.value).endswith(said)


def test_an_error_that_names_an_option_names_the_argument_too():
    with pytest.raises(Unsuitable, match=r"--judges openai/gpt-4o-mini \(in Python: judges=\)$"):
        Debate("Is it so?", **{**PLAIN, "judges": "human"})


# -- judges --------------------------------------------------------------------------------


def test_an_empty_list_of_judges_is_none():
    assert Debate("Is it so?", **{**PLAIN, "judges": []})._follow_ups.judging is None


# -- documents -----------------------------------------------------------------------------


def test_bytes_are_read_as_the_document_that_they_are():
    brought = [SMALL["plan.pdf"], MEMO.encode()]
    made = Debate("Is it so?", background=brought[0], documents=brought, **PLAIN)._spec.debate
    assert [one.media for one in made.documents.each] == ["pdf", "text"]
    assert "The last bus leaves at two." in made.background.text


@pytest.mark.parametrize("name", ["plan.md", "notes", "there is none.pdf", "none.pdf"])
def test_the_name_of_a_file_is_not_debated_as_a_text(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for there in ("plan.md", "notes"):
        Path(there).write_text(MEMO)
    if " " in name:
        assert Debate("Is it so?", background=name, **PLAIN)._spec.debate.background.text == name
        return
    for arguments, place in (({"background": name}, "background"), ({"documents": [name]}, r"documents\[0\]")):
        with pytest.raises(Unsuitable, match=rf"{place} is the name of a file, '{name}': .* Path\('{name}'\)"):
            Debate("Is it so?", **arguments, **PLAIN)


def test_what_is_left_out_of_a_folder_is_told(tmp_path, caplog):
    (tmp_path / "memo.md").write_text(MEMO)
    (tmp_path / "server.key").write_text("secret")
    with caplog.at_level(logging.WARNING, "hustings"):
        Debate("Is it so?", documents=[tmp_path], **PLAIN)
    assert caplog.messages == ["documents[0]: Left out: server.key (looks like a key)"]


def test_a_background_may_be_named_and_none_may_be_blank():
    named = Background(title="Plan", text="Buses.")
    assert Debate("Is it so?", background=named, **PLAIN)._spec.debate.background == named
    assert Debate("Is it so?", background=" ", **PLAIN)._spec.debate.background is None


def test_a_file_that_is_not_there_is_said():
    for arguments in ({"background": Path("x" * 5_000)}, {"documents": [Path("x" * 5_000)]}):
        with pytest.raises(BrokenFile, match="there is no file"):
            Debate("Is it so?", **arguments, **PLAIN)


def test_a_sentence_of_ours_reaches_whoever_calls_without_a_debate_of_their_own():
    with pytest.raises(Unsuitable, match="budget is text"):
        debate("Is it so?", **PLAIN, budget="1")
