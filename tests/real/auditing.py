"""The real local model tried as a judge, as it is and held to choices and quotes that can be right.

python -m tests.real.auditing       two cards; the figures of both as one line of JSON at the end
"""

import json
import sys
import tempfile
from pathlib import Path

from hustings.export import card
from hustings.llm.voices import Voice
from hustings.run.judging import JudgingWish, card_of, commission_probing
from hustings.testing.local_model import SAMPLING, running

from .performing import END, performed

FIGURES = ("grounded", "order_flips", "position_bias", "repeat", "padding", "injection", "empty_argument", "identical")


def audited(url, model, *, guided):
    made = commission_probing("improviser", JudgingWish(seconds_per_call=600), {})
    voice = Voice(
        provider="openai_compatible",
        base_url=model.base_url,
        model=model.name,
        local=True,
        at_once=2,
        temperature=0.2,
        max_tokens=900,
        extra={**SAMPLING, "logit_bias": [[END, 4.0]]} if guided else SAMPLING,
    )
    made = made.model_copy(update={"voices": {"judge_1": voice}})
    seen = performed(url, made, 3000, guided=guided)
    return card_of(made, seen.proceedings), seen


def main():
    told = {}
    with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
        for name, guided in (("as it is", False), ("guided", True)):
            found, seen = audited(f"sqlite:///{Path(folder) / name.replace(' ', '-')}.db", model, guided=guided)
            sys.stdout.write(f"== {name}: {seen.row()}\n\n{card.render(found)}\n")
            sheets = {"asked": found.asked, "accepted": found.accepted}
            told[name] = {**sheets, **{figure: getattr(found, figure).value for figure in FIGURES}}
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main()
