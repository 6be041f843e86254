"""The fenced blocks of a page, in order: what they are written in, where they stand, which file they are."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt

from hustings.config.batch_file import grid_of
from hustings.config.settings_files import read_settings
from hustings.runs.registry import AUDITS, EXPORTS, PROTOCOLS, RUBRICS, SECTIONS

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
SHELVES = (PROTOCOLS, AUDITS, RUBRICS, EXPORTS, SECTIONS)
LANGUAGES = ("console", "python", "toml", "json", "jsonl", "csv", "text", "diff")
"""Whatever is written in another one would be run by nobody. A diff shows two forms of the same code, to be read."""


@dataclass(frozen=True)
class Block:
    page: Path
    line: int
    language: str
    text: str
    file: str = ""
    """Under which name a reader saves it, if at all."""
    output: str = ""
    """What a Python block prints, as the `text` block right below it shows it."""

    @property
    def where(self):
        return f"{self.page.relative_to(ROOT)}:{self.line}"


def blocks(page):
    fences = [token for token in MarkdownIt().parse(page.read_text("utf-8")) if token.type == "fence"]
    outputs = {token.map[0]: token.content for token in fences if token.info.strip() == "text"}
    return [_block(page, token, outputs.get(token.map[1], "")) for token in fences]


def _block(page, token, below):
    language, _, rest = token.info.strip().partition(" ")
    title = re.search(r'title="([\w.-]+)"', rest)
    output = below if language == "python" else ""
    return Block(page, token.map[0] + 1, language, token.content, title[1] if title else "", output)


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.rglob("*.md"))]


def site_pages():
    """Notes and decisions are for whoever changes the code, and stay out of the site."""
    return [page for page in sorted(DOCS.rglob("*.md")) if page.parent.name not in ("notes", "decisions")]


def settle(block):
    """A file of settings is read as one, and a grid as one; of a package's own file, its entry points are looked at."""
    if block.file == "pyproject.toml":
        groups = tomllib.loads(block.text)["project"]["entry-points"]
        assert groups.keys() <= {shelf.group or shelf.package for shelf in SHELVES}
        return
    if "vary" in tomllib.loads(block.text):
        assert grid_of(block.text)
        return
    path = Path(block.file or "hustings.toml")
    if not block.file:
        path = Path("settings.toml")
        path.write_text(block.text, "utf-8")
    read_settings(path, shared=path.name != "config.toml")
