"""A whole competition with short allowances by the real local model, and its judging by the same model.

python -m benchmarks.judged_competition     what was seen, the board, and the figures as one line of JSON at the end
"""

import json
import sys
import tempfile
import time
from pathlib import Path

from hustings.engine.service import open_service
from hustings.report import judgement_markdown
from hustings.runs.dossiers import judgement
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.transcript.canonical import digest
from tests.real.performing import COMPETITION, performed, spec_of
from tests.rig.local_model import running

SETTINGS = {"items_per_sheet": 3, "claims_per_turn": 1}


def main():
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
        url = f"sqlite:///{Path(folder) / 'competition.db'}"
        made = spec_of(model, "competition", COMPETITION, improvised="judge", max_tokens=300)
        debate = performed(url, made, 3000)
        sys.stdout.write(f"{debate.row()}\n")
        request = JudgingRequest(settings=SETTINGS, seconds_per_call=600)
        judging = judging_spec(made, debate.proceedings, request, {})
        model_specs = {
            seat: model_spec.model_copy(update={"max_tokens": None}) for seat, model_spec in judging.model_specs.items()
        }
        judging = judging.model_copy(update={"model_specs": model_specs})
        seen = performed(url, judging, 6000)
        sys.stdout.write(f"{seen.row()}\n")
        with open_service(url) as service:
            found, after = judgement(service.runs, made.run_id), service.runs.finished(made.run_id)
    sys.stdout.write(f"\n{judgement_markdown.render_judgement(found, depth=2)}\n")
    speeches = {turn: score for one in found.board.individuals for turn, score in one.speeches.items()}
    figures = {
        "minutes": round((time.monotonic() - began) / 60, 1),
        "speeches": len(speeches),
        "speeches_unscored": sum(score is None for score in speeches.values()),
        "claims": len(found.trace),
        "claims_without_quote": found.dropped,
        "claims_unscored": sum(argument.strength is None for argument in found.trace),
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
