"""What arguments rest on, where documents were at hand: true quotes, own knowledge, or quotes that stand nowhere."""

import pytest

from hustings.judging.arguments import Claim
from hustings.judging.marks import Observation
from hustings.judging.support import bases, capped
from hustings.protocols.structured import Argument, Opening
from hustings.report.judgement_markdown import render_judgement
from hustings.report.support_text import cited
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.documents import DocumentText, laid_down
from tests.protocols.playing import with_words

from .judges import judge
from .judgings import judged, judgement, judgement_of, shown

REPORT = DocumentText(
    title="Report", text="The street was measured twice. The committee did not approve the plan. It rained in May."
)
EVIDENCE = {
    "PRO-1": 'Measured: [DOC-1: "The street was measured twice"].',
    "PRO-2": 'Approved: [DOC-1: "The committee did approve the plan"].',
    "PRO-3": "It is generally known.",
}
DRAWN = 'First this. [DOC-1: "It rained in May"]\n\nThen that, which everybody in this town has always known.'


def opening(evidence):
    rest = {"reasoning": "One step leads to the next and so on."}
    told = (Argument(id=i, claim=f"This is the claim {i}.", evidence=words, **rest) for i, words in evidence.items())
    return Opening(arguments=tuple(told))


def with_report(protocol="structured", lines=None, **settings):
    documents, texts = laid_down((REPORT,))
    debate = plan(find_protocol(protocol), "Should it be closed?", settings=settings, model="scripted")
    debate = debate.model_copy(update={"documents": documents})
    given = {"pro opening": opening(EVIDENCE)} if lines is None else lines
    return rehearse(debate, with_words(given), texts=texts)


@pytest.fixture(scope="module")
def found():
    return judgement(with_report(), judge(lambda _: 9))


def test_an_argument_rests_on_true_quotes_false_ones_or_own_knowledge(found):
    mine = {argument: basis for argument, basis in found.support.bases.items() if argument in EVIDENCE}
    assert mine == {"PRO-1": "cited", "PRO-2": "false quote", "PRO-3": "own knowledge"}


def test_evidence_counts_no_more_than_what_it_rests_on(found):
    counted = {row.id: row.dimensions["evidence"] for row in found.trace if row.id in EVIDENCE}
    assert counted == {"PRO-1": 9, "PRO-2": 3, "PRO-3": 5}


def test_the_marks_that_judges_gave_are_kept_beside(found):
    assert {marked.scores["PRO-2"]["evidence"] for marked in found.marks} == {9}


def test_a_low_mark_stays_as_it_is():
    seen = [Observation("one", 0, scores={"PRO-3": {"evidence": 2.0, "logic": 9.0}, "PRO-9": {"logic": 4.0}})]
    assert capped(seen, {"PRO-3": "own knowledge", "PRO-9": "false quote"}) == seen


def test_quotes_are_counted_by_seat_and_by_what_is_wrong(found):
    support = found.support
    assert (support.references, support.accepted, support.failed) == (2, 1, {"altered": 1})
    assert [(one.seat, one.references, one.accepted) for one in support.seats] == [("pro", 2, 1)]


def test_the_briefing_tells_how_far_the_quotes_hold(found):
    said = f"1 of 2 quotes stand in the documents; 1 of {found.support.arguments} arguments rest on such quotes alone."
    of = found.support.arguments
    assert cited(found.support) == (
        f"{said} Not accepted: 1 whose words differ from the document (in PRO-2). By the judges, 50% of the quotes in "
        f"arguments support their claim (precision), and {1 / of:.0%} of the arguments have a quote that supports them "
        "fully (recall)."
    )


def test_the_report_tells_what_each_argument_rests_on(found):
    assert "| PRO-3 | own knowledge: its evidence counts at most 5 of 10 |" in render_judgement(found, depth=2)


def test_a_debate_that_quotes_no_document_says_so():
    assert cited(judgement(with_report(lines={}), judge(lambda _: 9)).support) == "No document was quoted."


def test_judges_are_shown_what_code_found():
    call = next(call for wave in judged(with_report()).waves for call in wave if "marks" in call.brief.name)
    told = next(words for name, words in shown(call).items() if name.endswith(", quotes"))
    assert told == (
        "DOC-1.1: verified: “The street was measured twice”\n"
        "DOC-1: altered, not accepted (leaves out 'not'): “The committee did approve the plan”"
    )


def test_without_documents_nothing_is_said_of_them():
    found = judgement_of("structured")
    assert (found.support, "support" in found.model_dump_json()) == (None, False)


def test_a_claim_drawn_from_plain_words_rests_on_its_paragraph():
    run = with_report("roundtable", {"ada contribution": [DRAWN]})
    turns = {turn.turn_id: turn for turn in run.proceedings.transcript.turns}
    turn = next(turn for turn in turns.values() if turn.speaker_id == "ada")
    quotes = {"a": "First this", "b": "Then that"}
    claims = [Claim(name, "ada", "ada", turn.turn_id, name, name, quote) for name, quote in quotes.items()]
    assert bases(claims, turns, run.proceedings.notes) == {"a": "cited", "b": "own knowledge"}
