"""The comment of the action: whatever a debate says, nothing in it acts."""

import importlib.util
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

PLACE = Path(__file__).parents[2] / "integrations" / "action" / "comment.py"


def loaded():
    spec = importlib.util.spec_from_file_location("action_comment", PLACE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["action_comment"] = module
    spec.loader.exec_module(module)
    return module


comment = loaded()
HOSTILE = [
    "![x](https://example.invalid/track.png)",
    "[click](https://example.invalid) <https://example.invalid> www.example.invalid",
    "@everyone #1 a/b#2 GH-3",
    "<img src=x onerror=alert(1)> <details open> <!-- hustings critique -->",
    "``` `` ` \\` \\\\`",
    "a | b \\| c \\\\| d",
    "line\n\n# heading\n- item\n> quote\n\n```\ncode\n```\n",
    "\u202eevil\u202c \u200b\u2066 \x1b[2J \x00",
    "::error::owned %0A",
    "x" * 5000,
]


def objection(text):
    names = ("id", "claim", "state", "severity", "quote", "ruling", "ruling_quote", "change")
    return dict.fromkeys(names, text)


def rendered(text):
    body = {"verdict": "revise", "why": text, "objections": [objection(text)], "silent": [text]}
    return comment.Comment("a" * 40, text, [comment.debated(text, body)]).render()


def kinds(text):
    """Every token that Markdown makes of it; raw HTML but our own first line among them."""
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(text)
    return [token.type for token in tokens[1:]] + [c.type for token in tokens for c in token.children or ()]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_a_debate_says_acts(text):
    must_be_harmless(text)


@given(st.text(alphabet="`\\|<>[]()!@#*_~\n\r\t -=&;:/.ab\u202e", max_size=80))
def test_no_text_acts(text):
    must_be_harmless(text)


def must_be_harmless(text):
    found = rendered(text)
    allowed = {"heading", "paragraph", "bullet_list", "list_item"}
    made = {kind.removesuffix("_open").removesuffix("_close") for kind in kinds(found)}
    assert made <= allowed | {"inline", "text", "code_inline", "softbreak"}, made
    assert "\u202e" not in found
    assert found.count("<!-- hustings critique -->") >= 1


def test_outside_of_code_there_are_no_words_of_the_debate():
    tokens = MarkdownIt("gfm-like", {"html": True, "linkify": False}).parse(rendered("zebra"))
    words = [c.content for token in tokens for c in token.children or () if c.type == "text"]
    assert not [word for word in words if "zebra" in word]


@pytest.mark.parametrize("result", [None, [], "x", {"verdict": "perhaps"}, {"objections": 3}, {"objections": [1, "x"]}])
def test_a_result_of_another_shape_is_no_verdict(result):
    found = comment.debated("x.md", result)
    assert (found.verdict, found.objections) == (None, ())


@pytest.mark.parametrize(
    ("verdict", "fail_on", "expected"),
    [
        ("accept", "revise", False),
        ("revise", "revise", True),
        ("revise", "reject", False),
        ("reject", "revise", True),
        (None, "reject", True),
        (None, "never", False),
        ("reject", "never", False),
    ],
)
def test_a_check_fails_by_its_limit(verdict, fail_on, expected):
    assert comment.fails([comment.Debated("x.md", verdict)], fail_on) is expected


def test_a_comment_stays_within_what_github_takes():
    body = {"verdict": "reject", "why": "x", "objections": [objection("y" * 900)] * 40}
    found = comment.Comment("a" * 40, "m", [comment.debated("x.md", body)] * 9).render()
    assert len(found) < 65_000
    assert found.count("`") % 2 == 0
    assert found.endswith("The rest was left out: it is too long for a comment.")


def test_objections_beyond_the_limit_are_counted():
    body = {"verdict": "reject", "why": "x", "objections": [objection("y")] * 40}
    found = comment.Comment("a" * 40, "m", [comment.debated("x.md", body)]).render()
    assert "24 more objections were left out." in found
