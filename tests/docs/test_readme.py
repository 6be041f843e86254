"""The README is true today."""

import inspect

from hustings.protocols import structured
from hustings.testing.protocol_suite import SECRETS
from hustings.transcript.rules import RULES

from .blocks import ROOT

TEXT = (ROOT / "README.md").read_text()


def test_the_script_it_shows_is_the_script():
    assert inspect.getsource(structured.play) in TEXT


def test_its_figures_are_those_of_the_code():
    assert f"a validator with {len(RULES)} rules" in TEXT
    assert f"compares {SECRETS:,} prompts per protocol" in TEXT
