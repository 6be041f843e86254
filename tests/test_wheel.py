"""What is built holds the pages and is small; only an installation where they can't be built goes without them."""

import email
import json
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
from hatch_build import PAGES, STAMP, build, with_addresses

from tests.rig.postgres import ready_sqlite_file
from tests.web.command import serving

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


def test_the_description_of_a_wheel_links_to_nothing_relative(wheel):
    (name,) = (each for each in wheel.namelist() if each.endswith(".dist-info/METADATA"))
    metadata = email.message_from_bytes(wheel.read(name))
    addresses = re.findall(r"\]\(([^)\s]+)", metadata.get_payload())
    (repository,) = (each.partition(", ")[2] for each in metadata.get_all("Project-URL"))
    assert len([each for each in addresses if each.startswith(repository)]) > 20
    assert [each for each in addresses if not each.startswith("https://")] == []


def test_links_lead_to_the_release_and_pictures_to_their_bytes():
    text = "![a\nb](p/a.svg) [c](d.md#e) [f](#g) [h](https://i.example/j) [k](mailto:l@m.example)"
    assert with_addresses(text, "https://h.example/r", "v1") == (
        "![a\nb](https://h.example/r/raw/v1/p/a.svg) [c](https://h.example/r/blob/v1/d.md#e) "
        "[f](#g) [h](https://i.example/j) [k](mailto:l@m.example)"
    )


# -- installed from git where there is no npm ------------------------------------------------


def run(*command, folder, **environment):
    done = subprocess.run(command, cwd=folder, env=environment or None, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def pageless(built, tmp_path_factory):
    """A Python into which hustings was installed from a git repository, and nobody found npm."""
    folder = tmp_path_factory.mktemp("pageless")
    with tarfile.open(built[1]) as archive:
        archive.extractall(folder, filter="data")
    source = next(path for path in folder.iterdir() if path.is_dir())
    for page in PAGES:
        shutil.rmtree((source / page).parent)
    for command in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "a"]):
        run("git", *command, folder=source)
    (folder / "bin").mkdir()
    (folder / "bin/git").symlink_to(shutil.which("git"))
    run(BARE, "-m", "venv", folder / "venv", folder=folder)
    python = folder / "venv/bin/python"
    offline = ["--no-index", "--no-deps", "--no-build-isolation", "--ignore-installed"]
    nowhere = {**NOWHERE, "PATH": str(folder / "bin"), "HOME": str(folder)}
    run(python, "-m", "pip", "install", *offline, f"git+file://{source}", folder=folder, **nowhere)
    return python


def test_installed_without_npm_it_serves_and_says_how_to_get_pages(pageless, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", NOWHERE["PYTHONPATH"])
    with serving(tmp_path, ready_sqlite_file(tmp_path), python=pageless) as (process, http):
        assert http.get("/api/about").status_code == 200
        page = http.get("/")
        process.terminate()
        told = process.communicate(timeout=30)[1]
    assert (page.status_code, "make setup" in page.text) == (503, True)
    assert "installed without its pages; /api works. To get them, clone the repository" in told


def test_installed_without_npm_it_debates_and_exports_all_but_the_shared_page(pageless, tmp_path):
    known = {**NOWHERE, "HOME": str(tmp_path), "HUSTINGS_DATABASE": ready_sqlite_file(tmp_path)}
    hustings = pageless.parent / "hustings"
    run(hustings, "Shall we?", "-m", "improviser", "--judges", "none", "--display", "quiet", folder=tmp_path, **known)
    run(hustings, "export", "last", "-o", "report.html", folder=tmp_path, **known)
    refused = subprocess.run(
        [hustings, "export", "last", "--to", "share"],
        cwd=tmp_path,
        env=known,
        capture_output=True,
        text=True,
        check=False,
    )
    assert refused.returncode == 2
    assert "hustings was installed without its pages" in refused.stderr
    assert "run `make setup` in it" in " ".join(refused.stderr.split())


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


def test_without_npm_an_sdist_is_refused_with_the_cure(small):
    done = hatchling(small, "-t", "sdist", python=str(BARE), environment=NOWHERE)
    assert done.returncode != 0
    assert "there is no npm: run `make setup` in a checkout first" in done.stderr
    assert not list(small.glob("dist/*"))


def build_fails(small):
    (small / "frontend/build.mjs").write_text("process.exit(3)", "utf-8")


def no_registry_answers(small):
    shutil.rmtree(small / "frontend/node_modules", ignore_errors=True)
    lock = json.loads(LOCK)
    lock["packages"]["node_modules/one"] = {"version": "1.0.0"}
    (small / "frontend/package-lock.json").write_text(json.dumps(lock), "utf-8")


def sources_change(small):
    (small / "frontend/page.html").write_text("two", "utf-8")


CLOSED = {"npm_config_registry": "http://127.0.0.1:9/", "npm_config_cache": "cache"}
"""A port on which nobody listens."""


@pytest.mark.parametrize(
    ("change", "python", "environment"),
    [
        (build_fails, sys.executable, None),
        (no_registry_answers, sys.executable, os.environ | CLOSED),
        (sources_change, str(BARE), NOWHERE),
    ],
    ids=["a build that fails", "no registry", "no npm"],
)
def test_a_wheel_has_no_pages_rather_than_old_ones_and_says_so(small, change, python, environment):
    assert build(small) is True
    change(small)
    done = hatchling(small, "-t", "wheel", python=python, environment=environment)
    assert (done.returncode, "This wheel has no pages" in done.stderr) == (0, True), done.stderr
    with zipfile.ZipFile(next(small.glob("dist/*.whl"))) as made:
        assert [name for name in made.namelist() if "/web/" in name] == []


def test_an_editable_install_builds_no_pages(small):
    ran = hatchling(small, "-t", "wheel:editable", python=str(BARE), environment=NOWHERE)
    assert ran.returncode == 0, ran.stderr
    assert not (small / PAGES[0]).exists()
