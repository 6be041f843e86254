"""Boxes of a page: the measure finds what is wrong, and the shared parts and a few pages have nothing of it."""

import pytest
from tools.page_faults import by_axe, by_boxes, by_width

from .conftest import PHONE

pytestmark = pytest.mark.timeout(180)
WIDE = {"width": 1440, "height": 900}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A server without a debate and without a worker: the parts and the samples are there all the same."""
    from tests.web.rig import fresh, served  # noqa: PLC0415  the engine takes seconds to load

    with fresh("sqlite", tmp_path_factory.mktemp("parts")) as url, served(url) as made:
        yield made


WRONG = {
    "overlap": "<p style='height: 4px; margin: 0'>One line of words</p><p style='margin: 0'>Another line of words</p>",
    "cut": "<p style='width: 60px; overflow: hidden; white-space: nowrap'>Longer than it has room for</p>",
    "small": "<p style='font-size: 11px'>Hard to read</p>",
    "wide": "<p style='width: 3000px'>Far beyond the edge</p>",
}
RIGHT = """<p style='width: 60px; overflow: hidden; white-space: nowrap; text-overflow: ellipsis' title='All of it'>
  Longer than it has room for</p><label>A field <input></label><p>Words <a href='#'>with a link</a> in them</p>"""


@pytest.mark.parametrize("kind", WRONG)
def test_the_measure_finds_what_is_wrong(looking, kind):
    page = looking(WIDE).page
    page.set_content(WRONG[kind])
    assert {fault.kind for fault in by_boxes(page)} == {kind}


def test_the_measure_finds_nothing_where_nothing_is_wrong(looking):
    page = looking(WIDE).page
    page.set_content(RIGHT)
    assert by_boxes(page) == []


PAGES = {"gallery": ("/gallery", "h2"), "welcome": ("/", "text=Look again"), "verdict": ("/samples/monolith", "h2")}


@pytest.mark.parametrize("name", PAGES)
def test_no_words_or_controls_overlap_or_are_cut(looking, name):
    path, seen = PAGES[name]
    page = looking(WIDE).at(path, seen)
    found = by_boxes(page)
    page.set_viewport_size(PHONE)
    assert [*found, *by_boxes(page), *by_width(page, [320])] == []


def test_the_shared_parts_have_no_fault_of_accessibility(looking):
    page = looking(WIDE, bypass_csp=True).at("/gallery", "h2")
    light = by_axe(page)
    page.emulate_media(color_scheme="dark")
    assert [*light, *by_axe(page, "colours")] == []
