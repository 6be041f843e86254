"""What is built holds the pages, is small, needs no Node a second time, and is never built without them."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from pathlib import Path

import pytest
from hatch_build import PAGES, STAMP, build

ROOT = Path(__file__).parents[1]
MOST = 3_300_000
"""Bytes of a wheel; pages are in it as they are, and packed as brotli and gzip."""
NOWHERE = {"PATH": "", "PYTHONPATH": sysconfig.get_path("purelib"), "LANG": "C.UTF-8"}
"""An environment in which nobody finds npm; the packages are ours."""
BARE = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
pytestmark = pytest.mark.timeout(600)


def hatchling(root, *arguments, python=sys.executable, environment=None):
    return subprocess.run(
        [python, "-m", "hatchling", "build", *arguments], cwd=root, env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A wheel and an sdist of this checkout."""
    folder = tmp_path_factory.mktemp("built")
    ran = hatchling(ROOT, "-d", str(folder), "-t", "sdist", "-t", "wheel")
    assert ran.returncode == 0, ran.stderr
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


@pytest.fixture(scope="module")
def wheel(built):
    with zipfile.ZipFile(built[0]) as opened:
        yield opened


def test_a_wheel_holds_both_pages_with_all_that_they_load(wheel):
    page = wheel.read("hustings/web/_dist/index.html").decode()
    loaded = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert loaded
    assert {f"hustings/web/_dist/{path}" for path in loaded} <= set(wheel.namelist())
    assert 'id="shared-debate"' in wheel.read("hustings/web/_share/index.html").decode()


def test_a_wheel_holds_the_templates_of_the_report(wheel):
    kept = {path.name for path in (ROOT / "src/hustings/report/templates").iterdir()}
    assert {f"hustings/report/templates/{name}" for name in kept} <= set(wheel.namelist())
    assert {"report.html.j2", "report.css"} <= kept


def test_a_wheel_is_small(built):
    assert built[0].stat().st_size <= MOST


def test_a_wheel_holds_the_package_and_nothing_else(wheel):
    names = wheel.namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"hustings"}
    assert [name for name in names if name.endswith((".map", ".tsx")) or "node_modules" in name] == []


def test_a_wheel_from_the_sdist_is_the_same_and_needs_no_node(built, wheel, tmp_path):
    with tarfile.open(built[1]) as archive:
        archive.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    ran = hatchling(source, "-d", str(tmp_path), "-t", "wheel", python=str(BARE), environment=NOWHERE)
    assert ran.returncode == 0, ran.stderr
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as again:
        assert {i.filename: i.CRC for i in again.infolist()} == {i.filename: i.CRC for i in wheel.infolist()}


# -- a small package with pages of its own ---------------------------------------------------

PROJECT = """
[project]
name = "small"
version = "1"
[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"
[tool.hatch.build]
artifacts = ["src/hustings/web/_dist/**", "src/hustings/web/_share/**"]
[tool.hatch.build.hooks.custom]
[tool.hatch.build.targets.wheel]
packages = ["src/hustings"]
"""
PACKAGE = '{"name": "small", "version": "1.0.0", "scripts": {"build": "node build.mjs"}}'
LOCK = '{"name": "small", "version": "1.0.0", "lockfileVersion": 3, "packages": {"": {"name": "small"}}}'
BUILD = """
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
for (const name of ["_dist", "_share"]) {
  mkdirSync(`../src/hustings/web/${name}`, { recursive: true });
  writeFileSync(`../src/hustings/web/${name}/index.html`, readFileSync("page.html"));
}
"""


@pytest.fixture
def small(tmp_path):
    files = {
        "pyproject.toml": PROJECT,
        "src/hustings/__init__.py": "",
        "frontend/package.json": PACKAGE,
        "frontend/package-lock.json": LOCK,
        "frontend/build.mjs": BUILD,
        "frontend/page.html": "one",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    shutil.copy(ROOT / "hatch_build.py", tmp_path)
    return tmp_path


def test_pages_are_built_once_and_again_when_their_sources_change(small):
    assert [build(small), build(small)] == [True, False]
    os.utime(small / "frontend/page.html")
    assert build(small) is False
    (small / "frontend/page.html").write_text("two", "utf-8")
    assert build(small) is True
    assert [(small / page).read_text("utf-8") for page in PAGES] == ["two", "two"]


def test_a_build_that_fails_is_told_and_leaves_no_stamp(small):
    (small / "frontend/build.mjs").write_text("process.exit(3)", "utf-8")
    with pytest.raises(SystemExit, match="`npm run build` in frontend/ failed"):
        build(small)
    assert not (small / STAMP).exists()


def test_a_build_that_leaves_a_page_out_is_told(small):
    (small / "frontend/build.mjs").write_text(BUILD.replace('"_dist", ', ""), "utf-8")
    with pytest.raises(SystemExit, match="made no src/hustings/web/_dist/index"):
        build(small)


def test_without_npm_a_wheel_is_refused_with_the_cure(small):
    ran = hatchling(small, "-t", "wheel", python=str(BARE), environment=NOWHERE)
    assert ran.returncode != 0
    assert "there is no npm: run `make setup` in a checkout first" in ran.stderr
    assert not list(small.glob("dist/*.whl"))


def test_an_editable_install_builds_no_pages(small):
    ran = hatchling(small, "-t", "wheel:editable", python=str(BARE), environment=NOWHERE)
    assert ran.returncode == 0, ran.stderr
    assert not (small / PAGES[0]).exists()
