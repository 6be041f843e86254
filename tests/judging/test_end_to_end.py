"""The same notes give the same judgement, byte for byte, whatever the process hashes by."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from .judges import judge, wavering
from .nulls import judged, voices

ROOT = Path(__file__).parents[2]
AGAIN = """
import sys
from hustings.script.debate import DebateSpec, Proceedings
from hustings.report.judgement_markdown import render_judgement
from hustings.runs.judging_spec import judgement_of

folder = sys.argv[1]
debate = DebateSpec.model_validate_json(open(f"{folder}/judging.json").read())
found = judgement_of(debate, Proceedings.model_validate_json(open(f"{folder}/proceedings.json").read()))
sys.stdout.write(found.model_dump_json() + "\\n" + render_judgement(found))
"""


LATER = pytest.mark.nightly("a competition takes seconds; `structured` is judged on every change")
BOTH = ["structured", pytest.param("competition", marks=LATER)]


@pytest.mark.parametrize("protocol", BOTH)
def test_the_same_stored_notes_give_the_same_bytes_in_every_process(protocol, tmp_path):
    sat = judged(protocol, voices(protocol, 1), judge(wavering), 1).rehearsal
    (tmp_path / "judging.json").write_text(sat.debate.model_dump_json())
    (tmp_path / "proceedings.json").write_text(sat.proceedings.model_dump_json())
    texts = {computed(tmp_path, seed) for seed in (0, 1, 2)}
    assert len(texts) == 1


@pytest.mark.parametrize("protocol", BOTH)
def test_what_is_computed_from_stored_notes_is_what_was_found_at_once(protocol, tmp_path):
    first = judged(protocol, voices(protocol, 2), judge(wavering), 2)
    (tmp_path / "judging.json").write_text(first.rehearsal.debate.model_dump_json())
    (tmp_path / "proceedings.json").write_text(first.rehearsal.proceedings.model_dump_json())
    assert computed(tmp_path, 0).split("\n")[0] == first.judgement.model_dump_json()


def computed(folder: Path, hash_seed: int) -> str:
    environment = {**os.environ, "PYTHONHASHSEED": str(hash_seed), "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-c", AGAIN, str(folder)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True).stdout
