"""Quotes from documents as pages and reports show them: by the notes of the check, with the sentence around them."""

import pytest

from hustings.judging.dossier import Dossier
from hustings.report.formats import html
from hustings.report.quote_view import excerpt_of, quotes_of
from hustings.report.support_text import checked, place_of
from hustings.report.view import for_export, for_reader, view
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.documents import DocumentText, laid_down, page_of
from tests.protocols.playing import with_words

REPORT = DocumentText(
    title="Report <b>on</b> noise",
    text="It began in May. The street was measured twice in one <i>night</i>. Nobody slept.\n\n"
    "The plan was not approved.",
)
MEMO = DocumentText(title="Memo", text="Keep it quiet. Only the drivers object to this. Tell no one.", seats=("ada",))
TRUE, FALSE = '[DOC-1: "street was measured twice"]', '[DOC-1: "The plan was approved"]'
PRIVATE = "[DOC-2.1: “Only the drivers object”]"


def dossier(*words):
    """A round table at which Ada says these words, and the others quote nothing."""
    documents, texts = laid_down((REPORT, MEMO))
    debate = plan(find_protocol("roundtable"), "Is it sound?", settings={"rounds": 2}, retries=0)
    debate = debate.model_copy(update={"documents": documents})
    lines = {f"{seat.id} {brief}": "Plain words." for seat in debate.seats for brief in ("contribution", "position")}
    run = rehearse(debate, with_words({**lines, "ada contribution": [*words, "Plain words."]}), texts=texts)
    return Dossier(proceedings=run.proceedings, texts=texts)


def quotes(*words, found=None):
    return [one for one in (found or view(dossier(*words))).quotes if one.seat == "ada" and one.turn == "r1.t0"]


def test_a_quote_is_shown_with_its_place_and_its_sentence():
    (one,) = quotes(f"Look: {TRUE}.")
    assert (one.written, one.passage, one.accepted) == (TRUE, "DOC-1.1", True)
    assert one.excerpt.model_dump() == {
        "before": "The ",
        "words": "street was measured twice",
        "after": " in one <i>night</i>.",
    }


def test_a_false_quote_is_shown_with_what_is_wrong_and_without_a_place():
    (one,) = quotes(f"Look: {FALSE}.")
    assert (one.accepted, one.start, one.excerpt, place_of(one)) == (False, -1, None, "DOC-1")
    assert checked(one) == "✕ not accepted: the words differ (leaves out 'not')"


def test_a_bracket_that_was_not_checked_is_no_quote():
    found = dossier(f"Look: {TRUE}.")
    (turn,) = [turn for turn in found.proceedings.transcript.turns if turn.turn_id == "r1.t0"]
    assert quotes_of([turn], (), found.texts) == ()


def test_the_same_quote_twice_is_two_quotes():
    assert [one.id for one in quotes(f"Look: {TRUE}, and {TRUE}.")] == ["c-r1.t0-1", "c-r1.t0-2"]


def test_without_the_texts_the_quotes_stay():
    found = view(dossier(f"Look: {TRUE}.").model_copy(update={"texts": {}}))
    (one,) = quotes(found=found)
    assert (one.accepted, one.quote, one.excerpt) == (True, "street was measured twice", None)


def test_a_reader_gets_no_sentence_of_a_document_of_others():
    found = for_reader(view(dossier(f"Look: {PRIVATE}.")), lambda one: not one.seats)
    (one,) = quotes(found=found)
    assert ([document.id for document in found.documents], one.accepted, one.excerpt) == (["DOC-1"], True, None)


def test_a_file_that_leaves_the_house_has_no_sentence_of_a_private_document():
    found = for_export(view(dossier(f"Look: {PRIVATE} and {TRUE}.")))
    assert [bool(one.excerpt) for one in quotes(found=found)] == [False, True]


def test_a_report_has_the_quoted_sentences_and_not_the_texts():
    page = html.render(dossier(f"Look: {TRUE} and {FALSE} and {PRIVATE}."))
    assert "The <b>street was measured twice</b> in one &lt;i&gt;night&lt;/i&gt;." in page
    assert "✕ not accepted: the words differ" in page
    assert not [words for words in ("It began in May", "Tell no one", "<b>on</b>") if words in page]


def test_a_debate_without_documents_says_nothing_of_quotes():
    run = rehearse(plan(find_protocol("roundtable"), "Is it sound?", settings={"rounds": 1}), with_words({}))
    assert "quotes" not in view(Dossier(proceedings=run.proceedings)).model_dump(mode="json")


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("One. Two three four. Five.", "Two three four.", ("", "Two three four.", "")),
        ("One. Two three four. Five.", "three", ("Two ", "three", " four.")),
        ("Head\n\nTwo  three\nfour", "three", ("Two ", "three", " four")),
        ("一。二三四。五。", "三", ("二", "三", "四。")),
        ("x " * 300 + "here" + " y" * 300, "here", ("… " + "x " * 120, "here", " y" * 120 + " …")),
    ],
)
def test_an_excerpt_is_the_sentence_cut_where_it_is_long(text, words, found):
    start = text.index(words)
    one = excerpt_of(text, start, start + len(words))
    assert (one.before, one.words, one.after) == found


@pytest.mark.parametrize(("text", "place", "page"), [("no pages", 5, 0), ("a\fb", 0, 1), ("a\fb", 2, 2)])
def test_a_place_is_on_a_page_where_there_are_pages(text, place, page):
    assert page_of(text, place) == page
