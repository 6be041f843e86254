"""A judgement reads well at every depth, hides no weakness, and lets no words be more than words."""

import re
import textwrap
from collections.abc import Mapping
from math import ceil
from pathlib import Path
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin
from unicodedata import east_asian_width

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hustings.judging.judgement import Judgement, Votes
from hustings.report.judgement_markdown import render_judgement
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, Outcome, TooClose

from .judged import DECIDED, SAMPLES, TOO_CLOSE
from .test_markdown import HOSTILE, seen, skeleton, words

DEPTHS = (1, 2, 3)
COST = "14 calls, 14,210 tokens, 0.0312 of 1.00 USD"
OUTCOMES = get_args(get_args(Outcome)[0])


def anything(kind, texts):
    """Whatever fits an annotation, every text in it one of these."""
    origin, parts = get_origin(kind), get_args(kind)
    numbers = {int: st.integers(-9, 99), float: st.floats(-10, 10), bool: st.booleans()}
    simple = {str: texts, type(None): st.none(), **numbers}
    if kind in simple:
        return simple[kind]
    if origin is Literal:
        return st.sampled_from(parts)
    if origin in {Union, UnionType}:
        return st.one_of(*(anything(part, texts) for part in parts))
    if origin is Annotated:
        return anything(parts[0], texts)
    if origin is tuple and parts[-1] is ...:
        return st.lists(anything(parts[0], texts), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*(anything(part, texts) for part in parts))
    if origin is Mapping:
        return st.dictionaries(*(anything(part, texts) for part in parts), max_size=3)
    return st.builds(kind, **{name: anything(field.annotation, texts) for name, field in kind.model_fields.items()})


def everywhere(word, kind=Judgement, outcome=OUTCOMES[0]):
    """A judgement with one text wherever a text can stand, one of everything, and nothing left out."""
    origin, parts = get_origin(kind), get_args(kind)
    simple = {str: word, int: 1, float: 0.5, bool: False}
    if kind in simple:
        return simple[kind]
    if origin is Literal:
        return parts[0]
    if origin in {Union, UnionType}:
        return everywhere(word, outcome if outcome in parts else parts[0], outcome)
    if origin is tuple:
        return tuple(everywhere(word, part, outcome) for part in parts if part is not ...)
    if origin is Mapping:
        return dict([tuple(everywhere(word, part, outcome) for part in parts)])
    fields = {name: everywhere(word, field.annotation, outcome) for name, field in kind.model_fields.items()}
    return kind(**fields)


def lines_on_screen(text):
    """How many lines of 100 columns a terminal needs that breaks wherever a line is full."""
    widths = [sum(1 + (east_asian_width(sign) in "WF") for sign in line) for line in text.splitlines()]
    return sum(max(1, ceil(width / 100)) for width in widths)


judgements = anything(Judgement, st.sampled_from(["", "PRO-1", *HOSTILE, " ".join(HOSTILE)]) | st.text(max_size=40))


# -- what it looks like ------------------------------------------------------------------


@pytest.mark.parametrize("name", SAMPLES)
def test_it_reads_well(name):
    golden = (Path(__file__).parent / f"briefing_{name}.md").read_text("utf-8")
    assert render_judgement(SAMPLES[name], cost=COST) == golden


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_depth_fits_a_screen(name):
    told = render_judgement(SAMPLES[name], depth=1, cost=COST).splitlines()
    assert sum(len(textwrap.wrap(line, 100)) or 1 for line in told) <= 20


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_depth_of_an_ordinary_debate_leaves_nothing_out(name):
    assert render_judgement(SAMPLES[name], depth=3, cost=COST).startswith(
        render_judgement(SAMPLES[name], depth=1, cost=COST).rstrip()
    )


@settings(deadline=None, max_examples=40)
@given(judgements, st.text())
def test_the_first_depth_fits_a_screen_whatever_was_said(judgement, cost):
    assert lines_on_screen(render_judgement(judgement, depth=1, cost=cost)) <= 25


@settings(deadline=None, max_examples=40)
@given(judgements)
def test_each_depth_says_all_of_the_one_before_it(judgement):
    assert render_judgement(judgement, depth=3).startswith(render_judgement(judgement, depth=2).rstrip("\n"))


@settings(deadline=None, max_examples=40)
@given(judgements)
def test_the_same_judgement_has_the_same_bytes(judgement):
    again = Judgement.model_validate_json(judgement.model_dump_json())
    assert [render_judgement(again, depth=depth) for depth in DEPTHS] == [
        render_judgement(judgement, depth=depth) for depth in DEPTHS
    ]


@pytest.mark.parametrize("depth", DEPTHS)
def test_what_weakens_the_verdict_stands_first(depth):
    title, first, *_ = render_judgement(TOO_CLOSE, depth=depth).split("\n\n")
    assert title.startswith("# ")
    assert first.startswith("**Read with care (2 reasons):** judge-2 (openai) gave no usable sheet")


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_what_weakens_it_stands_first_under_any_outcome(outcome, depth):
    weak = everywhere("word", outcome=outcome).model_copy(update={"degraded": ("one family only",)})
    assert render_judgement(weak, depth=depth).split("\n\n")[1] == "**Read with care:** one family only"


def test_a_cut_says_that_it_is_one():
    long = DECIDED.model_copy(update={"topic": "why " * 200})
    title = render_judgement(long, depth=1).splitlines()[0]
    assert title.endswith("why…")
    assert len(title) <= 100


def test_wide_letters_take_two_columns():
    assert len(render_judgement(DECIDED.model_copy(update={"topic": "議" * 200}), depth=1).splitlines()[0]) <= 51


@pytest.mark.parametrize("name", SAMPLES)
def test_standings_and_figures_are_words_and_signs_for_people(name):
    for_machines = r"partially_upheld|UPHELD|(?<![A-Za-z])-\d|\bNone\b(?!:| of)|\bnan\b"
    assert not re.search(for_machines, render_judgement(SAMPLES[name], cost=COST))


def test_no_resampling_makes_a_standing_certain():
    assert "100 %" not in render_judgement(DECIDED)


def test_a_recommendation_that_is_none_is_not_called_one():
    assert "**Recommendation:** No recommendation" not in render_judgement(SAMPLES["no_quorum"], depth=1)


def test_figures_that_the_reason_gives_are_not_given_twice():
    assert render_judgement(DECIDED, depth=1).count("0.7 to 2.1") == 1


def test_figures_that_the_reason_does_not_give_are_given():
    told = render_judgement(DECIDED.model_copy(update={"reason": "It leads."}), depth=1)
    assert "decided for con, margin 1.5 points of 10 (95 % interval from 0.7 to 2.1). It leads.\n" in told


def test_a_margin_of_votes_is_told_in_votes():
    voted = {"outcome": Decided(what="yes", extent="partial", margin=2.0), "gap": None, "reason": "Three say yes."}
    votes = Votes(options={"yes": 3, "no": 1}, seats=4)
    told = render_judgement(DECIDED.model_copy(update={**voted, "votes": votes}), depth=1)
    assert "decided in part for yes, margin 2 of 4 votes. Three say yes.\n" in told


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Decided(what="yes", extent="full"), "decided for yes."),
        (TooClose(margin=0, reasons=("they tie",)), "too close to call: they tie."),
        (NoQuorum(needed=4, had=2), "no quorum. 2 of the 4 needed."),
        (Deadlocked(issues=("D-1", "D-2")), "deadlocked. D-1 and D-2."),
        (BudgetStopped(spent=0.98, cap=1), "stopped by its budget. 0.98 of 1.00 USD."),
        (Cancelled(by="ann"), "cancelled. By ann."),
        (Failed(code="gone", reason="Nobody was there."), "failed. gone: Nobody was there."),
    ],
)
def test_an_outcome_without_a_reason_still_says_what_happened(outcome, told):
    bare = DECIDED.model_copy(update={"outcome": outcome, "reason": "", "gap": None})
    assert f"- **Outcome:** {told}\n" in render_judgement(bare, depth=1)


def test_what_would_settle_an_uncertain_argument_is_not_known():
    row = next(line for line in render_judgement(DECIDED).splitlines() if line.startswith("| PRO-3 | 0.59"))
    assert row.endswith("| not known |")


# -- words stay words --------------------------------------------------------------------


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("text", [*HOSTILE, " ".join(HOSTILE), "\n".join(HOSTILE), "two\n\nparts"], ids=ascii)
def test_a_hostile_text_changes_nothing_but_the_words_wherever_it_stands(text, depth):
    assert skeleton(render_judgement(everywhere(text), depth=depth)) == skeleton(
        render_judgement(everywhere("word"), depth=depth)
    )


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_words_of_an_outcome_stay_words(outcome):
    hostile, harmless = (render_judgement(everywhere(text, outcome=outcome)) for text in ("<b>*x*</b>\n# y", "word"))
    assert skeleton(hostile) == skeleton(harmless)


@settings(deadline=None, max_examples=40)
@given(st.sampled_from(HOSTILE) | st.text(min_size=1))
def test_no_sign_that_steers_a_reader_is_left(text):
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", render_judgement(everywhere(text)))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_claim_can_be_read_as_it_was_made(text):
    trace = (DECIDED.trace[0].model_copy(update={"claim": text}),)
    told = " ".join(seen(render_judgement(DECIDED.model_copy(update={"trace": trace}), depth=2)))
    assert " ".join(words(text)) in told


@settings(deadline=None, max_examples=40)
@given(judgements)
def test_every_table_is_a_table(judgement):
    text = render_judgement(judgement)
    tables = [token for token in READER.parse(text) if token.type == "table_open"]
    assert len(tables) == len(re.findall(r"^\| --- \|", text, re.MULTILINE))


def test_the_judgement_that_hostile_texts_are_tried_in_leaves_no_field_empty():
    assert not re.search(r'null|\[\]|{}|""', everywhere("word").model_dump_json())


READER = MarkdownIt("commonmark").enable("table")
