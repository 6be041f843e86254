"""Every link in the documentation leads somewhere, to the very heading it names."""

import re

import pytest
from markdown_it import MarkdownIt

from .blocks import ROOT, pages

PAGES = [*pages(), ROOT / "CHANGELOG.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    lost = []
    for link in links(page):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (heading and heading not in headings(target)):
            lost.append(link)
    assert lost == []


def links(page):
    """Those inside the project; the web is not asked."""
    inline = (child for token in MarkdownIt().parse(page.read_text("utf-8")) for child in token.children or ())
    found = (str(child.attrs.get("href") or child.attrs.get("src") or "") for child in inline)
    return [link for link in found if link and not re.match(r"[a-z]+:", link)]


def headings(page):
    """As a site and a forge name them."""
    tokens = MarkdownIt().parse(page.read_text("utf-8"))
    titles = [tokens[n + 1].content for n, token in enumerate(tokens) if token.type == "heading_open"]
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}
