"""Citations of documents: found by their notation, checked word for word, sent back while they may, then marked."""

import pytest

from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.background import Background
from hustings.script.citing import citations_in, citations_of
from hustings.script.documents import DocumentText, laid_down
from hustings.script.prompt import prompt_of
from tests.protocols.playing import with_words

REPORT = DocumentText(
    title="Report on noise",
    text="The street was measured twice.\n\n" + "The committee did not approve the plan. It cost 3.5 million euros.",
)
LEDGER = DocumentText(title="Ledger", text="The town paid for the second survey in May.")
MEMO = DocumentText(title="Memo", text="Only the drivers object to the new timetable.", seats=("ben",))
TEXTS = laid_down((REPORT, LEDGER))[1]
TRUE = '[DOC-1: "The street was measured twice"]'
FALSE = '[DOC-1: "The committee did approve the plan"]'


def found(words):
    (one,) = citations_in(words, TEXTS)
    return one


def test_a_citation_has_its_passage_and_its_place_in_the_text():
    one = found(f"Look at it: {TRUE}.")
    assert (one.accepted, one.passage, TEXTS["DOC-1"][one.start : one.end]) == (
        True,
        "DOC-1.1",
        "The street was measured twice",
    )


@pytest.mark.parametrize(
    "words",
    [
        '[DOC-1.1: "The street was measured twice"]',
        "[DOC-1: “The street was measured twice”]",
        "[DOC-1 «The street was measured twice»]",
        '[DOC-1.7, "The street was\nmeasured twice." ]',
    ],
)
def test_the_notation_may_name_a_passage_and_use_any_quotation_marks(words):
    assert found(words).accepted


def test_a_quote_from_a_document_with_pages_is_marked_with_its_page():
    (one,) = citations_in('[DOC-1.2 (p. 2): "The street was measured"]', {"DOC-1": "Loud.\fThe street was measured."})
    assert (one.mark, one.body()["page"]) == ("DOC-1.2 (p. 2): verified", 2)


def test_a_quote_from_a_document_without_pages_says_nothing_of_pages():
    assert "page" not in found(TRUE).body()


@pytest.mark.parametrize("words", ["It was measured twice (DOC-1).", "[DOC-1]", '[1: "was measured twice"]', ""])
def test_other_words_are_no_citation(words):
    assert citations_in(words, TEXTS) == ()


def test_words_that_stand_in_another_document_are_accepted_there():
    one = found('[DOC-1: "paid for the second survey in May"]')
    assert (one.accepted, one.named, one.document, one.mark) == (True, "DOC-1", "DOC-2", "DOC-2.1: verified there")


def test_a_false_quote_is_marked_with_what_was_changed():
    assert found(FALSE).mark == "DOC-1: altered, not accepted (leaves out 'not')"


def test_an_unknown_document_cannot_be_cited():
    assert found('[DOC-9: "The street was measured twice"]').verdict == "unknown"


# -- in a debate ---------------------------------------------------------------------------


def played(*words, given=(REPORT, LEDGER), background=None, retries=1):
    """A round table at which Ada says these words, one after the other as she is asked."""
    documents, texts = laid_down(given)
    debate = plan(find_protocol("roundtable"), "Is it sound?", settings={"rounds": 2}, retries=retries)
    debate = debate.model_copy(update={"documents": documents, "background": background})
    lines = {"ada contribution": list(words)}
    return rehearse(debate, with_words(lines), texts=texts)


def rejected(run):
    return [event.complaints for event in run.events if event.kind == "attempt_rejected"]


def first_turn(run):
    return next(turn for turn in run.proceedings.transcript.turns if turn.speaker_id == "ada")


def test_a_false_quote_goes_back_with_what_is_wrong():
    run = played(f"I rely on this. {FALSE}", f"I rely on this. {TRUE}")
    ((complaint,),) = rejected(run)[:1]
    assert complaint == (
        "DOC-1: 'The committee did approve the plan' is not what the text says: leaves out 'not'; quote word for word"
    )
    assert TRUE in first_turn(run).said


def test_a_false_quote_from_the_only_document_goes_back_too():
    only = Background(title=REPORT.title, text=REPORT.text)
    run = played(f"I rely on this. {FALSE}", f"I rely on this. {TRUE}", given=(), background=only)
    assert rejected(run)[:1] == rejected(played(f"I rely on this. {FALSE}", f"I rely on this. {TRUE}"))[:1]
    (one,) = citations_of(run.proceedings.notes)[first_turn(run).turn_id]
    assert one.mark == "DOC-1.1: verified"


def test_a_false_quote_that_stays_costs_no_turn_and_is_noted():
    run = played(f"I rely on this. {FALSE}", f"I still rely on this. {FALSE}")
    turn = first_turn(run)
    assert (FALSE in turn.said, [one.verdict for one in citations_of(run.proceedings.notes)[turn.turn_id]]) == (
        True,
        ["altered"],
    )


def test_a_document_that_a_seat_may_not_read_cannot_be_cited_by_it():
    run = played('It says so: [DOC-2: "Only the drivers object"].', given=(REPORT, MEMO))
    assert "there is no document DOC-2 for you: DOC-1 can be cited" in rejected(run)[0]


def test_all_others_read_what_code_found():
    run = played(f"I rely on this. {TRUE}")
    call = next(call for wave in run.waves[1:] for call in wave if call.knowledge.public)
    text = prompt_of(call, run.debate.cast[call.seat.id]).shared
    turn = first_turn(run).turn_id
    assert f"quotes in {turn}, checked by code>>\nDOC-1.1: verified: “The street was measured twice”\n<<end" in text


def test_a_turn_without_citations_has_no_such_note():
    run = played("I rely on nothing but my own years here.")
    assert first_turn(run).turn_id not in citations_of(run.proceedings.notes)
