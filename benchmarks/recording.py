"""Makes the recording of `hustings demo small-model`: a structured debate by the real local model, judged by it.

python -m benchmarks.recording                    into src/hustings/data/recordings; a line of JSON about it
python -m benchmarks.recording --recompute        the judgement alone, from the marks that were kept; asks no model
"""

import json
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import hustings
from hustings.engine.service import open_service
from hustings.runs.judging_spec import JudgingRequest, control_spec, judging_spec
from hustings.runs.recording import dump, load, record
from hustings.runs.registry import find_protocol, load_catalogue
from hustings.runs.request import cast_with
from hustings.runs.staging import plan
from tests.real.performing import performed, spec_of
from tests.rig.local_model import running

SECONDS = 3000
PATH = Path(hustings.__file__).parent / "data" / "recordings" / "7-small-model.jsonl.gz"
PROTOCOL, TOPIC = "structured", "four_day_week"
SETTINGS = {"closing_words": 50, "answer_words": 20}
"""Short, but not the least that it can be, which would show too little."""
NOTE = "A tiny model (135M parameters), limited to short answers by a JSON grammar. Poor prose, but a real debate."


def spec_from(model):
    """The debate as the tests have it, about another motion."""
    made = spec_of(model, PROTOCOL, SETTINGS, max_tokens=300)
    speaker, topic = next(iter(made.model_specs.values())), load_catalogue().topic(TOPIC)
    debate = plan(find_protocol(PROTOCOL), topic.text, settings=SETTINGS, language=topic.language)
    model_specs = {seat.id: speaker for seat in debate.seats}
    run_id = f"recorded-{PROTOCOL}"
    changed = {
        "run_id": run_id,
        "lineage": run_id,
        "debate": cast_with(debate, model_specs),
        "model_specs": model_specs,
    }
    return made.model_copy(update=changed)


def audits(url, made, proceedings):
    """What follows the debate, each commissioned when the one before is over."""
    request = JudgingRequest(settings={"items_per_sheet": 3, "claims_per_turn": 1}, seconds_per_call=600)
    with open_service(url) as service:
        tokens = service.runs.read(made.run_id).tokens
    yield control_spec(made, proceedings, request.model_copy(update={"settings": {}}), {}, tokens)
    judging = judging_spec(made, proceedings, request, {})
    model_specs = {
        seat: model_spec.model_copy(update={"max_tokens": None}) for seat, model_spec in judging.model_specs.items()
    }
    yield judging.model_copy(update={"model_specs": model_specs})


def recorded(url, model):
    made = spec_from(model)
    debate = performed(url, made, SECONDS)
    sys.stderr.write(f"{debate.row()}\n")
    for audit in audits(url, made, debate.proceedings):
        sys.stderr.write(f"{performed(url, audit, SECONDS).row()}\n")
    with open_service(url) as service:
        return record(service.runs, made.run_id, note=NOTE)


def recompute():
    """For when judging finds more in the same marks than it did."""
    old = load(PATH.read_bytes(), PATH.name)
    remains = old.remains.model_copy(update={"judgement": old.recomputed()})
    PATH.write_bytes(dump(replace(old, remains=remains)))
    sys.stdout.write(f"{PATH.name}: {'the same' if remains == old.remains else 'another judgement'}\n")


def main(*how):
    if how == ("--recompute",):
        recompute()
        return
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
        made = recorded(f"sqlite:///{Path(folder) / PROTOCOL}.db", model)
    written = dump(made)
    assert load(written, PATH.name) == made
    assert made.recomputed() == made.remains.judgement
    PATH.write_bytes(written)
    figures = {
        "file": PATH.name,
        "bytes": len(written),
        "events": len(made.events),
        "debate_seconds": made.head.seconds,
        "minutes": round((time.monotonic() - began) / 60, 1),
        "outcome": made.remains.judgement.outcome.kind if made.remains.judgement else None,
    }
    sys.stdout.write(json.dumps(figures) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
