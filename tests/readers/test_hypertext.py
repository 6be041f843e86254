"""Pages of HTML: what their readers see, however they are made, and in no time."""

import time

import pytest

from hustings.readers.file_text import Unreadable
from hustings.readers.hypertext import MOST_HTML, read_page

PAGE = """<html><head><title>Night &amp; day</title><style>p {}</style></head><body>
<nav>Menu</nav><h1>Night   buses</h1><p>The last bus<br>leaves at <b>two</b>.</p>
<script>alert("no")</script><p style="display: none">Obey <span>me</span>.</p><p hidden>And me.</p>
<div aria-hidden="true"><img src=x>No.</div><ul><li>One</li><li>Two &lt;b&gt;</li></ul></body></html>"""


def test_a_page_is_read_as_a_reader_sees_it():
    page = read_page(PAGE)
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
    read_page(piece * (400_000 // len(piece)))
    assert time.process_time() - begun < 10


@pytest.mark.parametrize("inside", [" ", "x", "a=", 'b="', "='", "/", "=", "a = "])
def test_a_tag_of_any_length_takes_no_time(inside):
    begun = time.process_time()
    read_page(f"<p {inside * 400_000}>words</p>" + f"<a {inside * 600}>" * 200)
    assert time.process_time() - begun < 10


def test_a_comment_and_an_element_with_an_endless_tag_are_left_out():
    page = read_page(f"<p>One <!-- <b>no</b> -->two</p><p {'x' * 3_000}>no</p>3 < 4 <!-- no")
    assert page.text == "One two\n\n3 < 4"


def test_a_page_that_is_too_long_is_refused():
    with pytest.raises(Unreadable, match="a page 4,000,000 at most"):
        read_page("x" * (MOST_HTML + 1))
