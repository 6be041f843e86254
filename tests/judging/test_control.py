"""The control arm: asked blind, sampled at the debate's price, asked again after reading, and compared."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hustings.errors import Unsuitable
from hustings.judging.arguments import argued, speeches
from hustings.judging.audits.control import Ballot, BallotAfter
from hustings.judging.control_comparison import compare, is_open, most_frequent
from hustings.judging.judgement import Changed
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_script
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.script.prompt import prompt_of
from hustings.script.seats import Player
from hustings.transcript.notes import Decided, NoQuorum, TooClose
from tests.protocols.playing import TOPIC, play

VOICES = {"voice_1": "a/one", "voice_2": "b/two", "voice_3": "c/three"}
PRO, CON = Decided(what="pro", extent="full"), Decided(what="con", extent="full")
SMALL = {
    "structured": {},
    "competition": {"free_words": 200, "opening_words": 50, "closing_words": 50, "summary_words": 50},
    "roundtable": {"rounds": 1},
    "adaptive": {"max_rounds": 1},
    "moderated": {"panelists": 2, "max_exchanges": 1},
}


@cache
def debate(protocol="structured", seed=0):
    return play(protocol, Improviser(seed), **SMALL[protocol]).proceedings


def control(judged, actor, topic=TOPIC, **settings):
    given = {"voices": list(VOICES.values()), "debate_tokens": 0, **settings}
    return rehearse(plan(find_script("control"), topic, judged=judged, settings=given), actor)


def voting(before, samples="yes yes yes", after=None, citing=lambda exhibits: (None, "")):
    """Answers by voice and by sample; whoever has "?" talks nonsense, and whoever reads cites what `citing` finds."""
    before, samples, after = before.split(), samples.split(), (after or before).split()

    def answer(call):
        voice, name = int(call.seat.id[-1]) - 1, call.brief.name
        if name == "answer after reading":
            moved_by, quote = citing([e for e in call.brief.exhibits[0] if e.name in call.brief.choices["item"]])
            form = BallotAfter(reason="r", answer=after[voice], confidence=60, moved_by=moved_by, quote=quote)
        else:
            word = before[voice] if name == "first answer" else samples[(int(name.split()[1]) - 1) % len(samples)]
            form = Ballot(reason="r", answer=word, confidence=60)
        return Reply("¿?" if form.answer == "?" else form.model_dump_json(), clock(call))

    return answer


def first_words(exhibits):
    return exhibits[0].name, " ".join(exhibits[0].words.split()[:8])


def comparison(actor, outcome=PRO, judged=None, options=("yes", "no"), tokens=(0, 0), strongest="a/one", **settings):
    judged = judged or debate()
    topic = judged.transcript.debate_metadata.topic
    heard = control(judged, actor, topic, options=list(options), **settings).proceedings
    return compare(judged, heard, outcome, strongest=strongest, voices=VOICES, options=options, tokens=tokens)


def called(played, name):
    return [call for wave in played.waves for call in wave if call.brief.name.startswith(name)]


def words(call):
    return prompt_of(call, Player()).text


def kept(played, kind):
    return [note.body for note in played.proceedings.notes if note.by == "rules" and note.kind == kind]


# -- asked blind -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["first answer", "sample"])
def test_whoever_answers_blind_is_shown_no_word_of_the_debate(name):
    said = [line for turn in speeches(debate().transcript) for line in turn.said.splitlines() if len(line) > 20]
    asked = called(control(debate(), Improviser()), name)
    assert not [line for line in said for call in asked if line in words(call)]


def test_whoever_answers_blind_is_asked_the_same_whatever_was_debated():
    one, other = (control(debate(seed=seed), voting("yes no yes")) for seed in (0, 1))
    for name in ("first answer", "sample"):
        assert list(map(words, called(one, name))) == list(map(words, called(other, name)))


def test_a_sample_is_taken_without_sight_of_the_first_answer():
    played = control(debate(), Improviser())
    reasons = [note.body["reason"] for note in played.proceedings.notes if note.kind == "first answer"]
    assert not [reason for reason in reasons for call in called(played, "sample") if reason in words(call)]


def test_nobody_is_told_which_model_it_is():
    played = control(debate(), Improviser())
    assert not [label for label in VOICES.values() for call in called(played, "") if label in words(call)]


# -- samples -----------------------------------------------------------------------------


def test_samples_are_never_fewer_than_three():
    assert len(called(control(debate(), voting("yes no yes"), debate_tokens=0), "sample")) == 3


def test_samples_are_never_more_than_allowed():
    played = control(debate(), voting("yes no yes"), debate_tokens=1_000_000, most_samples=11)
    assert len(called(played, "sample")) == 11


def test_samples_take_as_many_tokens_as_the_debate():
    played = control(debate(), Improviser(), debate_tokens=30_000, most_samples=200)
    answers = [len(note.body["reason"]) + 50 for note in played.proceedings.notes if note.kind.startswith("sample ")]
    spent = (sum(len(words(call)) for call in called(played, "sample")) + sum(answers)) / 4
    assert 0.8 * 30_000 <= spent <= 1.2 * 30_000


def test_samples_are_taken_from_all_voices_in_turn():
    played = control(debate(), voting("yes no yes"), debate_tokens=1_000_000, most_samples=7)
    assert [call.seat.id[-1] for call in called(played, "sample")] == list("1231231")


def test_no_two_samples_are_the_same_call():
    asked = called(control(debate(), voting("yes no yes"), debate_tokens=1_000_000), "sample")
    assert len({call.key for call in asked}) == len(asked) == 25


# -- whoever fails -----------------------------------------------------------------------


def test_a_voice_that_talks_nonsense_abstains():
    found = comparison(voting("yes ? no", samples="no no yes"))
    assert (found.majority, found.single, found.samples) == ("", "yes", 3)


def test_a_voice_that_abstains_is_told_of():
    assert " 1 model gave no answer. " in comparison(voting("yes ? no")).said


def test_a_voice_that_abstains_is_asked_for_nothing_more():
    played = control(debate(), voting("yes ? no"))
    assert len([call for call in called(played, "") if call.seat.id == "voice_2"]) == 2


def test_a_sample_that_is_nonsense_does_not_count():
    found = comparison(voting("yes no yes", samples="yes ? no"))
    assert (found.samples, found.consistent) == (2, "")


def test_an_answer_that_was_not_offered_is_none():
    assert comparison(voting("perhaps no yes")).single == ""


def test_where_nobody_answers_blind_there_is_nothing_to_compare():
    found = comparison(voting("? ? ?"))
    assert (found.comparable, found.said) == (
        False,
        "Not comparable: no model answered without the debate.",
    )


def test_where_all_is_nonsense_nobody_is_asked_more_than_twice():
    assert [len(wave) for wave in control(debate(), lambda call: Reply("¿?", clock(call))).waves] == [3, 3]


def test_without_a_debate_there_is_nothing_to_compare_with():
    with pytest.raises(Unsuitable, match="name a debate that is over"):
        control(None, Improviser())


def test_a_voice_is_named_once():
    with pytest.raises(Unsuitable, match="name each once"):
        control(debate(), Improviser(), voices=["a/one", "a/one"])


# -- after reading -----------------------------------------------------------------------


def test_whoever_reads_the_debate_sees_its_own_first_answer():
    asked = called(control(debate(), voting("yes no yes")), "answer after reading")
    assert ["answer: yes" in words(call) for call in asked] == [True, False, True]


def test_whoever_reads_the_debate_sees_all_that_was_argued():
    arguments = len(argued(debate()).claims)
    asked = called(control(debate(), Improviser()), "answer after reading")
    assert [sum("argument of" in e.what for e in call.brief.exhibits[0]) for call in asked] == [arguments] * 3


def test_a_change_with_a_cited_argument_names_it_by_its_real_id():
    found = comparison(voting("yes yes no", after="no yes no", citing=first_words))
    (change,) = found.changed
    assert (change.voice, change.before, change.after) == ("a/one", "yes", "no")
    assert change.cited in {claim.id for claim in argued(debate()).claims}


def test_a_citation_is_kept_with_words_of_the_argument_it_names():
    played = control(debate(), voting("yes yes no", citing=first_words))
    said = {claim.id: " ".join(claim.words.split()) for claim in argued(debate()).claims}
    assert [body["quote"] in said[body["moved_by"]] for body in kept(played, "after")] == [True] * 3


def test_in_plain_words_a_change_cites_a_turn():
    judged = debate("roundtable")
    (change,) = comparison(voting("yes yes no", after="no yes no", citing=first_words), judged=judged).changed
    assert change.cited in {turn.turn_id for turn in judged.transcript.turns}


def test_a_change_without_a_cited_reason_is_listed_as_such():
    found = comparison(voting("yes yes no", after="yes no no"))
    assert found.changed == (Changed(voice="b/two", before="yes", after="no", cited=""),)


def test_words_that_stand_elsewhere_void_a_citation():
    def misquoting(exhibits):
        return exhibits[0].name, " ".join(exhibits[-1].words.split()[-8:])

    assert comparison(voting("yes yes no", after="no yes no", citing=misquoting)).changed[0].cited == ""


def test_words_that_nobody_said_void_a_citation():
    def inventing(exhibits):
        return exhibits[0].name, "a figure that was never mentioned by anybody here"

    assert comparison(voting("yes yes no", after="no yes no", citing=inventing)).changed[0].cited == ""


def test_what_was_not_laid_out_cannot_be_cited():
    played = control(debate(), voting("yes yes no", citing=lambda _: ("PRO-1", "")))
    assert kept(played, "after") == []


# -- compared ----------------------------------------------------------------------------


def test_the_strongest_voice_is_found_by_seat_or_label():
    for strongest in ("voice_3", "c/three"):
        assert comparison(voting("yes yes no"), strongest=strongest).single == "no"


def test_without_and_with_debate_stand_side_by_side():
    found = comparison(voting("yes yes no", samples="yes yes no"), CON, tokens=(14_210, 960))
    assert found.said == (
        "Without debate: yes (2 of 3 models, and 2 of 3 samples). The debate says no. "
        "No model changed its answer after reading the debate. "
        "Debating took 13,250 more tokens than asking without a debate."
    )


def test_a_debate_that_changed_nothing_is_said_to():
    found = comparison(voting("yes yes no", after="yes no no"), PRO, tokens=(900, 960))
    assert found.said == (
        "Same answer with and without debate: yes (2 of 3 models, and 3 of 3 samples without it). "
        "1 of 3 models changed its answer after reading the debate, 1 without a reason. "
        "Debating took 60 fewer tokens than asking without a debate."
    )


def test_changes_that_all_cite_a_reason_are_said_to():
    found = comparison(voting("yes yes no", after="no no no", citing=first_words))
    assert "2 of 3 models changed their answer after reading the debate, with a reason." in found.said


@pytest.mark.parametrize(("outcome", "answer"), [(CON, "no"), (PRO, "yes")])
def test_voices_and_samples_that_differ_are_both_told_whatever_the_debate_says(outcome, answer):
    said = comparison(voting("yes yes no", samples="no no yes"), outcome).said
    assert said.startswith(f"Without debate: yes by 2 of 3 models, but no by 2 of 3 samples. The debate says {answer}.")


def test_a_tie_of_voices_is_no_majority_but_samples_may_tell():
    found = comparison(voting("yes no ?"), PRO)
    assert (found.majority, found.consistent) == ("", "yes")
    assert found.said.startswith("Without debate: yes (1 of 2 models, and 3 of 3 samples). The debate says yes.")


def test_where_all_is_tied_there_is_no_clear_answer():
    found = comparison(voting("yes no ?", samples="yes no ?"), PRO)
    assert found.said.startswith(
        "Without debate: no clear answer (yes: 1 of 2 models, and 1 of 2 samples, no: 1 of 2 models, "
        "and 1 of 2 samples). The debate says yes."
    )


def test_a_control_that_was_stopped_early_tells_what_it_has():
    heard = control(debate(), voting("yes yes no")).proceedings
    stopped = heard.model_copy(update={"notes": tuple(note for note in heard.notes if note.kind == "blind")})
    found = compare(debate(), stopped, PRO, strongest="a/one", voices=VOICES, options=("yes", "no"), tokens=(0, 0))
    assert found.said == "Same answer with and without debate: yes (2 of 3 models without it)."


@pytest.mark.parametrize(
    "outcome", [TooClose(margin=0.2), NoQuorum(needed=4, had=1)], ids=lambda outcome: str(outcome.kind)
)
def test_a_debate_that_decided_nothing_is_said_to(outcome):
    found = comparison(voting("yes yes no"), outcome)
    assert found.debate == ""
    assert " The debate decided nothing. " in found.said


def test_an_outcome_in_the_words_of_an_option_is_that_option():
    judged = debate("roundtable")
    assert comparison(voting("yes yes no"), Decided(what="no", extent="full"), judged).debate == "no"


def test_an_outcome_in_other_words_is_none_of_the_answers():
    found = comparison(voting("yes yes no"), Decided(what="Cost converged", extent="full"), debate("moderated"))
    assert found.debate == ""
    assert " The debate gave another kind of answer. " in found.said


def test_of_two_sides_the_first_stands_for_the_first_answer():
    yes, no = (comparison(voting("yes yes no"), outcome, debate("competition")).debate for outcome in (PRO, CON))
    assert (yes, no) == ("yes", "no")


def test_two_sides_stand_for_none_of_three_answers():
    found = comparison(voting("yes yes no"), PRO, options=("yes", "no", "later"))
    assert (found.comparable, found.debate) == (True, "")


# -- open questions ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "topic", ["What is to be done?", "how many lanes", "“Why cars?”", "To what extent is it true?"]
)
def test_a_question_that_yes_and_no_do_not_answer_is_open(topic):
    assert is_open(topic, ("yes", "no"))


@pytest.mark.parametrize("topic", [TOPIC, "This house would ban cars", "Whatever happens, is it right?", "Is it? How?"])
def test_a_question_that_yes_and_no_answer_is_not(topic):
    assert not is_open(topic, ("yes", "no"))


def test_a_question_with_answers_of_its_own_is_not_open():
    assert not is_open("Which is better?", ("trams", "buses"))


def test_an_open_question_is_not_comparable_and_nobody_is_asked():
    topic = "How should a town centre be used?"
    judged = play("roundtable", topic=topic, rounds=1).proceedings
    played = control(judged, Improviser(), topic)
    found = comparison(Improviser(), judged=judged, tokens=(500, 0))
    assert (played.waves, found.comparable, found.debate_tokens) == ((), False, 500)
    assert found.said == "Not comparable: the question is open, and no answers to choose from were given."


# -- every debate ------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", SMALL)
def test_every_debate_can_be_controlled(protocol):
    played = control(debate(protocol), Improviser())
    assert played.proceedings.ending.kind == "played"
    assert [len(kept(played, kind)) for kind in ("blind", "sample", "after")] == [3, 3, 3]


def test_a_debate_in_which_nobody_spoke_is_read_by_nobody():
    silent = debate().model_copy(update={"transcript": debate().transcript.model_copy(update={"rounds": []})})
    assert called(control(silent, voting("yes yes no")), "answer after reading") == []


@pytest.mark.parametrize("protocol", SMALL)
def test_the_same_seed_gives_the_same_comparison(protocol):
    one, other = (comparison(Improviser(3), judged=debate(protocol), seed="s") for _ in range(2))
    assert one == other


def test_another_seed_draws_other_names():
    one, other = (control(debate(), voting("yes yes no"), seed=seed) for seed in "ab")
    assert [words(c) for c in called(one, "answer")] != [words(c) for c in called(other, "answer")]


@given(st.lists(st.sampled_from(["yes", "no", "later"]), max_size=12), st.randoms(use_true_random=False))
def test_the_most_frequent_answer_does_not_depend_on_who_came_first(answers, lot):
    mixed = lot.sample(answers, len(answers))
    assert most_frequent(mixed) == most_frequent(answers)


@given(st.lists(st.sampled_from(["yes", "no", "later"]), max_size=12))
def test_the_most_frequent_answer_is_more_frequent_than_any_other(answers):
    counts = {answer: answers.count(answer) for answer in answers}
    ahead = [a for a, n in counts.items() if all(n > m for b, m in counts.items() if b != a)]
    assert most_frequent(answers) == "".join(ahead)
