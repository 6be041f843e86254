"""A whole competition with short allowances by the real local model, and its judging by the same model.

python -m benchmarks.judged_competition     what was seen, the board, and the figures as one line of JSON at the end
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from hustings.core.canonical import digest
from hustings.export import briefing
from hustings.run.judging import JudgingWish, commission_judging
from hustings.run.service import open_service
from hustings.run.verdicts import judgement
from hustings.testing.local_model import running
from tests.real.performing import COMPETITION, commission_of, performed

SETTINGS = {"items_per_sheet": 3, "claims_per_turn": 1}


def main():
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
        url = f"sqlite:///{Path(folder) / 'competition.db'}"
        made = commission_of(model, "competition", COMPETITION, improvised="judge", max_tokens=300)
        debate = performed(url, made, 3000)
        sys.stdout.write(f"{debate.row()}\n")
        wish = JudgingWish(settings=SETTINGS, seconds_per_call=600)
        judging = commission_judging(made, debate.proceedings, wish, {})
        voices = {seat: voice.model_copy(update={"max_tokens": None}) for seat, voice in judging.model_specs.items()}
        judging = judging.model_copy(update={"model_specs": voices})
        seen = performed(url, judging, 6000)
        sys.stdout.write(f"{seen.row()}\n")
        with open_service(url) as service:
            found, after = judgement(service.runs, made.run_id), service.runs.finished(made.run_id)
    sys.stdout.write(f"\n{briefing.render(found, depth=2)}\n")
    speeches = {turn: score for one in found.board.individuals for turn, score in one.speeches.items()}
    figures = {
        "minutes": round((time.monotonic() - began) / 60, 1),
        "speeches": len(speeches),
        "speeches_unscored": sum(score is None for score in speeches.values()),
        "claims": len(found.trace),
        "claims_without_quote": found.dropped,
        "claims_unscored": sum(fate.strength is None for fate in found.trace),
        "sheets_asked": sum(judge.asked for judge in found.panel),
        "sheets_accepted": sum(judge.accepted for judge in found.panel),
        "penalties": len(found.board.penalties),
        "outcome": found.outcome.kind,
        "transcript_untouched": after == debate.proceedings
        and found.digest == digest(debate.proceedings.transcript.document()),
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main()
