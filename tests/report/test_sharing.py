"""A shared file carries its debate inside, runs no code but its own, and asks nobody for anything."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from types import ModuleType

import pytest

from hustings.errors import NotFound, Unsuitable
from hustings.report.formats import share as share_format
from hustings.report.formats.share import island, share
from hustings.report.view import View, view
from hustings.runs import registry
from tests.judging.judgings import EVERY

from .dossiers import everywhere, judged, steering, unjudged
from .test_html import NASTY

CODE = 'const topic = JSON.parse(document.getElementById("shared-debate").textContent).topic; // <title>x</title>'
PAGE = f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8" /><title>hustings</title>
<link rel="icon" href="data:," /><script type="module" crossorigin>{CODE}</script></head>
<body><div id="root"></div><script type="application/json" id="shared-debate"></script></body></html>
"""


class Reader(HTMLParser):
    """Elements with their text, as a browser would see them."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.inside = [], False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs), []))
        self.inside = True

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.elements[-1][2].append(data)

    def find(self, tag):
        return [(attributes, "".join(texts)) for name, attributes, texts in self.elements if name == tag]

    @property
    def debate(self):
        (text,) = [text for attributes, text in self.find("script") if attributes.get("id") == "shared-debate"]
        return text

    @property
    def policy(self):
        (policy,) = [a["content"] for a, _ in self.find("meta") if a.get("http-equiv") == "Content-Security-Policy"]
        return dict(part.strip().split(" ", 1) for part in policy.split(";"))


@pytest.mark.parametrize("how", [judged, unjudged])
@pytest.mark.parametrize("name", EVERY)
def test_the_debate_is_read_back_as_it_was(name, how):
    shown = view(how(name))
    assert View.model_validate_json(Reader(share(shown, PAGE)).debate) == shown


def test_only_the_code_of_the_page_may_run():
    digest = b64encode(sha256(CODE.encode()).digest()).decode()
    assert Reader(share(view(judged("structured")), PAGE)).policy == {
        "default-src": "'none'",
        "script-src": f"'sha256-{digest}'",
        "style-src": "'unsafe-inline'",
        "font-src": "data:",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }


def test_the_policy_stands_before_all_that_it_binds():
    tags = [tag for tag, _, _ in Reader(share(view(judged("structured")), PAGE)).elements]
    assert tags[:4] == ["html", "head", "meta", "meta"]


def test_the_code_is_left_as_it_was_built():
    scripts = Reader(share(view(judged("structured")), PAGE)).find("script")
    assert [text for attributes, text in scripts if "id" not in attributes] == [CODE]


def test_signs_in_the_code_that_steer_a_screen_are_spelled_out():
    page = PAGE.replace(CODE, "const joint = `\x01\ufeff`;")
    scripts = Reader(share(view(judged("structured")), page)).find("script")
    assert scripts[0][1] == "const joint = `\\u0001\\ufeff`;"


@pytest.mark.parametrize("text", [*NASTY, "\u2028\u2029", "<!--<script>", "\\u003c", "]]>"], ids=ascii)
def test_hostile_words_make_no_element_and_end_no_island(text):
    page = Reader(share(view(everywhere(text)), PAGE))
    plain = Reader(share(view(everywhere("word")), PAGE))
    assert [(tag, sorted(a)) for tag, a, _ in page.elements] == [(tag, sorted(a)) for tag, a, _ in plain.elements]
    assert json.loads(page.debate)["topic"] == text


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_an_island_has_no_sign_that_opens_a_tag_or_steers_a_screen(text):
    told = island(view(everywhere(text)))
    assert "<" not in told
    assert not steering(told)


def test_the_title_is_the_motion():
    assert Reader(share(view(everywhere("a </title><script>")), PAGE)).find("title")[0][1] == "a </title><script>"


@pytest.mark.parametrize(
    ("missing", "why"),
    [
        ('<script type="application/json" id="shared-debate"></script>', "no place for a debate"),
        ('<meta charset="utf-8" />', "no place for a debate"),
        (f'<script type="module" crossorigin>{CODE}</script>', "no place for a debate"),
    ],
    ids=["island", "charset", "code"],
)
def test_a_page_that_cannot_carry_it_is_refused_with_the_cure(missing, why):
    with pytest.raises(Unsuitable, match=f"{why}.*make frontend"):
        share(view(unjudged("structured")), PAGE.replace(missing, ""))


@pytest.mark.parametrize(
    "line",
    [
        '<script type="module" src="/app.js"></script>',
        '<link rel="stylesheet" href="/app.css">',
        "<link rel='modulepreload' href='x.js'>",
    ],
)
def test_a_page_that_would_load_something_is_refused(line):
    with pytest.raises(Unsuitable, match=re.escape("frontend/vite.share.ts")):
        share(view(unjudged("structured")), PAGE.replace("</head>", f"{line}</head>"))


# -- as a format -----------------------------------------------------------------------------


@pytest.fixture
def page(tmp_path):
    return tmp_path / "index.html"


@pytest.fixture
def export(page):
    """The format as it is found, but with a page elsewhere."""
    module = ModuleType(share_format.__name__)
    vars(module).update({**vars(share_format), "PAGE": str(page)})
    return registry.read_export("share", module)


def test_it_is_a_format_like_any_other(page, export):
    page.write_text(PAGE, "utf-8")
    assert (export.FORMAT, export.SUFFIX) == ("share", "share.html")
    assert export.render(judged("structured")) == share(view(judged("structured")), PAGE)


def test_a_page_that_was_not_built_is_an_error_with_its_cure(export):
    with pytest.raises(NotFound, match=r"installed without its pages.*make setup.*--to html works without them"):
        export.render(judged("structured"))
