"""What reader, clerk and judges are asked, and what code keeps of their answers: nothing without its quote."""

import pytest

from hustings.judging.arguments import sides
from hustings.lab.answers_noted import answers_noted, verified_quotes
from hustings.llm.improviser import Improviser
from hustings.script.prompt import prompt_of

from .held_evaluations import EVERY, FairEvaluator, evaluated, first_sentence, held, speaking, turn_of

SAID = "Trams are quieter than cars. A count in Graz found 12 percent fewer complaints."
LATER = "Your count is not adjusted for income. So I would not build it yet."
NEVER_SAID = "words that nobody at this table has ever said"


@pytest.fixture(scope="module")
def record():
    return held("roundtable", speaking([SAID, LATER]), rounds=2, seats=2)


def notes_of(record, kind, **changes):
    played = evaluated(record, FairEvaluator(**changes)).rehearsal.proceedings
    return [note.body for note in played.notes if note.kind == kind and note.by == "rules"]


def asked(record, name):
    waves = evaluated(record, FairEvaluator()).rehearsal.waves
    return [call for wave in waves for call in wave if call.brief.name.startswith(name)]


def test_the_reader_sees_one_turn_and_the_options(record):
    for call in asked(record, "stance"):
        assert len(call.brief.exhibits) == 1
        assert len(call.brief.exhibits[0]) == 1
        assert set(call.brief.choices["option"]) == {"yes", "no", "undecided"}


def test_a_stance_without_its_words_is_void(record):
    found = notes_of(record, "stance", StanceReading={"quote": NEVER_SAID})
    assert {(note["void"], note["option"]) for note in found} == {(True, None)}
    assert all(
        b.stance is None
        for b in evaluated(record, FairEvaluator(StanceReading={"quote": NEVER_SAID})).run.material.bundles
    )


def test_undecided_needs_no_quote_and_lies_between_the_options(record):
    made = evaluated(record, FairEvaluator(StanceReading={"quote": "", "option": "undecided"}))
    assert made.run.material.bundles[0].stance.beliefs == {"yes": 0.5, "no": 0.5}


def test_words_that_the_speaker_took_back_count_as_one_drift_of_the_conclusion(record):
    made = evaluated(record, FairEvaluator(StanceReading={"shift_quote": "Trams are quieter than cars."}))
    kinds = [[f.kind for f in one.crit[0].failures] for one in answers_noted(made.run.proceedings.notes).values()]
    assert kinds[0] == ["conclusion_drift"]
    assert kinds[-1] == []


def test_a_claim_without_its_words_is_dropped_and_counted(record):
    entry = {"quote": NEVER_SAID, "claim": "It is so.", "carries": True, "reasons": [], "grounds": [], "limit": None}
    found = notes_of(record, "claims", ClaimList={"drawn": [entry]})
    assert {(len(note["claims"]), note["dropped"]) for note in found} == {(0, 1)}


def test_a_ground_or_limit_without_its_words_is_left_out(record):
    ground = {"quote": NEVER_SAID, "kind": "case"}
    entry = {"claim": "It is so.", "carries": True, "reasons": [], "grounds": [ground], "limit": NEVER_SAID}

    class Clerk(FairEvaluator):
        def ClaimList(self, call):  # noqa: N802
            return {"drawn": [{**entry, "quote": first_sentence(turn_of(call))}]}

    played = evaluated(record, Clerk()).rehearsal.proceedings
    claims = [c for note in played.notes if note.kind == "claims" for c in note.body["claims"]]
    assert {(len(c["grounds"]), c["limit"]) for c in claims} == {(0, "")}


def test_the_same_point_and_ground_have_one_name_and_equal_figures_are_matched_by_code(record):
    class Clerk(FairEvaluator):
        def ClaimList(self, call):  # noqa: N802
            said = turn_of(call)
            ground = [{"quote": "12 percent fewer complaints", "kind": "figure"}] if "Graz" in said else []
            drawn = {"quote": first_sentence(said), "claim": "It is so.", "carries": True, "reasons": []}
            return {"drawn": [{**drawn, "grounds": ground, "limit": None}]}

        def MatchList(self, call):  # noqa: N802
            same = {"claim": call.brief.choices["item"][0], "same_point": call.brief.choices["earlier"][0]}
            return {"points": [same], "grounds": [], "relations": []}

    bundles = evaluated(record, Clerk()).run.material.bundles
    assert {claim.point for bundle in bundles for claim in bundle.claims} == {"P1"}
    assert [claim.grounds for bundle in bundles for claim in bundle.claims] == [("E1",), ("E1",), (), ()]


def test_an_objection_becomes_a_critique_of_the_next_turn_and_an_answer_is_seen(record):
    class Clerk(FairEvaluator):
        def MatchList(self, call):  # noqa: N802
            said = turn_of(call)
            if "Your count" not in said:
                return super().MatchList(call)
            about = {"quote": first_sentence(said), "target": call.brief.choices["earlier"][0], "source": None}
            return {"points": [], "grounds": [], "relations": [{**about, "kind": "challenge"}]}

    made = evaluated(record, Clerk()).run.material
    seat = made.claims[0].seat
    critiques = [(b.seat, c.by, c.claim) for b in made.bundles for c in b.critiques]
    assert critiques
    assert all(put_to == seat != by for put_to, by, _ in critiques)
    assert made.matches.relations[0].kind == "challenge"
    assert sides(record.transcript)[seat] == seat


def test_levels_and_failures_without_their_words_are_void(record):
    void = {"quote": NEVER_SAID, "level": 6}
    made = evaluated(
        record,
        FairEvaluator(CritSheet={"fit": void, "failures": [{"quote": NEVER_SAID, "kind": "contradiction"}]}),
    )
    crit = answers_noted(made.run.proceedings.notes)["r1.t0"].crit[0]
    assert (crit.fit, crit.failures, len(crit.levels)) == (None, (), 4)
    good, given = verified_quotes(made.run.proceedings.notes)
    assert given - good == 8


def test_an_ignored_critique_must_quote_a_critique(record):
    wrong = {"quote": "Trams are quieter than cars.", "kind": "ignored_critique"}
    made = evaluated(record, FairEvaluator(CritSheet={"failures": [wrong]}))
    assert not any(c.failures for one in answers_noted(made.run.proceedings.notes).values() for c in one.crit)


def test_words_of_rca_without_a_quote_are_unclear(record):
    made = evaluated(record, FairEvaluator(RcaOpening={"quote": NEVER_SAID}))
    assert answers_noted(made.run.proceedings.notes)["r1.t0"].rca[0].follows == "unclear"


def test_a_rung_without_its_words_is_void_and_a_trap_must_fit_its_rung(record):
    class Judge(FairEvaluator):
        def RungSheet(self, call):  # noqa: N802
            said = first_sentence(turn_of(call))
            sound = {"asserts_quote": said, "asserts": "L2", "shows_quote": None, "shows": "none", "declines": False}
            traps = [
                {"quote": said, "code": "T7", "dealt_with": False},
                {"quote": said, "code": "W7", "dealt_with": False},
            ]
            more = {"asserts_quote": NEVER_SAID} if "Your count" in said else {}
            return {"rungs": [{"about": n, **sound, "traps": traps, **more} for n in call.brief.choices["item"]]}

    answers = answers_noted(evaluated(record, Judge()).run.proceedings.notes)
    assert [trap.code for trap in answers["r1.t0"].t3[0].rungs[0].traps] == ["T7"]
    assert answers["r2.t0"].t3[0].rungs == ()


@pytest.mark.parametrize("protocol", EVERY)
def test_no_judge_is_asked_for_more_than_six_things(protocol):
    made = evaluated(held(protocol, Improviser()), Improviser())
    for call in (call for wave in made.rehearsal.waves for call in wave):
        assert len(call.brief.choices.get("item", ())) <= 6


def test_every_prompt_says_that_unclear_is_a_good_answer_and_names_no_total(record):
    played = evaluated(record, FairEvaluator()).rehearsal
    for call in (call for wave in played.waves for call in wave):
        text = prompt_of(call, played.debate.cast[call.seat.id]).text
        assert "“unclear” and null are good answers" in text
        assert "Give no totals, no verdicts, no winner" in text
