"""The site is built from the pages as they are, and fetches nothing from elsewhere."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from .blocks import DOCS, ROOT, site_pages


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    shutil.copytree(DOCS, folder / "docs")
    shutil.copy(ROOT / "zensical.toml", folder)
    command = [Path(sys.executable).parent / "zensical", "build", "--strict"]
    built = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=50, check=False)
    assert built.returncode == 0, re.sub(r"\x1b\[[0-9;]*m", "", built.stderr + built.stdout)
    return folder / "site"


def test_every_page_is_in_it(site):
    made = {path.parent.relative_to(site) for path in site.rglob("index.html")}
    pages = {path.relative_to(DOCS).with_suffix("") for path in site_pages()}
    assert pages - {Path("index")} == made - {Path()}


def test_every_page_is_on_the_way_to_another(site):
    start = (site / "index.html").read_text("utf-8")
    lost = [
        page
        for page in site_pages()
        if page.stem != "index" and f'{page.relative_to(DOCS).with_suffix("").as_posix()}/"' not in start
    ]
    assert lost == []


def test_nothing_is_fetched_from_elsewhere(site):
    fetched = re.compile(r'<(?:script|img|iframe|source)[^>]* src="([^"]+)"|<link[^>]* href="([^"]+)"|url\(([^)]+)\)')
    found = {
        (path.name, "".join(hit))
        for path in [*site.rglob("*.html"), *site.rglob("*.css")]
        for hit in fetched.findall(path.read_text("utf-8"))
    }
    assert {hit for hit in found if re.match(r"[\"']?(?:https?:)?//", hit[1])} == set()
