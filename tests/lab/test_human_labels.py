"""Labels of people beside an evaluation: which turns are asked about, and how agreement is measured."""

import pytest

from hustings.lab.artefact import (
    CritSummary,
    MajorityRung,
    T3Summary,
    TurnDetails,
    TurnEvaluation,
    TurnVerdict,
)
from hustings.lab.bundle import Bundle
from hustings.lab.human_labels import (
    ENOUGH_LABELS,
    PersonsLabel,
    accord,
    asserted_rung,
    heard_before,
    kappa,
    turns_to_label,
)
from hustings.lab.judge_answers import T3Answer, TurnAnswers
from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse

from .test_evaluation_gains import evaluation


@pytest.fixture(scope="module")
def transcript():
    played = rehearse(plan(find_protocol("roundtable"), "Is it so?", model="improviser"), Improviser())
    return played.proceedings.transcript


# -- which turns -----------------------------------------------------------------------------


def test_ten_turns_are_spread_over_a_long_debate():
    played = rehearse(plan(find_protocol("competition"), "Is it so?", model="improviser"), Improviser())
    record = played.proceedings.transcript
    chosen = turns_to_label(record)
    places = [[turn.turn_id for turn in record.turns].index(turn.turn_id) for turn in chosen]
    assert (len(places), places) == (10, sorted(set(places)))
    assert places[-1] > len(record.turns) / 2
    assert {turn.speaker_id for turn in chosen} <= {p.agent_id for p in record.participants if p.role != "judge"}


def test_a_short_debate_is_asked_about_whole(transcript):
    assert len(turns_to_label(transcript)) == len(transcript.turns)


def test_what_the_person_has_labelled_before_is_not_asked_again(transcript):
    first, *rest = turns_to_label(transcript)
    assert turns_to_label(transcript, {first.turn_id}) == rest


def test_a_turn_is_shown_with_what_its_speaker_heard_since_speaking(transcript):
    first, last = (
        transcript.turns[0],
        [t for t in transcript.turns if t.speaker_id == transcript.turns[0].speaker_id][-1],
    )
    own, since = heard_before(transcript, last)
    assert heard_before(transcript, first) == (None, [])
    assert own.speaker_id == last.speaker_id
    assert last.speaker_id not in {turn.speaker_id for turn in since}


# -- agreement -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pairs", "found"),
    [
        ([], None),
        ([("a", "a")] * 5, None),
        ([("a", "a"), ("b", "b")], 1.0),
        ([("a", "b"), ("b", "a")], -1.0),
        ([("a", "a")] * 20 + [("a", "b")] * 5 + [("b", "a")] * 10 + [("b", "b")] * 15, 0.4),
    ],
)
def test_kappa_is_agreement_beyond_chance(pairs, found):
    assert kappa(pairs) == (None if found is None else pytest.approx(found))


def turn(name, verdict, *rungs, read=True):
    found = [MajorityRung(claim=f"c{n}", asserts=rung, shows=rung) for n, rung in enumerate(rungs)]
    details = TurnDetails(
        phases=("opening",),
        bundle=Bundle(turn_id=name, seat="a", round=1, phases=("opening",)),
        rungs=tuple(found),
        answers=TurnAnswers(t3=(T3Answer(judge="j"),) if read else ()),
    )
    return TurnEvaluation(
        turn_id=name,
        round_index=1,
        speaker_id="a",
        crit_summary=CritSummary(),
        rca_summary=TurnVerdict(verdict=verdict),
        t3_summary=T3Summary(),
        x_hustings=details,
    )


def test_the_highest_rung_speaks_for_a_turn():
    assert asserted_rung(turn("t", None, "L1", "L3", "L2")) == "L3"
    assert asserted_rung(turn("t", None)) == "none"
    assert asserted_rung(turn("t", None, read=False)) is None


def test_a_rung_that_was_declined_is_not_asserted():
    found = turn("t", None)
    declined = MajorityRung(claim="c", asserts="L3", shows="L1", declines=True)
    assert asserted_rung(found.model_copy(update={"x_hustings": found.x_hustings.model_copy(
        update={"rungs": (declined,)})})) == "none"  # fmt: skip


def evaluated(*turns):
    return evaluation().model_copy(update={"turn_evaluations": turns})


def test_only_what_both_could_tell_is_compared():
    found = accord(
        [
            (evaluated(turn("t1", "CONSISTENT", "L2"), turn("t2", None, "L1")), [
                PersonsLabel("t1", "CONSISTENT", "L1"),
                PersonsLabel("t2", "CONSISTENT", "L1"),
                PersonsLabel("t9", "CONSISTENT", "L1"),
            ]),
            (None, [PersonsLabel("t1", "CONSISTENT", None)]),
        ]
    )  # fmt: skip
    assert (found.labels, found.verdicts.pairs, found.verdicts.same) == (4, 1, 1)
    assert (found.rungs.pairs, found.rungs.same) == (2, 1)


def test_figures_are_not_checked_against_people_until_there_are_two_hundred_labels():
    def labelled(count):
        turns = [turn(f"t{n}", "CONSISTENT" if n % 2 else "INCONSISTENT_STUBBORN", "L1") for n in range(count)]
        labels = [PersonsLabel(one.turn_id, one.rca_summary.verdict, "L1") for one in turns]
        return accord([(evaluated(*turns), labels)])

    assert labelled(ENOUGH_LABELS - 1).remark == "not checked against people"
    assert (labelled(ENOUGH_LABELS).remark, labelled(ENOUGH_LABELS).verdicts.kappa) == ("", 1.0)
