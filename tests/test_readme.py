"""The README is true today."""

import inspect
import re
from pathlib import Path

from hustings.cli.protocols import calls
from hustings.core.rules import RULES
from hustings.protocols import structured
from hustings.run.registry import protocols
from hustings.testing.protocols import SECRETS

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text()


def test_the_script_it_shows_is_the_script():
    assert inspect.getsource(structured.play) in TEXT


def test_its_table_lists_the_protocols_and_their_calls():
    rows = re.findall(r"^\| `(\w+)` \|.*\| (\d+) \|$", TEXT, re.MULTILINE)
    own = {name: p for name, p in protocols().items() if p.play.__module__.startswith("hustings.")}
    assert {name: int(count) for name, count in rows} == {name: calls(p) for name, p in own.items()}


def test_its_figures_are_those_of_the_code():
    assert f"with {len(RULES)} rules" in TEXT
    assert f"compares {SECRETS:,} prompts per protocol" in TEXT


def test_its_links_lead_somewhere():
    for link in re.findall(r"\]\(([^)]+)\)", TEXT):
        assert (ROOT / link).exists(), link
