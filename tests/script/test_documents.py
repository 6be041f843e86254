"""Further documents: their passages lead back to the words, and a document of one seat is no business of another."""

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hustings.script.background import Background
from hustings.script.documents import (
    LONGEST_PASSAGE,
    MOST_CHARACTERS,
    WORDS,
    Document,
    Documents,
    DocumentText,
    digest_of,
    first_listed,
    laid_down,
    listed_in,
    note_body,
    page_count,
    page_of,
    passages,
)
from hustings.text.words import count_words
from hustings.transcript.notes import Note
from tests.rig.lanes import examples

WRITTEN = st.lists(
    st.sampled_from(
        ["word", "Two words.", "“Quoted.” ", "夜间公交。", "夜" * 150, "x" * 2_500, " ", "\n", "\n\n", "\n \n", "a! "]
    ),
    max_size=200,
).map("".join)


def brought(text, title="Plan", *seats):
    return DocumentText(title=title, text=text, seats=seats)


def words_in(text):
    return [text[p.start : p.end] for p in passages("DOC-1", text)]


@given(text=WRITTEN | st.text(max_size=4_000))
@example(text="word " * 5_000)
@settings(max_examples=examples(300))
def test_passages_hold_every_character_but_white_space_once_and_in_order(text):
    found = list(passages("DOC-1", text))
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert "".join("".join(words_in(text)).split()) == "".join(text.split())


@given(text=WRITTEN)
@settings(max_examples=examples(200))
def test_a_passage_begins_and_ends_with_words_and_is_bounded(text):
    for words in words_in(text):
        assert words == words.strip()
        assert 0 < len(words) <= LONGEST_PASSAGE


@given(text=WRITTEN)
@settings(max_examples=examples(50))
def test_passages_are_numbered_from_one(text):
    found = [passage.id for passage in passages("DOC-7", text)]
    assert found == [f"DOC-7.{n}" for n in range(1, len(found) + 1)]


def test_short_paragraphs_share_a_passage_and_long_ones_end_with_a_sentence():
    short, long = "One two three.\n\nFour five six.", " ".join(f"This is sentence {n}." for n in range(60))
    assert words_in(short) == [short]
    found = words_in(long)
    assert len(found) > 1
    assert all(words.endswith(".") and count_words(words) <= WORDS for words in found)


@pytest.mark.parametrize("text", ["夜" * 1_000, "word " * 1_000, "word\n" * 1_000])
def test_a_text_without_sentences_is_cut_after_as_many_words(text):
    assert all(count_words(words) <= WORDS for words in words_in(text))


@given(pages=st.lists(WRITTEN, min_size=2, max_size=6))
@settings(max_examples=examples(100))
def test_a_passage_never_goes_over_the_end_of_a_page_and_knows_its_own(pages):
    text = "\f".join(pages)
    found = list(passages("DOC-1", text))
    assert [passage.id for passage in found] == [f"DOC-1.{n}" for n in range(1, len(found) + 1)]
    assert all("\f" not in text[one.start : one.end] and one.page == page_of(text, one.start) for one in found)
    assert [(one.page, text[one.start : one.end]) for one in found] == [
        (number, words) for number, page in enumerate(pages, 1) for words in words_in(page)
    ]


def test_a_text_without_form_feeds_has_no_pages():
    (passage,) = passages("DOC-2", "Words.")
    assert (page_of("Words.", 3), passage.page, passage.label) == (0, 0, "DOC-2.1")


def test_an_empty_page_counts():
    text = "\fSecond.\f\fFourth."
    assert [one.label for one in passages("DOC-2", text)] == ["DOC-2.1 (p. 2)", "DOC-2.2 (p. 4)"]
    assert page_of(text, text.index("Fourth")) == 4
    assert page_count(text) == 4


def test_a_text_of_one_piece_counts_no_pages():
    assert page_count("Words.") == 0


def test_documents_go_on_counting_after_the_background():
    documents, texts = laid_down([brought("One."), brought("Two.")], first=2)
    assert [one.id for one in documents.each] == ["DOC-2", "DOC-3"] == list(texts)


def test_nothing_brought_is_nothing_laid_down():
    assert laid_down([]) == (None, {})


def test_a_document_knows_all_of_its_text_but_the_words():
    documents, _ = laid_down([brought("Later buses, please.", " Night\nbuses ", "pro")])
    (one,) = documents.each
    assert (one.title, one.characters, one.words, one.seats) == ("Night buses", 20, 3, ("pro",))
    assert one.digest == digest_of("Later buses, please.")
    assert Documents.model_validate_json(documents.model_dump_json()) == documents


def test_a_list_names_who_may_read_a_document():
    documents, _ = laid_down([brought("For all."), brought("Mine.", "Memo", "pro")])
    assert [one.remark for one in documents.each] == [
        "DOC-1: Plan (2 words, read by all)",
        "DOC-2: Memo (1 word, read by pro alone)",
    ]


def noted(body, by="rules"):
    return [Note(note_id="n0", kind="documents", by=by, created_at="", body=body)]


def test_documents_are_found_again_in_the_notes_and_nothing_else_is_taken_for_them():
    documents, _ = laid_down([brought("For all."), brought("Mine.", "Memo", "pro")])
    body = note_body(documents.each)
    assert [one.remark for one in listed_in(noted(body))] == [one.remark for one in documents.each]
    strange = ([], noted({}), noted({"each": [{"id": "x"}]}), noted(body, by="pro"))
    assert [listed_in(each) for each in strange] == [()] * 4


def test_a_seat_reads_what_all_may_read_and_its_own():
    documents, _ = laid_down([brought("a"), brought("b", "B", "pro"), brought("c", "C", "con")])
    assert [one.title for one in documents.readable_by("pro")] == ["Plan", "B"]
    assert [one.title for one in documents.private_to("con")] == ["C"]
    assert [one.title for one in documents.for_all().each] == ["Plan"]


def test_where_all_is_private_there_is_nothing_for_all():
    documents, _ = laid_down([brought("b", "B", "pro")])
    assert (documents.for_all(), documents.digest_for("con")) == (None, "")


@given(mine=st.text(min_size=1).filter(str.strip).filter(lambda text: "\0" not in text))
@settings(max_examples=examples(100))
def test_a_private_document_leaves_the_digest_of_others_unchanged(mine):
    before, _ = laid_down([brought("a"), brought("b", "B", "pro")])
    after, _ = laid_down([brought("a"), brought(mine, "Other", "pro")])
    assert before.digest_for("con") == after.digest_for("con") == before.for_all().digest
    assert before.digest_for("pro") != after.digest_for("pro")


def test_a_text_that_is_missing_or_changed_by_a_byte_is_found():
    documents, texts = laid_down([brought("One."), brought("Two.")])
    assert documents.changed(texts) is None
    assert documents.changed({**texts, "DOC-2": "Two,"}).id == "DOC-2"
    assert documents.changed({"DOC-2": "Two."}).id == "DOC-1"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("x" * (MOST_CHARACTERS + 1), "is the most"), ("a\0b", "NUL"), ("  ", "pattern"), ("\ud800", "unicode")],
    ids=["long", "NUL", "blank", "half a sign"],
)
def test_a_document_that_cannot_be_kept_is_refused(text, complaint):
    with pytest.raises(ValidationError, match=complaint):
        brought(text)


def test_an_id_is_a_number_that_was_given():
    with pytest.raises(ValidationError, match="DOC-"):
        Document(id="DOC-0", title="t", digest="0" * 64, characters=1, words=1, media="text", reader="given", version=1)


def test_the_document_of_the_question_is_listed_first_and_is_read_by_all():
    background = Background(title="Plan", text="One bus an hour.")
    (one,) = first_listed(background)
    assert (one.remark, one.digest) == ("DOC-1: Plan (4 words, read by all)", digest_of("One bus an hour."))
    assert first_listed(None) == ()
