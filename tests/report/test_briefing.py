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

from hustings.judging.briefing import CAVEAT, FIRST
from hustings.judging.judgement import ExecutiveSummary, Judgement, MarkGround, SummarySentence, Votes
from hustings.lab.gold import gold_debates
from hustings.report import wording
from hustings.report.judgement_markdown import render_judgement
from hustings.transcript.notes import BudgetStopped, Cancelled, Deadlocked, Decided, Failed, NoQuorum, Outcome, TooClose
from tests.rig.lanes import examples

from .golden import gold
from .judged import DECIDED, SAMPLES
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
        return next(part for part in parts if part)
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
def test_the_first_depth_of_an_ordinary_debate_fits_28_lines(name):
    told = render_judgement(SAMPLES[name], depth=1, cost=COST).splitlines()
    assert sum(len(textwrap.wrap(line, 100)) or 1 for line in told) <= 28


GOLD = list(gold_debates())
LATER = pytest.mark.nightly("a second to judge each; four of them are judged on every change")


@pytest.mark.parametrize("name", [*GOLD[::5], *(pytest.param(n, marks=LATER) for n in GOLD if n not in GOLD[::5])])
def test_the_first_depth_of_a_gold_debate_fits_32_lines_its_issues_and_all(name):
    told = render_judgement(gold(name).judgement, depth=1, cost=COST).splitlines()
    assert sum(len(textwrap.wrap(line, 100)) or 1 for line in told) <= 32


@pytest.mark.parametrize("name", SAMPLES)
def test_the_first_depth_of_an_ordinary_debate_leaves_nothing_out(name):
    assert render_judgement(SAMPLES[name], depth=3, cost=COST).startswith(
        render_judgement(SAMPLES[name], depth=1, cost=COST).rstrip()
    )


def shaped(judgement):
    """With the sentences that no speaker writes, and no more points than a briefing has."""
    briefing = judgement.briefing
    few = {"strongest": briefing.strongest[:2], "check_first": briefing.check_first[:FIRST], "caveat": CAVEAT}
    return judgement.model_copy(update={"briefing": briefing.model_copy(update=few)})


@settings(deadline=None, max_examples=examples(60))
@given(judgements.map(shaped), st.text())
def test_the_first_depth_fits_36_lines_whatever_was_said(judgement, cost):
    assert lines_on_screen(render_judgement(judgement, depth=1, cost=cost)) <= 36


@settings(deadline=None, max_examples=examples(40))
@given(judgements)
def test_each_depth_says_all_of_the_one_before_it(judgement):
    assert render_judgement(judgement, depth=3).startswith(render_judgement(judgement, depth=2).rstrip("\n"))


@settings(deadline=None, max_examples=examples(40))
@given(judgements)
def test_the_same_judgement_has_the_same_bytes(judgement):
    again = Judgement.model_validate_json(judgement.model_dump_json())
    assert [render_judgement(again, depth=depth) for depth in DEPTHS] == [
        render_judgement(judgement, depth=depth) for depth in DEPTHS
    ]


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_the_bottom_line_stands_second_and_how_sure_third(outcome, depth):
    title, second, third, *_ = render_judgement(everywhere("word", outcome=outcome), depth=depth).split("\n\n")
    assert (title, second, third) == ("# word", "**Bottom line:** word", "**How sure:** Not measured. word")


@pytest.mark.parametrize("depth", DEPTHS)
def test_without_a_verdict_nothing_is_said_of_how_sure_it_is(depth):
    told = render_judgement(SAMPLES["no_quorum"], depth=depth)
    assert "**Bottom line:** No verdict. " in told
    assert "How sure:**" not in told


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("outcome", OUTCOMES)
def test_limits_are_named_at_every_depth_under_any_outcome(outcome, depth):
    weak = everywhere("word", outcome=outcome).model_copy(update={"degraded": ("One kind only", "Order matters")})
    assert "- **Limits of this result (2):** One kind only. Order matters.\n" in render_judgement(weak, depth=depth)


def test_a_result_without_limits_has_no_heading_for_them():
    assert "Limits" not in render_judgement(DECIDED)


def test_what_a_model_wrote_stands_below_what_rules_wrote_and_says_who_wrote_it():
    sentence = SummarySentence(text="It is late.", ids=("PRO-1", "CON-1"), quote="the <b>bus</b> is late")
    summary = ExecutiveSummary(run_id="s", model="acme", sentences=(sentence,), dropped=2)
    told = render_judgement(DECIDED, depth=1, summary=summary)
    assert told.startswith(render_judgement(DECIDED, depth=1).rstrip("\n"))
    assert told.endswith(
        "## Summary written by a model (acme)\n\n"
        "- It is late. \\[PRO-1, CON-1: “the \\<b\\>bus\\</b\\> is late”\\]\n\n"
        "Code checked that each quote stands in an argument it cites. 2 sentences were dropped.\n"
    )


def test_a_cut_says_that_it_is_one():
    long = DECIDED.model_copy(update={"topic": "why " * 200})
    title = render_judgement(long, depth=1).splitlines()[0]
    assert title.endswith("why…")
    assert len(title) <= 100


@pytest.mark.timeout(20)
def test_a_side_whose_name_is_longer_than_its_lines_is_cut_too():
    strongest = tuple(point.model_copy(update={"side": "x" * 300}) for point in DECIDED.briefing.strongest)
    long = DECIDED.model_copy(update={"briefing": DECIDED.briefing.model_copy(update={"strongest": strongest})})
    assert lines_on_screen(render_judgement(long, depth=1)) <= 28


def test_wide_letters_take_two_columns():
    assert len(render_judgement(DECIDED.model_copy(update={"topic": "議" * 200}), depth=1).splitlines()[0]) <= 51


@pytest.mark.parametrize("name", SAMPLES)
def test_standings_and_figures_are_words_and_signs_for_people(name):
    for_machines = r"partially_upheld|UPHELD|(?<![A-Za-z])-\d|\bNone\b(?!:| of)|\bnan\b"
    assert not re.search(for_machines, render_judgement(SAMPLES[name], cost=COST))


def test_no_resampling_makes_a_status_certain():
    assert "100%" not in render_judgement(DECIDED)


# -- the outcome in a sentence -------------------------------------------------------------


def test_figures_that_the_reason_gives_are_not_given_twice():
    assert wording.outcome(DECIDED) == (
        "Decided for Con. Con argued better, by 1.5 points out of 10 (95% range 0.7 to 2.1)."
    )


def test_figures_that_the_reason_does_not_give_are_given():
    told = wording.outcome(DECIDED.model_copy(update={"reason": "It leads."}))
    assert told == "Decided for Con, 1.5 points apart (95% range 0.7 to 2.1). It leads."


def test_a_table_of_votes_is_left_out_where_no_vote_counts():
    some, none = ({"votes": Votes(options={"yes": count, "no": 0}, seats=3)} for count in (1, 0))
    told = [render_judgement(DECIDED.model_copy(update=votes), depth=2, cost=COST) for votes in (some, none)]
    assert ["## Votes" in text for text in told] == [True, False]


def test_a_decision_by_votes_has_no_points():
    voted = {"outcome": Decided(what="yes", extent="partial", margin=2.0), "gap": None, "reason": "Three say yes."}
    votes = Votes(options={"yes": 3, "no": 1}, seats=4)
    told = wording.outcome(DECIDED.model_copy(update={**voted, "votes": votes}))
    assert told == "Decided in part for Yes. Three say yes."


@pytest.mark.parametrize(
    ("outcome", "told"),
    [
        (Decided(what="con", extent="full"), "Decided for Con."),
        (TooClose(margin=0, reasons=("They tie",)), "Too close to call. They tie."),
        (TooClose(margin=0), "Too close to call."),
        (NoQuorum(needed=4, had=2), "No verdict. 2 of the 4 needed."),
        (Deadlocked(issues=("D-1", "D-2")), "No agreement. D-1 and D-2."),
        (BudgetStopped(spent=0.98, cap=1), "Stopped at its budget. 0.98 of 1.00 USD."),
        (Cancelled(by="ann"), "Stopped. By ann."),
        (Failed(code="gone", reason="Nobody was there."), "Broke off. gone: Nobody was there."),
    ],
)
def test_an_outcome_without_a_reason_still_says_what_happened(outcome, told):
    bare = DECIDED.model_copy(update={"outcome": outcome, "reason": "", "gap": None})
    assert wording.outcome(bare) == told


# -- tables --------------------------------------------------------------------------------


def row_of(argument, strength):
    return next(
        line for line in render_judgement(DECIDED).splitlines() if line.startswith(f"| {argument} | {strength}")
    )


def test_what_would_settle_an_unsettled_argument_is_unknown():
    assert row_of("PRO-3", 59).endswith("| Unknown |")


def test_what_would_change_an_argument_names_the_score_and_both_figures():
    assert row_of("PRO-1", 49).endswith("| Refuted if Con's challenge scored 9.3, not 7.4 |")


def test_an_argument_that_no_score_can_move_is_told_so():
    assert row_of("CON-2", 90).endswith("| No single score |")


def test_judges_who_are_split_on_an_argument_are_no_percentage():
    assert " | unsettled | 59 | split | " in row_of("PRO-3", "Pro")


def test_an_argument_without_a_certainty_is_unknown():
    row = DECIDED.trace[0].model_copy(update={"certainty": None})
    assert wording.argument_cells(DECIDED, row)[6] == "unknown"


def test_the_words_and_reasons_of_the_judges_are_shown_with_an_argument():
    ground = MarkGround(judge="judge_1", dimension="logic", score=7, quote="it follows", reason="each step is there")
    row = DECIDED.trace[0].model_copy(update={"grounds": (ground,)})
    assert wording.moved_heads([row])[-1] == "Scores and reasons"
    assert wording.moved_cells(DECIDED, row)[-1] == "logic 7 (judge_1): “it follows”, each step is there"
    assert wording.moved_heads(DECIDED.trace) == wording.moved_heads([])


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


@settings(deadline=None, max_examples=examples(40))
@given(st.sampled_from(HOSTILE) | st.text(min_size=1))
def test_no_sign_that_steers_a_reader_is_left(text):
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", render_judgement(everywhere(text)))


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_claim_can_be_read_as_it_was_made(text):
    trace = (DECIDED.trace[0].model_copy(update={"claim": text}),)
    told = " ".join(seen(render_judgement(DECIDED.model_copy(update={"trace": trace}), depth=2)))
    assert " ".join(words(text)) in told


@settings(deadline=None, max_examples=examples(40))
@given(judgements)
def test_every_table_is_a_table(judgement):
    text = render_judgement(judgement)
    tables = [token for token in READER.parse(text) if token.type == "table_open"]
    assert len(tables) == len(re.findall(r"^\| --- \|", text, re.MULTILINE))


def test_the_judgement_that_hostile_texts_are_tried_in_leaves_no_field_empty():
    assert not re.search(r'null|\[\]|{}|""', everywhere("word").model_dump_json())


READER = MarkdownIt("commonmark").enable("table")
