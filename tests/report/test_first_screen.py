"""The first screen says what came out in one sentence, how far to trust it, and what broke."""

import pytest

from hustings.judging.dossier import Dossier
from hustings.judging.judgement import Briefing, Votes
from hustings.report.failure_text import CALL_FAULTS, failure, nobody_spoke
from hustings.report.first_screen import MOST_CHARACTERS, clipped
from hustings.report.view import blind, view
from hustings.runs.recording import load, packaged
from hustings.transcript.notes import BudgetStopped, Cancelled, Decided, Failed, NoQuorum
from tests.judging.judgings import EVERY

from .dossiers import everywhere, judged, unjudged
from .judged import DECIDED, SAMPLES, TOO_CLOSE

CON_LEADS = DECIDED.gap.model_copy(update={"value": -1.3, "interval": (-2.2, -0.4), "word": "lead"})


def shown(judgement):
    return view(judged("structured").model_copy(update={"judgement": judgement})).first


def briefed(judgement, **said):
    return judgement.model_copy(update={"briefing": judgement.briefing.model_copy(update=said)})


def broke(reason, code="SeatFailed"):
    found = unjudged("structured")
    ending = Failed(code=code, reason=reason)
    return found.model_copy(update={"proceedings": found.proceedings.model_copy(update={"ending": ending})})


# -- the sentence --------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", EVERY)
def test_the_sentence_of_every_protocol_fits_on_a_card(protocol):
    assert 0 < len(view(judged(protocol)).first.sentence) <= MOST_CHARACTERS


@pytest.mark.parametrize("file", packaged(), ids=lambda file: file.name)
def test_the_sentence_of_every_recording_fits_on_a_card(file):
    told = load(file.read_bytes(), file.name)
    found = Dossier(proceedings=told.proceedings, judgement=told.remains.judgement)
    assert 0 < len(view(found).first.sentence) <= MOST_CHARACTERS


@pytest.mark.parametrize("name", SAMPLES)
def test_the_sentence_and_the_rest_are_the_bottom_line_of_the_terminal(name):
    first, told = shown(SAMPLES[name]), SAMPLES[name].briefing.bottom_line
    assert f"{first.sentence} {first.more}".strip() == told or first.more == told


def test_a_bottom_line_that_is_too_long_is_told_below_a_short_one():
    first = shown(briefed(DECIDED, bottom_line="Pro said " + "much and " * 20 + "more."))
    assert (first.sentence, first.more[:8]) == ("Con prevailed.", "Pro said")


@pytest.mark.parametrize(
    ("text", "cut"), [("one two", "one two"), ("one two three", "one two…"), ("x" * 20, "x" * 9 + "…")]
)
def test_what_is_too_long_is_cut_between_words(text, cut):
    assert clipped(text, 10) == cut


# -- weight follows confidence -------------------------------------------------------------


def test_a_decision_that_can_be_relied_on_is_not_weak():
    first = shown(briefed(DECIDED, sure="High", sure_because="The judges' scores agree (agreement 0.91 of 1)."))
    assert (first.weak, first.trust.word, first.trust.reason) == (False, "High", "The judges' scores agree.")


@pytest.mark.parametrize("sure", ["Not reliable", "Not measured"])
def test_a_decision_that_cannot_be_relied_on_is_weak(sure):
    assert shown(briefed(DECIDED, sure=sure)).weak


def test_a_result_that_is_too_close_is_weak_however_much_the_judges_agree():
    assert shown(briefed(TOO_CLOSE, sure="Low", sure_because="The judges' scores agree.")).weak


def test_trust_has_one_reason_without_figures():
    because = "The judges' scores agree in part (agreement 0.70 of 1), but length matters, and 2 more limits."
    first = shown(briefed(DECIDED, sure="Low", sure_because=because))
    assert first.trust.reason == "The judges' scores agree in part, but length matters."


def test_without_a_verdict_there_is_nothing_to_trust():
    judgement = DECIDED.model_copy(update={"outcome": NoQuorum(needed=2, had=1), "briefing": Briefing()})
    assert shown(judgement).trust is None


# -- bars, care and facts ------------------------------------------------------------------


def test_the_lead_is_told_for_the_side_that_has_it():
    note = shown(DECIDED.model_copy(update={"gap": CON_LEADS, "outcome": Decided(what="con", extent="full")})).bars_note
    assert note == "How well each side argued, out of 10. Con leads by 1.3 points (95% range 0.4 to 2.2)."


def test_where_the_side_with_the_lower_score_prevailed_it_is_said_why():
    note = shown(DECIDED.model_copy(update={"gap": CON_LEADS, "outcome": Decided(what="pro", extent="full")})).bars_note
    assert note.endswith("But the result rests on what the speakers said last, not on scores.")


def test_a_score_stands_beside_the_answer_that_its_speaker_ended_at():
    votes = Votes(options={"yes": 1, "no": 0}, seats=2, chosen={"pro": "yes"})
    pro, con = shown(DECIDED.model_copy(update={"votes": votes})).bars
    assert (pro.ended, con.ended) == ("yes", "")
    assert pro.told.startswith("Pro, who ended at yes: ")


def test_an_improvised_debate_is_first_of_all_to_be_read_with_care():
    found = judged("structured")
    seats = [seat.model_copy(update={"model_name": "improviser"}) for seat in found.proceedings.transcript.participants]
    transcript = found.proceedings.transcript.model_copy(update={"participants": seats})
    proceedings = found.proceedings.model_copy(update={"transcript": transcript})
    assert "nonsense" in view(found.model_copy(update={"proceedings": proceedings})).first.care[0]


@pytest.mark.parametrize("protocol", EVERY)
def test_there_are_four_facts(protocol):
    facts = view(judged(protocol)).first.facts
    assert [fact.label for fact in facts] == ["Without a debate", "Quotes", "Speakers", "Cost"]
    assert all(fact.text for fact in facts)


def test_a_person_who_is_to_vote_sees_no_outcome_first():
    first = blind(view(judged("structured"))).first
    assert (first.chip, first.bars, first.trust, first.care, first.facts, first.failure) == ("", (), None, (), (), None)


# -- what broke ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", sorted(set(CALL_FAULTS) - {"called_off"}))
def test_a_fault_of_the_table_has_a_reason_and_a_cure(kind):
    found = broke(f"pro: {CALL_FAULTS[kind]} (status_code=503)")
    told, run = failure(found), found.proceedings.transcript.run_id
    why, _, fix = CALL_FAULTS[kind].partition(". ")
    assert told.what == "Pro gave no usable answer, so the debate broke off."
    assert told.why == f"{why[0].upper()}{why[1:]} (status_code=503)."
    assert told.fix == f"{fix.replace('RUN', run)}."


def test_more_time_is_advised_by_the_settings_of_the_seat():
    advice = "Allow more: PRO_2_LLM_FIRST_TOKEN_TIMEOUT, PRO_2_LLM_TIMEOUT"
    told = failure(broke(f"pro: no answer in time. {advice} (no first word within 60 s)"))
    assert (told.why, told.fix) == ("No answer in time (no first word within 60 s).", f"{advice}.")


def test_a_debate_in_which_nobody_could_speak_says_why_and_what_helps():
    needed = "the prompt needs about 5,000 tokens and fake takes 4,096"
    told = failure(broke(nobody_spoke("too_long", needed), code="nobody_spoke"))
    assert (told.what, told.why) == ("Nobody could speak.", f"T{needed[1:]}.")
    assert (told.fix, told.kept) == ("Choose another model, or fewer documents.", "Nothing was said yet.")


def test_a_fault_that_nobody_foresaw_keeps_its_words_and_offers_to_go_on():
    told = failure(broke("division by zero", code="ZeroDivisionError"))
    assert (told.what, told.why) == ("The debate broke off.", "Division by zero.")
    assert "hustings fork" in told.fix


def test_what_was_said_before_a_fault_is_counted():
    assert failure(broke("x")).kept.startswith("6 turns are saved")


def test_a_judging_that_broke_off_leaves_the_debate_whole():
    judgement = DECIDED.model_copy(update={"outcome": Failed(code="rejected", reason="")})
    told = failure(judged("structured").model_copy(update={"judgement": judgement}))
    assert (told.what, told.kept) == ("The judging broke off, so there is no verdict.", "The whole debate is saved.")


@pytest.mark.parametrize(
    ("ending", "chip"),
    [(BudgetStopped(spent=1, cap=1, unit="USD"), "Stopped at its budget"), (Cancelled(by="ann"), "Stopped")],
)
def test_a_debate_that_was_stopped_says_so_and_has_not_failed(ending, chip):
    found = everywhere("x", ending=ending).model_copy(update={"judgement": None})
    first = view(found).first
    assert (first.chip, first.failure) == (chip, None)
