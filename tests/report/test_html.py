"""The page opens anywhere, asks nobody for anything, leads everywhere it says, and lets no words be more than words."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from hustings.judging.arguments import arguments_of
from hustings.judging.judgement import ExecutiveSummary, SummarySentence
from hustings.report.argument_map import wrapped
from hustings.report.formats.html import render
from hustings.transcript.notes import Failed

from .dossiers import everywhere, judged, steering, unjudged
from .judged import COMPETITION, DEADLOCK, DECIDED, TOO_CLOSE
from .test_markdown import HOSTILE

NASTY = [
    *HOSTILE, "</script><script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "'><svg onload=alert(1)>",
    "</text></svg><script>", "</title><script>", "</style><style>*{display:none}", "javascript:alert(1)",
    "#' onclick='x",
    "<td>cell</td>", "&#x3c;script&#x3e;",
]  # fmt: skip
PAGES = ("structured", "competition", "roundtable", "moderated")


class Page(HTMLParser):
    """Tags, attributes and words as a browser would see them."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.texts, self.open = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"</{tag}> closes nothing"

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def words(self):
        return " ".join(" ".join(self.texts).split())

    def values(self, name):
        return [attributes[name] for _, attributes in self.elements if name in attributes]

    def count(self, tag, kind=""):
        return sum(t == tag and kind in a.get("class", "").split() if kind else t == tag for t, a in self.elements)

    @property
    def names(self):
        return {tag for tag, _ in self.elements}, {name for _, attributes in self.elements for name in attributes}


@pytest.fixture(scope="module")
def pages():
    found = {f"{name} judged": Page(render(judged(name))) for name in PAGES}
    return found | {f"{name} unjudged": Page(render(unjudged(name))) for name in PAGES}


EVERY = [f"{name} {how}" for name in PAGES for how in ("judged", "unjudged")]


# -- it stands alone -----------------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_it_has_no_script_and_loads_nothing(name, pages):
    tags, attributes = pages[name].names
    assert not tags & {"script", "link", "img", "iframe", "object", "embed", "form", "base", "image", "use", "video"}
    assert not {a for a in attributes if a.startswith("on") or a in {"src", "srcset", "action", "xlink:href", "ping"}}
    assert all(target.startswith("#") for target in pages[name].values("href"))


@pytest.mark.parametrize("name", EVERY)
def test_its_policy_forbids_everything_but_its_own_style(name, pages):
    assert "default-src 'none'; style-src 'unsafe-inline'; img-src data:" in pages[name].values("content")


def test_its_style_names_no_address():
    style = re.search("<style>(.*?)</style>", render(judged("structured")), re.DOTALL).group(1)
    assert not re.search(r"url\(|@import|//", style)
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style


@pytest.mark.parametrize("name", EVERY)
def test_every_link_leads_to_one_place(name, pages):
    places = pages[name].values("id")
    assert len(places) == len(set(places))
    assert {target[1:] for target in pages[name].values("href")} <= set(places)


def test_listing_the_formats_loads_no_templates():
    look = "import sys; from hustings.runs.registry import exports; exports(); sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", look], check=False).returncode == 0


# -- it is all there -----------------------------------------------------------------------


@pytest.mark.parametrize("name", PAGES)
def test_every_word_that_was_said_is_in_it(name, pages):
    said = [" ".join(turn.said.split()) for turn in judged(name).proceedings.transcript.turns]
    assert [words for words in said if words not in pages[f"{name} judged"].words] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_turn_and_every_argument_has_a_place(name, pages):
    places = pages[f"{name} judged"].values("id")
    arguments, turns = judged(name).judgement.trace, judged(name).proceedings.transcript.turns
    assert {f"turn-{turn.turn_id}" for turn in turns} <= set(places)
    assert {f"{kind}-{traced.id}" for traced in arguments for kind in ("trace", "said", "map")} <= set(places)


@pytest.mark.parametrize("name", ["structured", "roundtable", "moderated"])
def test_the_map_has_a_box_for_each_claim_and_an_edge_for_each_response(name, pages):
    page, found = pages[f"{name} judged"], arguments_of(judged(name))
    assert page.count("g", "node") == len(found.claims) + len(found.spoken)
    assert page.count("path", "edge") == len(found.responses)


def test_every_colour_of_a_standing_has_its_word_and_sign():
    words = Page(render(judged("structured").model_copy(update={"judgement": DECIDED}))).words
    for told in ("✓ upheld", "◐ partly upheld", "✕ refuted", "? unsettled"):
        assert told in words


def test_the_grid_has_a_number_in_every_cell(pages):
    arguments = judged("structured").judgement.trace
    cells = sum(len(traced.dimensions) + 1 for traced in arguments)
    assert pages["structured judged"].count("td", "mark") == cells


def test_tables_have_captions_and_heads(pages):
    for page in pages.values():
        assert page.count("table") == page.count("caption")
        assert {a.get("scope") for tag, a in page.elements if tag == "th"} <= {"col", "row"}


@pytest.mark.parametrize(
    ("judgement", "told"),
    [
        (TOO_CLOSE, "Limits of this result (2) No judge of the family openai gave usable scores"),
        (COMPETITION, "Best debaters: Pro 1 and Con 1"),
        (DEADLOCK.model_copy(update={"settled": ()}), "D-1 deadlocked"),
        (DECIDED, "gemini-x went from yes to no, moved by CON-2"),
    ],
    ids=["limits", "board", "issues", "control"],
)
def test_a_judgement_is_told_in_full(judgement, told):
    assert told in Page(render(judged("structured").model_copy(update={"judgement": judgement}))).words


def test_the_bottom_line_how_sure_it_is_and_its_limits_stand_before_the_contents():
    page = Page(render(judged("structured").model_copy(update={"judgement": TOO_CLOSE})))
    words = page.words
    places = [words.index(label) for label in ("Bottom line", "How sure", "Limits of this result (2)", "Transcript")]
    assert places == sorted(places)


def test_issues_of_an_older_debate_have_their_states_in_words():
    older = DEADLOCK.model_copy(update={"settled": (), "issues": {"D-1": "converged", "D-2": "overtaken"}})
    words = Page(render(judged("structured").model_copy(update={"judgement": older}))).words
    assert "D-1 agreed" in words
    assert "D-2 replaced" in words


def test_a_summary_by_a_model_links_to_the_arguments_it_cites():
    known = judged("structured").judgement.trace[0].id
    sentence = SummarySentence(text="It is <late>.", ids=(known,), quote="the bus & is late")
    summary = ExecutiveSummary(run_id="s", model="acme", sentences=(sentence,), dropped=0)
    page = Page(render(judged("structured").model_copy(update={"summary": summary})))
    assert "Summary written by a model (acme) It is <late>." in page.words
    assert f"#trace-{known}" in page.values("href")


def test_an_unjudged_debate_says_so_on_top(pages):
    for name in PAGES:
        words = pages[f"{name} unjudged"].words
        assert -1 < words.find("Bottom line Not judged yet. This is what was said.") < words.index("Speakers")


def test_a_failure_is_told_with_its_reason():
    page = Page(render(unjudged("structured").model_copy(update={"proceedings": failed()})))
    assert "Ending It broke off: nobody is there." in page.words


def failed():
    ending = Failed(code="seat_failed", reason="nobody is there")
    return judged("structured").proceedings.model_copy(update={"ending": ending})


# -- words stay words ----------------------------------------------------------------------


@pytest.mark.parametrize("text", [*NASTY, "\n".join(NASTY)], ids=ascii)
def test_a_hostile_text_makes_no_element_and_no_attribute(text):
    page, plain = Page(render(everywhere(text))), Page(render(everywhere("word")))
    tags, attributes = plain.names
    assert (page.names[0] <= tags, page.names[1] <= attributes) == (True, True)


@pytest.mark.parametrize("text", NASTY, ids=ascii)
def test_no_sign_that_steers_a_reader_is_left(text):
    assert not steering(render(everywhere(text)))


@pytest.mark.parametrize("text", ["<b>", "a&b", '"quoted"', "日本語"])
def test_words_are_shown_as_they_are(text):
    assert Page(render(everywhere(text))).words.count(text) > 20


@pytest.mark.parametrize(
    "text", ["a" * 500, "日本語" * 80, "word " * 90, "", " "], ids=["long", "wide", "many", "none", "blank"]
)
def test_a_box_holds_three_short_lines(text):
    lines = wrapped(text)
    assert len(lines) <= 3
    assert all(sum(1 + (sign > "\u2e80") for sign in line) <= 34 for line in lines)
