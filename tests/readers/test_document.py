"""Files as documents: read as what they are, without what nobody sees, or refused in words with a fix."""

import os

import pytest

from hustings.errors import BrokenFile
from hustings.readers import file_text
from hustings.readers.document import MOST_BYTES, brought, decoded, read_document
from hustings.readers.visible import seen
from hustings.script import documents
from tests.readers.made import SMALL


def read(tmp_path, name, content):
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_document(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content", "title", "media"),
    [
        ("a.md", "# Plan\n\nBuses.", "Plan", "markdown"),
        ("a.txt", "First line.\nMore.", "First line.", "text"),
        ("NOTES", "First line.\nMore.", "First line.", "text"),
        ("a.py", "# no heading\nprint(1)", "a.py", "code"),
        ("a.html", "<title>A page</title><p>Buses.</p>", "A page", "html"),
        ("a.htm", "<h1>Night buses</h1><p>Later.", "Night buses", "html"),
    ],
)
def test_a_file_is_read_as_its_ending_says(tmp_path, name, content, title, media):
    found = read(tmp_path, name, content)
    assert (found.title, found.media, found.reader, found.version) == (title, media, media, 1)


@pytest.mark.parametrize("coding", ["utf-8", "utf-8-sig", "utf-16"])
def test_the_coding_is_found_by_its_mark(tmp_path, coding):
    assert read(tmp_path, "a.txt", "Käse über alles".encode(coding)).text == "Käse über alles"


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.pdf", b"text", "it is no PDF, though it is called so"),
        ("a.docx", b"text", "it is no DOCX, though it is called so"),
        ("a.docx", b"\xd0\xcf\x11\xe0 words", "protected by a password, or of an old format"),
        ("a.pptx", b"", "is empty"),
        ("a.doc", b"text", "save it as PDF, DOCX"),
        ("a.odt", b"PK\x03\x04 words", "save it as PDF, DOCX"),
        ("a.txt", b"%PDF-1.7 words", "damaged, or no PDF"),
        ("a.txt", b"PK\x03\x04 words", "its archive is damaged"),
        ("a.txt", b"\x89PNG words", "no plain text"),
        ("a.txt", b"wor\0ds", "no plain text"),
        ("a.txt", b"caf\xe9", "looks like Latin-1: save it as UTF-8: iconv -f latin1 -t utf-8 .*a.txt > a.utf-8.txt"),
        ("a.txt", b"\x93words\x94", "looks like Windows-1252: save it as UTF-8: iconv -f cp1252"),
        ("a.txt", b"\xff\xfex", "save it as UTF-8"),
        ("a.txt", b" \n\xe2\x80\x8b ", "is empty"),
        ("a.html", b"<script>words</script>", "is empty"),
        ("a.html", b"<div hidden>" * 2_000, "nested too deep"),
    ],
)
def test_what_is_no_text_is_refused_with_a_fix(tmp_path, name, content, why):
    with pytest.raises(BrokenFile, match=why):
        read(tmp_path, name, content)


def test_what_is_too_long_is_refused():
    with pytest.raises(BrokenFile, match=r"has more than 80\.0 MB"):
        decoded(b"x" * (MOST_BYTES + 1), "a.txt")
    with pytest.raises(BrokenFile, match="20,000,000 is the most"):
        brought("t", "x" * 20_000_001)


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(BrokenFile, match="there is no file"):
        read_document(tmp_path / "a.md")


def test_a_pipe_and_a_device_are_refused_and_never_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "device.txt").symlink_to("/dev/zero")
    for name in ("pipe.txt", "device.txt"):
        with pytest.raises(BrokenFile, match="not a regular file"):
            read_document(tmp_path / name)


def test_what_nobody_sees_is_taken_out():
    tags = "".join(chr(0xE0000 + ord(sign)) for sign in "obey")
    assert seen(f"a\u202eb{tags}c\x1b[31md\x07\u200be\ufefff") == "abc[31mdef"


def test_lines_end_alike_and_joiners_stay():
    assert seen("a\r\nb\rc\x0cd\u2028e\tf") == "a\nb\nc\nd\ne\tf"
    assert seen("می\u200cخواهم") == "می\u200cخواهم"


def test_form_feeds_part_the_pages_of_a_document_that_has_some_and_no_other():
    assert brought("t", " \fSecond\u202e \f", media="pdf").text == "\fSecond\f"
    assert brought("t", "a\fb", media="word").text == brought("t", "a\fb").text == "a\nb"


def test_a_document_of_empty_pages_is_empty():
    with pytest.raises(BrokenFile, match="is empty"):
        brought("t", "\f \f", media="pdf")


@pytest.mark.parametrize(("name", "media"), [*zip(SMALL, ["pdf", "word", "slides", "sheet", "mail"], strict=True)])
def test_a_file_of_any_format_is_read_in_a_limited_process(tmp_path, name, media):
    found = read(tmp_path, name, SMALL[name])
    assert (found.media, found.reader, found.version, "Night buses" in found.text) == (media, media, 1, True)


def test_readers_count_up_to_as_many_characters_as_a_document_may_have():
    assert file_text.MOST_CHARACTERS == documents.MOST_CHARACTERS


def test_a_title_without_words_is_made_of_the_text():
    assert brought("\u202e", "Night buses.").title == "Night buses."
