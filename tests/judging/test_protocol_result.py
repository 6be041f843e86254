"""A critique is decided by what its own judge verified in the document, not by what the critics would have voted."""

from dataclasses import replace

import pytest

from hustings.judging.dossier import Dossier
from hustings.protocols.critique import CritiqueResult, judge_result
from hustings.report import wording
from hustings.report.view import view
from hustings.transcript.notes import Decided, TooClose

from .judgings import debated, judgement


@pytest.fixture(scope="module")
def critique():
    return debated("critique")


def found_by_its_judge(played, states=("holds",), severity="serious", verdict="revise", why="It follows."):
    """The debate, as if its judge had found this of the objections in turn."""
    said = CritiqueResult.model_validate(played.proceedings.result, strict=False)
    told = {n: {"state": state, "severity": severity, "ruling": "There it stands."} for n, state in enumerate(states)}
    objections = tuple(one.model_copy(update=told.get(n, {"state": "open"})) for n, one in enumerate(said.objections))
    result = said.model_copy(update={"verdict": verdict, "why": why, "objections": objections})
    kept = played.proceedings.model_copy(update={"decision": judge_result(result)})
    return replace(played, proceedings=kept)


@pytest.mark.parametrize(
    ("verdict", "sentence"),
    [
        ("accept", "Accept the document as it is. It follows."),
        ("revise", "Revise the document first. It follows."),
        ("reject", "Reject the document. It follows."),
    ],
)
def test_its_verdict_is_that_of_the_critique(critique, verdict, sentence):
    found = judgement(found_by_its_judge(critique, verdict=verdict))
    assert isinstance(found.outcome, Decided)
    assert (found.outcome.what, found.briefing.bottom_line, wording.outcome(found)) == (verdict, sentence, sentence)


def test_critics_have_no_vote(critique):
    assert judgement(found_by_its_judge(critique)).votes is None


def test_without_a_verdict_nothing_is_decided(critique):
    found = judgement(found_by_its_judge(critique, verdict=None, why="The judge gave no usable ruling on A-1."))
    assert isinstance(found.outcome, TooClose)
    assert found.briefing.bottom_line.startswith("No verdict on the document. The judge gave no usable ruling on A-1.")


@pytest.mark.parametrize(
    ("state", "standing", "reason"),
    [
        ("holds", "upheld", "Upheld: checked against the document. There it stands."),
        ("holds in part", "partially_upheld", "Partly upheld: checked against the document. There it stands."),
        ("does not hold", "refuted", "Refuted: checked against the document. There it stands."),
        ("put aside", "refuted", "Refuted: the words that it quotes are not in the document."),
    ],
)
def test_an_objection_stands_as_it_was_checked(critique, state, standing, reason):
    first = judgement(found_by_its_judge(critique, states=(state,))).trace[0]
    assert (first.standing, first.reason) == (standing, reason)


def test_an_objection_without_a_ruling_stays_open(critique):
    assert judgement(found_by_its_judge(critique, states=("open",))).trace[0].standing == "uncertain"


def test_it_says_which_objections_the_verdict_depends_on(critique):
    first = CritiqueResult.model_validate(critique.proceedings.result, strict=False).objections[0].id
    found = judgement(found_by_its_judge(critique))
    assert found.briefing.would_change == f"If {first} did not hold, the verdict would be: accept."


def test_it_says_that_one_judge_checked_them(critique):
    assert "Only the debate's own judge checked the objections" in judgement(found_by_its_judge(critique)).degraded


def test_the_first_screen_says_what_to_do_with_the_document(critique):
    played = found_by_its_judge(critique)
    first = view(Dossier(proceedings=played.proceedings, judgement=judgement(played))).first
    assert (first.chip, first.sentence) == ("Revise the document first", "Revise the document first. It follows.")


def test_a_debate_whose_protocol_decides_nothing_is_judged_by_its_votes(critique):
    other = critique.proceedings.model_copy(update={"decision": None})
    assert judgement(replace(critique, proceedings=other)).votes is not None
