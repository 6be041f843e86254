"""Each flaw stands in one sentence, and an evaluator that sees it shows it in the figure that should show it."""

import pytest

from hustings.lab.artefact import Evaluation
from hustings.lab.evaluator_report import WARNING, cohen_kappa, evaluator_report, retest_of
from hustings.lab.flawed_debates import FLAWED_DEBATES, FLAWS, TOPICS, found_in
from hustings.text.quotes import is_quoted
from hustings.text.words import count_words
from hustings.transcript.rules import check_document

from .evaluators import blind, evaluated, honest, paranoid, trial

PAIRS = list(zip(FLAWED_DEBATES[::2], FLAWED_DEBATES[1::2], strict=True))


def report(results, **changes):
    given = {"model": "m", "family": "f", "date": "2026-01-01", "calls": (10, 10), "quotes": (9, 10), **changes}
    return evaluator_report(results, **given)


def test_there_are_six_flaws_in_four_topics_each_with_a_twin():
    assert (len(TOPICS), len(FLAWS), len(PAIRS)) == (4, 6, 24)
    assert all(one.flawed and not other.flawed for one, other in PAIRS)
    assert all({turn.flaw for turn in topic.turn} == set(FLAWS) == set(topic.flaws) for topic in TOPICS)


@pytest.mark.parametrize(("flawed", "clean"), PAIRS, ids=lambda debate: debate.name)
def test_twins_differ_in_one_sentence(flawed, clean):
    said = [(flawed.said(turn), clean.said(turn)) for turn in flawed.topic.turn]
    ((one, other),) = [(a, b) for a, b in said if a != b]
    assert one.replace(flawed.sentence, "") == other.replace(clean.sentence, "")
    assert all("{" not in words for words, _ in said)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_turns_are_of_real_length_and_quotes_stand_in_them(topic):
    debates = [debate for debate in FLAWED_DEBATES if debate.topic == topic]
    for debate in debates:
        said = {turn.id: debate.said(turn) for turn in topic.turn}
        assert all(60 <= count_words(words) <= 120 for words in said.values()), debate.name
        assert all(is_quoted(claim.quote, [said[turn.id]]) for turn in topic.turn for claim in turn.claims)
        assert all(is_quoted(one.quote, said.values()) for turn in topic.turn for one in turn.critiques)


def test_flawed_and_clean_sentences_are_of_like_length():
    for debate in FLAWED_DEBATES:
        twins = debate.topic.flaws[debate.flaw]
        assert 0.5 <= count_words(twins.flawed) / count_words(twins.clean) <= 2, debate.name


def test_the_debates_are_valid_transcripts_that_do_not_say_which_they_are():
    for flawed, clean in PAIRS:
        assert check_document(flawed.transcript.document()) == []
        one, other = (str(debate.transcript.document()).replace(debate.sentence, "") for debate in (flawed, clean))
        assert one == other


def test_an_evaluator_that_sees_exactly_the_flaws_finds_24_of_24_without_a_false_alarm():
    found = report(trial(honest))
    assert (found.detected.hits, found.detected.of, found.false_alarms.hits, found.false_alarms.of) == (24, 24, 0, 24)
    assert (found.worth, found.warning) == (1.0, "")
    assert {flaw: (one.detected.hits, one.false_alarms.hits) for flaw, one in found.flaws.items()} == dict.fromkeys(
        FLAWS, (4, 0)
    )


@pytest.mark.parametrize(("sees", "hits"), [(blind, 0), (paranoid, 24)])
def test_an_evaluator_that_always_says_the_same_is_worth_nothing(sees, hits):
    found = report(trial(sees))
    assert (found.detected.hits, found.false_alarms.hits, found.worth) == (hits, hits, 0.0)
    assert found.warning == WARNING


def test_a_clean_debate_sets_off_no_figure_of_any_flaw():
    clean = FLAWED_DEBATES[1]
    found = evaluated(clean, honest)
    others = [debate for debate in FLAWED_DEBATES if debate.topic == clean.topic and not debate.flawed]
    assert [found_in(debate, found) for debate in others] == [False] * 6


def test_what_was_not_judged_is_neither_found_nor_imagined():
    found = evaluated(FLAWED_DEBATES[0], honest)
    empty = Evaluation.model_validate({**found.document(), "turn_evaluations": ()})
    assert found_in(FLAWED_DEBATES[0], empty) is None
    results = [type(one)(one.debate, None) for one in trial(honest)]
    assert report(results).flaws["contradiction"].unknown == 8
    assert report(results).warning == WARNING


def test_intervals_say_how_little_24_debates_tell():
    results = [type(one)(one.debate, one.found and n >= 8) for n, one in enumerate(trial(honest))]
    found = report(results)
    assert (found.detected.hits, found.detected.interval) == (20, pytest.approx((0.6415, 0.9332), abs=5e-5))
    assert found.worth == pytest.approx(20 / 24, abs=1e-6)
    assert 0.5 < found.worth_interval[0] < found.worth < found.worth_interval[1] < 1
    assert found.warning == ""
    assert (found.verified_quotes.share, found.verified_quotes.of) == (0.9, 10)


def test_without_trials_there_is_no_worth():
    found = report([], quotes=(0, 0))
    assert (found.worth, found.worth_interval, found.warning) == (None, None, WARNING)
    assert (found.detected.share, found.verified_quotes.share) == (None, None)


def test_the_same_evaluation_twice_agrees_with_itself():
    one = evaluated(FLAWED_DEBATES[8], honest)
    found = retest_of([(one, one)])
    assert (found.turns, found.mean_difference, found.standard_deviation) == (6, 0.0, 0.0)
    assert (found.verdict_kappa, found.rung_kappa) == (1.0, None)


def test_noise_between_two_evaluations_is_measured():
    one, other = evaluated(FLAWED_DEBATES[8], honest), evaluated(FLAWED_DEBATES[8], paranoid)
    found = retest_of([(one, other)])
    assert found.mean_difference > 0
    assert found.standard_deviation > 0
    assert found.verdict_kappa < 1
    assert retest_of([]).mean_difference is None


def test_kappa_is_agreement_beyond_chance():
    assert cohen_kappa([("a", "a"), ("b", "b")]) == 1.0
    assert cohen_kappa([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]) == 0.0
    assert cohen_kappa([("a", "a")]) is None
    assert cohen_kappa([]) is None
