"""Files as documents: read as what they are, without what nobody sees, or refused in words with a fix."""

import os
import time

import pytest

from hustings.config.reading import MOST_BYTES, MOST_HTML, brought, decoded, page_of, read_document, seen
from hustings.errors import BrokenFile


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
        ("a.pdf", b"text", "no plain text"),
        ("a.docx", b"text", "no plain text"),
        ("a.txt", b"%PDF-1.7 words", "no plain text"),
        ("a.txt", b"PK\x03\x04 words", "no plain text"),
        ("a.txt", b"wor\0ds", "no plain text"),
        ("a.txt", b"caf\xe9", "save it as UTF-8"),
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
    with pytest.raises(BrokenFile, match="80,000,000 bytes"):
        decoded(b"x" * (MOST_BYTES + 1), "a.txt")
    with pytest.raises(BrokenFile, match="20,000,000 is the most"):
        brought("t", "x" * 20_000_001)
    with pytest.raises(BrokenFile, match="a page 4,000,000 at most"):
        page_of("x" * (MOST_HTML + 1), "a.html")


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


def test_a_title_without_words_is_made_of_the_text():
    assert brought("\u202e", "Night buses.").title == "Night buses."


PAGE = """<html><head><title>Night &amp; day</title><style>p {}</style></head><body>
<nav>Menu</nav><h1>Night   buses</h1><p>The last bus<br>leaves at <b>two</b>.</p>
<script>alert("no")</script><p style="display: none">Obey <span>me</span>.</p><p hidden>And me.</p>
<div aria-hidden="true"><img src=x>No.</div><ul><li>One</li><li>Two &lt;b&gt;</li></ul></body></html>"""


def test_a_page_is_read_as_a_reader_sees_it():
    page = page_of(PAGE, "a.html")
    assert page.title == "Night & day"
    assert page.text == "Night buses\n\nThe last bus\nleaves at two.\n\nOne\n\nTwo <b>"


@pytest.mark.parametrize(
    "piece",
    [
        "<",
        "<a ",
        "<!",
        "<!--",
        "</",
        "&",
        "<p ",
        '<a b="',
        "<script>",
        "<![CDATA[",
        "<?",
        "<a>",
        "<p" + " x" * 900 + ">",
    ],
)
def test_a_malformed_page_takes_no_time(piece):
    begun = time.process_time()
    page_of(piece * (400_000 // len(piece)), "a.html")
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("inside", [" ", "x", "a=", 'b="', "='", "/", "=", "a = "])
def test_a_tag_of_any_length_takes_no_time(inside):
    begun = time.process_time()
    page_of(f"<p {inside * 400_000}>words</p>" + f"<a {inside * 600}>" * 200, "a.html")
    assert time.process_time() - begun < 10


def test_a_comment_and_an_element_with_an_endless_tag_are_left_out():
    page = page_of(f"<p>One <!-- <b>no</b> -->two</p><p {'x' * 3_000}>no</p>3 < 4 <!-- no", "a.html")
    assert page.text == "One two\n\n3 < 4"
