"""Every block of README and of the site's pages is run, in the order of the page, and what it shows is compared."""

import json
from pathlib import Path

import pytest

from .blocks import DOCS, LANGUAGES, ROOT, blocks, pages, settle, site_pages
from .outputs import fits, has_cut

ELSEWHERE = {
    ROOT / "CONTRIBUTING.md": "its blocks are files of the package: tests/docs/test_contributing.py puts them there",
}
HERE = [ROOT / "README.md", *site_pages()]
OLD = {
    DOCS / "first-debate.md",
    DOCS / "how-to" / "browser.md",
    DOCS / "how-to" / "critique.md",
    DOCS / "how-to" / "deciding.md",
    DOCS / "how-to" / "documents.md",
    DOCS / "how-to" / "embedding.md",
    DOCS / "how-to" / "import.md",
    DOCS / "how-to" / "own-brain.md",
    DOCS / "how-to" / "research.md",
    DOCS / "how-to" / "training.md",
    DOCS / "reference" / "configuration.md",
}
"""On these `…` still stands for what their writer left out. A page that is written anew leaves; none is added."""
LONG = {
    DOCS / "judging.md",
    DOCS / "reference" / "exports.md",
    *(
        DOCS / "how-to" / f"{name}.md"
        for name in ("browser", "deciding", "documents", "embedding", "research", "training")
    ),
}
LATER = pytest.mark.nightly("half a minute for each; README.md and the first debate are run on every change")
SOURCES = [path.read_text("utf-8") for path in (ROOT / "src" / "hustings").rglob("*.py")]


def when(page):
    return pytest.param(page, id=str(page.relative_to(ROOT)), marks=LATER if page in LONG else ())


@pytest.mark.timeout(300)
@pytest.mark.parametrize("page", [when(page) for page in HERE if blocks(page)])
def test_every_block_of_a_page_runs(page, console, interpreter):
    for block in blocks(page):
        try:
            play(block, console, interpreter)
        except Exception as error:
            raise AssertionError(f"{block.where}: {type(error).__name__}: {error}") from error


def play(block, console, interpreter):
    if block.file:
        Path(block.file).write_text(block.text, "utf-8")
    match block.language:
        case "console":
            console.play(block.text, dots=block.page in OLD)
        case "python":
            run(block, interpreter)
        case "toml":
            settle(block)
        case "json":
            json.loads(block.text)
        case "jsonl":
            [json.loads(line) for line in block.text.splitlines()]


def run(block, interpreter):
    """A block that quotes the package is held against it; any other is executed, and prints what stands below it."""
    if any(block.text in source for source in SOURCES):
        return
    printed = interpreter.run(block.text, block.where)
    if block.page not in OLD and not fits(block.output, printed):
        raise AssertionError(f"it should print\n{block.output}\nand printed\n{printed}")


def test_only_old_pages_leave_lines_out():
    cut = {block.page for page in HERE for block in blocks(page) if block.language == "console" and has_cut(block.text)}
    assert cut == OLD


def test_every_block_is_written_in_a_language_that_is_run():
    assert {(block.where, block.language) for page in pages() for block in blocks(page)} == {
        (block.where, block.language) for page in pages() for block in blocks(page) if block.language in LANGUAGES
    }


def test_every_console_block_has_a_command():
    silent = [
        block.where
        for page in pages()
        for block in blocks(page)
        if block.language == "console" and not block.text.startswith("$ ")
    ]
    assert silent == []


def test_pages_that_are_run_elsewhere_are_there():
    assert all(page.exists() for page in (*ELSEWHERE, *LONG))
