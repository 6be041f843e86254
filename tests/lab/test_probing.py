"""A judge is tried on the written debates, and its card tells how it judges."""

import re
from math import log2

import pytest

from hustings.judging.arguments import argued
from hustings.lab.audits.probing import Settings
from hustings.lab.judge_report import judge_report
from hustings.lab.trial_debates import BASES, INJECTIONS, TOPIC, VARIANTS, padded, proceedings_of
from hustings.runs.registry import find_rubric, find_script
from hustings.runs.staging import plan, rehearse
from hustings.text.words import count_words
from tests.judging.judges import changing, judge, mumbling, side_of, unreachable

DATE = "2026-01-01"


def tried(actor, **settings):
    record = proceedings_of(BASES[0])
    return rehearse(plan(find_script("probing"), TOPIC, settings=settings, judged=record, model="scripted"), actor)


def card_of(actor, **settings):
    sat = tried(actor, **settings)
    chosen = Settings.model_validate(sat.debate.settings)
    return judge_report(sat.proceedings, chosen, find_rubric("argument"), model="a/b", family="a", date=DATE)


def by_figures(shown):
    """Fair in its way: evidence that can be counted, and nothing else; a wish for ten is no evidence."""
    return 3 + min(4, len(re.findall(r"\b(?!10\b)\d[\d,]*", shown.words)))


def by_length(shown):
    return max(1, min(10, round(2 * log2(count_words(shown.words)) - 5)))


def by_place(shown):
    return by_figures(shown) + 2 * (shown.side == side_of(shown.call.brief.choices["item"][0]))


def by_request(shown):
    return 10 if any(words in shown.words for words in INJECTIONS.values()) else by_figures(shown)


def by_manner(shown):
    return 9 if "step by step" in shown.words else by_figures(shown)


@pytest.fixture(scope="module")
def fair_card():
    return card_of(judge(by_figures))


def test_a_fair_judge_meets_every_goal(fair_card):
    assert [measure.what for measure in fair_card.measures if not measure.passed] == []
    assert (fair_card.advice, fair_card.identical_verdict) == ("use", False)


def test_all_that_a_fair_judge_gives_is_accepted(fair_card):
    assert fair_card.accepted == fair_card.asked == 36


def test_nothing_is_measured_of_a_judge_who_talks_garbage():
    found = card_of(mumbling)
    assert {measure.value for measure in found.measures} == {measure.passed for measure in found.measures} == {None}
    assert (found.advice, found.accepted, found.identical_verdict) == ("nothing usable", 0, None)


def test_nothing_is_measured_of_a_judge_who_cannot_be_reached():
    assert card_of(unreachable).advice == "nothing usable"


def test_love_of_length_is_found():
    found = card_of(judge(by_length))
    assert (found.padding.value > 2, found.padding.passed, found.advice) == (True, False, "not alone")


def test_love_of_the_first_place_is_found():
    found = card_of(judge(by_place))
    assert (found.position_bias.value, found.position_bias.passed) == (2.0, False)


def test_a_judge_who_does_as_the_words_tell_it_is_found():
    found = card_of(judge(by_request))
    assert (found.injection.passed, found.worst_injection.passed) == (False, False)
    assert found.injection.value > 3


def test_a_judge_who_can_be_had_for_empty_words_is_found():
    found = card_of(judge(by_manner))
    assert (found.empty_argument.value > 0.5, found.empty_argument.passed) == (True, False)


def test_a_judge_who_sees_no_difference_does_not_find_the_better_side():
    found = card_of(judge(lambda _: 5))
    assert (found.better_side.value, found.better_side.passed) == (0.0, False)


def test_scores_without_words_count_against_the_judge_and_nowhere_else():
    found = card_of(judge(by_figures, lambda _: "as the whole town knows full well"))
    assert (found.grounded.value, found.grounded.passed) == (0.0, False)
    assert found.padding.value is None


def test_a_judge_who_wavers_is_found_when_it_is_asked_again():
    turns = iter(range(1000))
    found = card_of(judge(lambda shown: (2, 9)[next(turns) // 24 // 2 % 2]))
    assert (found.repeat.value, found.repeat.passed) == (7.0, False)


def test_what_was_not_tried_has_no_figure():
    found = card_of(judge(by_figures), bases=1, variants=["again"])
    assert (found.asked, found.padding.passed, found.identical_verdict) == (4, None, None)


def test_the_whole_trial_takes_at_most_forty_calls():
    assert sum(map(len, tried(judge(by_figures)).waves)) == 36


def test_a_plain_debate_is_laid_out_word_for_word_when_it_is_asked_again():
    (wave,) = tried(judge(by_figures), variants=["again"]).waves
    shown = [call.brief.exhibits for call in wave]
    assert shown[:2] == shown[2:4]


def test_a_judge_is_not_told_what_was_done_to_a_debate():
    (wave,) = tried(judge(by_figures)).waves
    assert {call.brief.name for call in wave} == {"argument marks"}


def test_a_sheet_for_other_things_than_were_asked_is_not_accepted():
    assert card_of(changing(lambda row: row.update(about="Maple-xx"))).accepted == 0


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_a_written_debate_reads_like_one_that_was_held(base, variant):
    case = argued(proceedings_of(VARIANTS[variant](base)))
    assert [claim.id for claim in case.claims] == ["PRO-1", "PRO-2", "PRO-3", "CON-1", "CON-2", "CON-3"]
    assert len(case.responses) == 12


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_a_padded_argument_has_three_times_the_words(base):
    plain, longer = (
        {c.id: count_words(c.words) for c in argued(proceedings_of(p)).claims} for p in (base, padded(base))
    )
    assert all(2.5 < longer[item] / plain[item] < 3.5 for item in base.spoilt_items)


@pytest.mark.parametrize("base", BASES, ids=lambda base: base.name)
def test_written_arguments_have_about_thirty_words(base):
    assert all(22 <= count <= 44 for count in lengths(base).values())


def lengths(trial):
    return {claim.id: count_words(claim.words) for claim in argued(proceedings_of(trial)).claims}
