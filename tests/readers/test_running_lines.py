"""Heads and feet of pages: what recurs there goes but once; what only looks like it stays."""

import pytest

from hustings.readers.running_lines import without_running_lines

BODIES = [f"The {word} thing that they said.\nIt went on, {word}" for word in ("one", "two", "three", "last", "extra")]


def test_sentences_go_on_over_the_end_of_a_page_and_no_head_or_foot_is_lost():
    pages = [f"Night buses\nDraft\n{body}\nPage {n} of 5" for n, body in enumerate(BODIES, 1)]
    first, *inner, last = BODIES
    assert without_running_lines(pages) == [f"Night buses\nDraft\n{first}", *inner, f"{last}\nPage 5 of 5"]


def test_left_and_right_pages_may_have_heads_of_their_own():
    bodies = [f"Body {'abcdefgh'[n]}" for n in range(8)]
    heads = [f"Night buses | {n}" if n % 2 else f"{n} | The council" for n in range(10, 18)]
    found = without_running_lines([f"{head}\n{body}" for head, body in zip(heads, bodies, strict=True)])
    assert found == ["10 | The council\nBody a", "Night buses | 11\nBody b", *bodies[2:]]


@pytest.mark.parametrize(
    "heads",
    [
        [f"Total: {n}" for n in (400, 510, 320, 777, 800)],
        [f"Question {n}" for n in range(1, 6)],
        ["One", "Two", "One", "Two", "Three"],
        ["In 2024 it cost 4.1.", "In 2024 it cost 4.2.", "In 2024 it cost 4.3.", "In 2024 it cost 4.4.", "x"],
        ["Night buses " * 40] * 5,
    ],
)
def test_what_only_looks_like_a_running_line_stays(heads):
    pages = [f"{head}\n{body}" for head, body in zip(heads, BODIES, strict=True)]
    assert without_running_lines(pages) == pages


def test_a_few_pages_have_no_running_lines():
    assert without_running_lines(["Same\na", "Same\nb", "Same\nc"]) == ["Same\na", "Same\nb", "Same\nc"]


def test_empty_pages_stay_empty():
    assert without_running_lines(["", "1\na", "", "2\nb", "", "3\nc", ""])[::2] == ["", "", "", ""]
