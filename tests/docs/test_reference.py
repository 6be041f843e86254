"""What the pages say of commands, protocols, rules, formats and settings is written from the code."""

import re

import pytest

from hustings.cli.lazy_commands import COMMANDS
from tools import reference

from .blocks import DOCS, ROOT

PAGES = [page for page in reference.pages() if reference.PART.search(page.read_text("utf-8"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_is_as_the_code_has_it(page):
    text = page.read_text("utf-8")
    assert reference.written(text) == text, "write it anew: make reference"


def test_every_part_stands_somewhere():
    standing = {found["name"] for page in PAGES for found in reference.PART.finditer(page.read_text("utf-8"))}
    assert standing == reference.PARTS.keys()


def test_every_mark_has_its_other_half():
    for page in reference.pages():
        marks = re.findall(r"<!-- (?:begin|end) ", page.read_text("utf-8"))
        assert len(marks) == 2 * len(reference.PART.findall(page.read_text("utf-8")))


def test_every_command_has_its_place():
    text = (DOCS / "reference" / "cli.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"### hustings {name}" not in text] == []
