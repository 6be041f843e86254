"""What docs/judging.md says is so."""

import re

from hustings.judging.case import POLICY
from hustings.judging.reliability import GOOD, TENTATIVE
from hustings.rubrics.argument import ArgumentScore
from hustings.rubrics.speech import SpeechScore
from hustings.script.rubric import Rubric, sheet_of

from .blocks import DOCS

TEXT = (DOCS / "judging.md").read_text()


def test_its_rubric_is_one():
    (source,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    names = {"__name__": "pitch"}
    exec(compile(source, "pitch", "exec"), names)
    (pitch,) = [v for v in names.values() if isinstance(v, type) and issubclass(v, Rubric) and v is not Rubric]
    assert pitch.weights() == {"need": 0.6, "plan": 0.4}
    assert "need" in sheet_of(pitch).model_json_schema()["$defs"]["PitchScore"]["properties"]


def test_its_weights_are_those_of_the_rubrics():
    for rubric, named in (
        (ArgumentScore, "logic .30, evidence .30, responsiveness .25, honesty .15"),
        (SpeechScore, ""),
    ):
        said = named or "logic .25, persuasion .25, expression .20, teamwork .15, rules .15"
        assert said in TEXT
        assert [float(share) for share in re.findall(r"\.\d+", said)] == list(rubric.weights().values())


def test_its_thresholds_are_those_of_the_code():
    policy = POLICY
    assert f"Strength ≥ {policy.upheld:.2f}".replace("0.", ".") in TEXT
    assert f"≤ {policy.refuted:.2f} *refuted*".replace("0.", ".") in TEXT
    assert f"*good* (α ≥ {GOOD:.2f}), *tentative* (≥ {TENTATIVE:.2f})".replace("0.", ".") in TEXT
