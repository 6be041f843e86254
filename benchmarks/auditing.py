"""The real local model tried as a judge, as it is and held to choices and quotes that can be right.

python -m benchmarks.auditing [BASES [guided|unguided [VARIANT,…]]]     on so many of the written debates; figures last
"""

import json
import sys
import tempfile
from pathlib import Path

from hustings.lab.report.trial_text import render_judge_report
from hustings.lab.trials import judge_report_of, probing_spec
from hustings.llm.model_spec import ModelSpec
from hustings.runs.judging_spec import JudgingRequest
from tests.real.performing import END, performed
from tests.rig.local_model import SAMPLING, running

FIGURES = ("grounded", "order_flips", "position_bias", "repeat", "padding", "injection", "empty_argument", "identical")


def audited(url, model, settings, *, guided):
    made = probing_spec("improviser", JudgingRequest(seconds_per_call=1_500, settings=settings), {})
    model_spec = ModelSpec(
        provider="openai_compatible",
        base_url=model.base_url,
        model=model.name,
        local=True,
        at_once=2,
        temperature=0.2,  # and as many words as the form takes: cut short, no sheet of this model is whole
        extra={**SAMPLING, "logit_bias": [[END, 4.0]]} if guided else SAMPLING,
    )
    made = made.model_copy(update={"model_specs": {"judge_1": model_spec}})
    seen = performed(url, made, 6_000, guided=guided)
    return judge_report_of(made, seen.proceedings), seen


def main(bases="2", which="", variants=""):
    told, settings = {}, {"bases": int(bases)}
    if variants:
        settings["variants"] = variants.split(",")
    with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
        for name, guided in {"unguided": False, "guided": True}.items():
            if which not in ("", name):
                continue
            url = f"sqlite:///{Path(folder) / name}.db"
            found, seen = audited(url, model, settings, guided=guided)
            sys.stdout.write(f"== {name}: {seen.row()}\n\n{render_judge_report(found)}\n")
            sheets = {"asked": found.asked, "accepted": found.accepted}
            told[name] = {**sheets, **{figure: getattr(found, figure).value for figure in FIGURES}}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
