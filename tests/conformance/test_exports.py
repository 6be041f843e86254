"""Every registered export, in-tree or from another package, takes every protocol, judged or not."""

import json
import os
import re
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from hustings.errors import ScriptError
from hustings.runs.registry import broken_plugins, exports, find_export, protocols
from tests.judging.judgings import EVERY
from tests.report.dossiers import judged, steering, unjudged

ROOT = Path(__file__).parents[2]
EXPORTS = exports()
CASES = [(name, how) for name in EVERY for how in ("judged", "unjudged")]
AGAIN = """
import json, sys
from hashlib import sha256
from pathlib import Path
from hustings.judging.dossier import Dossier
from hustings.runs.registry import exports

found = {}
for path in sorted(Path(sys.argv[1]).iterdir()):
    dossier = Dossier.model_validate_json(path.read_bytes())
    for name, export in exports().items():
        found[f"{path.stem} {name}"] = sha256(export.render(dossier).encode()).hexdigest()
sys.stdout.write(json.dumps(found))
"""


def dossier(name, how):
    return judged(name) if how == "judged" else unjudged(name)


def test_every_protocol_of_ours_is_tried():
    assert set(EVERY) == set(protocols())


@pytest.mark.parametrize("export", EXPORTS)
@pytest.mark.parametrize(("name", "how"), CASES)
def test_it_writes_lines_without_a_sign_that_steers_a_reader(export, name, how):
    text = EXPORTS[export].render(dossier(name, how))
    assert text.endswith("\n")
    assert not steering(text)


@pytest.mark.nightly("every dossier in two processes")
def test_the_same_dossier_has_the_same_bytes_in_every_process(tmp_path):
    for name, how in CASES:
        (tmp_path / f"{name} {how}.json").write_text(dossier(name, how).model_dump_json(), "utf-8")
    here = {
        f"{name} {how} {export}": sha256(EXPORTS[export].render(dossier(name, how)).encode()).hexdigest()
        for name, how in CASES
        for export in EXPORTS
    }
    assert again(tmp_path, seed=1) == here


def again(folder, seed):
    environment = {**os.environ, "PYTHONHASHSEED": str(seed)}
    command = [sys.executable, "-c", AGAIN, str(folder)]
    return json.loads(subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=True).stdout)


@pytest.mark.parametrize("export", EXPORTS)
def test_it_leaves_the_dossier_as_it_is(export):
    before = judged("structured").model_dump_json()
    EXPORTS[export].render(judged("structured"))
    assert judged("structured").model_dump_json() == before


# -- from another package ------------------------------------------------------------------

COUNT = '''"""How many turns there were."""
FORMAT = "count"
SUFFIX = "txt"
def render(dossier):
    return f"{len(dossier.proceedings.transcript.turns)}\\n"
'''


def test_a_format_of_another_package_is_found_by_its_entry_point(installed):
    installed("count", COUNT, module="counting", group="exports")
    assert "count" in exports()
    assert find_export("count").render(unjudged("structured")) == "6\n"


@pytest.mark.parametrize(
    ("line", "lacking"),
    [
        ('"""How many turns there were."""', "a docstring"),
        ('FORMAT = "count"', "`FORMAT = 'count'`"),
        ('SUFFIX = "txt"', "`SUFFIX`"),
        ("def render", "`def render(dossier)`"),
    ],
)
def test_what_a_format_lacks_is_said(line, lacking, installed):
    broken = COUNT.replace(line, "def other" if line == "def render" else "")
    installed("count", broken, module=f"lacking_{lacking[1:4].strip()}", group="exports")
    with pytest.raises(ScriptError, match=re.escape(f"lacks {lacking}")):
        find_export("count")
    assert set(broken_plugins()) == {"count"}
    assert "count" not in exports()
