"""How to add what an installation lacks: by the names of the packages, for the Python that runs."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hustings.installation import install_hint

ROOT = Path(__file__).parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_hint_for_an_extra_names_its_packages_and_this_python(extra):
    words = shlex.split(install_hint(extra))
    assert words[-len(EXTRAS[extra]) :] == EXTRAS[extra]
    assert sys.executable in words


@pytest.mark.parametrize("seeds", [[], ["--without-pip"]], ids=["with pip", "without pip"])
def test_the_hint_is_for_an_installer_that_reaches_the_environment(tmp_path, seeds):
    python = tmp_path / "venv/bin/python"
    subprocess.run([sys.executable, "-m", "venv", *seeds, tmp_path / "venv"], check=True)
    metadata = tmp_path / "hustings-1.dist-info/METADATA"
    metadata.parent.mkdir()
    metadata.write_text(
        "Metadata-Version: 2.4\nName: hustings\nVersion: 1\nRequires-Dist: a>=2; extra == 'x'\n", "utf-8"
    )
    code = "from hustings.installation import install_hint; print(install_hint('x'))"
    known = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT / 'src'}"}
    done = subprocess.run([python, "-c", code], env=known, cwd=tmp_path, capture_output=True, text=True, check=True)
    told = f"uv pip install --python {python}" if seeds else f"{python} -m pip install"
    assert done.stdout == f"{told} 'a>=2'\n"


# -- the name alone ----------------------------------------------------------------------------

READ = ("src", "frontend/src", "docs", "examples", "integrations", "deploy", ".github", "Makefile", "pyproject.toml")
SUFFIXES = {"", ".md", ".py", ".json", ".ts", ".tsx", ".toml", ".yml", ".yaml", ".j2", ".html", ".cff"}
BUILT = {"_dist", "_share", "__pycache__"}
BY_NAME = re.compile(
    r"\b(?:pip|pipx|uvx|uv)\b[^`]*[ '\"]hustings(?=['\"`),;\s]|\.?$)(?!.* @ )"  # what an installer is given
    r"|\bhustings(?:\[|==)(?!.* @ )"  # with an extra or a version
)


def lines():
    roots = (*(ROOT / name for name in READ), *ROOT.glob("*.md"), ROOT / "CITATION.cff")
    for path in (each for root in roots for each in ([root] if root.is_file() else sorted(root.rglob("*")))):
        if path.is_file() and path.suffix in SUFFIXES and not BUILT & set(path.parts):
            for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
                yield f"{path.relative_to(ROOT)}:{number}", line


def test_nothing_tells_to_install_a_name_that_anybody_may_register():
    found = [place for place, line in lines() if BY_NAME.search(line)]
    assert found == []


@pytest.mark.parametrize(
    "line",
    [
        "pip install hustings",
        "Needs the command hustings (pip install hustings). Needs no API key.",
        "uv tool install 'hustings[mcp]'",
        "install hustings[{missing}]",
        "needs: uv tool install 'hustings[${provider}]'",
        'pip install --no-deps "hustings==${VERSION}"',
        '"command": "uvx", "args": ["--from", "hustings[mcp]==0.1.0", "hustings", "mcp"]',
        "uvx hustings demo",
        "`pipx install hustings`",
    ],
)
def test_an_installation_by_name_is_found(line):
    assert BY_NAME.search(line)


@pytest.mark.parametrize(
    "line",
    [
        "pip install 'hustings[mcp] @ git+https://h.example/hustings'",
        "`pip install git+ADDRESS`, then `hustings serve`",
        "pip install /tmp/hustings-1.whl",
    ],
)
def test_an_installation_from_a_place_is_fine(line):
    assert not BY_NAME.search(line)
