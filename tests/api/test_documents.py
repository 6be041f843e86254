"""The examples and the docstrings do what they say."""

import contextlib
import doctest
import io
import runpy
from pathlib import Path

import pytest

import hustings.api.public

ROOT = Path(__file__).parent.parent.parent
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
AT_ONCE = "pause_and_go_on"
LATER = pytest.mark.nightly("debates for each example; one of them, and docs/python.md, are run on every change")


def printed(do):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        do()
    return out.getvalue()


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=() if p.stem == AT_ONCE else LATER) for p in EXAMPLES],
)
def test_an_example_says_what_it_shows_and_does_it(path):
    source = path.read_text("utf-8")
    assert source.startswith('"""')
    assert printed(lambda: runpy.run_path(str(path), run_name="__main__")).strip()


def test_docstrings_do_what_they_say():
    found = doctest.testmod(hustings.api.public)
    assert (found.failed, found.attempted > 3) == (0, True)
