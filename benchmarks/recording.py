"""Makes the recordings that come with the package: a debate of every protocol by the real local model, judged by it.

python -m benchmarks.recording [PROTOCOL ...]     into src/hustings/data/recordings; a line of JSON for each
python -m benchmarks.recording --recompute        the judgements alone, from the marks that were kept; asks no model
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
from hustings.runs.recording import SUFFIX, dump, load, record
from hustings.runs.registry import find_protocol, load_catalogue
from hustings.runs.request import cast_with
from hustings.runs.staging import plan
from tests.real.performing import COMPETITION, IMPROVISER, performed, spec_of
from tests.rig.local_model import running

SECONDS = 3000
FOLDER = Path(hustings.__file__).parent / "data" / "recordings"
TOPICS = {
    "structured": "four_day_week",
    "competition": "ai_disclosure",
    "moderated": "microservices",
    "roundtable": "remote_first",
    "adaptive": "rewrite_or_repair",
}
"""Protocol to what it debates, in the order in which a demo lists them."""
SETTINGS = {
    "structured": {"closing_words": 50, "answer_words": 20},
    "competition": COMPETITION,
    "moderated": {"panelists": 3, "max_exchanges": 2},
    "roundtable": {"seats": 3, "rounds": 2, "words": 50},
    "adaptive": {"stakes": "critical", "max_rounds": 2},
}
"""Short, but not the least that a protocol can be, which would show too little of it."""
IMPROVISED = {"competition": "judge"}
"""Its marks take a small machine longer than all the speeches."""
JUDGED = ("structured",)
"""The others as well where there is time: a small machine needs a quarter of an hour for each."""
NOTE = (
    "A model of 135 million weights, held by a grammar to short forms with ids and quotes that can be right: "
    "poor prose, real machinery."
)
AT_THE_TABLE = " The judge at the table is the improviser: its marks mean nothing."


def spec_from(model, protocol):
    """The debate as the tests have it, about another motion."""
    settings = SETTINGS[protocol]
    made = spec_of(model, protocol, settings, max_tokens=300)
    speaker, topic = next(iter(made.model_specs.values())), load_catalogue().topic(TOPICS[protocol])
    debate = plan(find_protocol(protocol), topic.text, settings=settings, language=topic.language)
    model_specs = {seat.id: IMPROVISER if seat.id == IMPROVISED.get(protocol) else speaker for seat in debate.seats}
    run_id = f"recorded-{protocol}"
    changed = {
        "run_id": run_id,
        "lineage": run_id,
        "debate": cast_with(debate, model_specs),
        "model_specs": model_specs,
    }
    return made.model_copy(update=changed)


def audits(url, made, proceedings, *, control):
    """What follows the debate, each commissioned when the one before is over."""
    if made.debate.protocol not in JUDGED:
        return
    request = JudgingRequest(settings={"items_per_sheet": 3, "claims_per_turn": 1}, seconds_per_call=600)
    if control:
        with open_service(url) as service:
            tokens = service.runs.read(made.run_id).tokens
        yield control_spec(made, proceedings, request.model_copy(update={"settings": {}}), {}, tokens)
    judging = judging_spec(made, proceedings, request, {})
    model_specs = {
        seat: model_spec.model_copy(update={"max_tokens": None}) for seat, model_spec in judging.model_specs.items()
    }
    yield judging.model_copy(update={"model_specs": model_specs})


def recorded(url, model, protocol):
    made = spec_from(model, protocol)
    debate = performed(url, made, SECONDS)
    sys.stderr.write(f"{debate.row()}\n")
    for audit in audits(url, made, debate.proceedings, control=protocol == "structured"):
        sys.stderr.write(f"{performed(url, audit, SECONDS).row()}\n")
    with open_service(url) as service:
        return record(service.runs, made.run_id, note=NOTE + (AT_THE_TABLE if protocol in IMPROVISED else ""))


def recompute():
    """For when judging finds more in the same marks than it did."""
    for path in sorted(FOLDER.glob(f"*{SUFFIX}")):
        old = load(path.read_bytes(), path.name)
        remains = old.remains.model_copy(update={"judgement": old.recomputed()})
        path.write_bytes(dump(replace(old, remains=remains)))
        sys.stdout.write(f"{path.name}: {'the same' if remains == old.remains else 'another judgement'}\n")


def main(*wanted):
    if wanted == ("--recompute",):
        recompute()
        return
    for number, protocol in enumerate(TOPICS, 1):
        if wanted and protocol not in wanted:
            continue
        began, path = time.monotonic(), FOLDER / f"{number}-{protocol}{SUFFIX}"
        with tempfile.TemporaryDirectory() as folder, running(n_parallel=2, n_ctx=16_384) as model:
            made = recorded(f"sqlite:///{Path(folder) / protocol}.db", model, protocol)
        written = dump(made)
        assert load(written, path.name) == made
        assert made.remains.judgement is None or made.recomputed() == made.remains.judgement
        path.write_bytes(written)
        figures = {
            "file": path.name,
            "bytes": len(written),
            "events": len(made.events),
            "debate_seconds": made.head.seconds,
            "minutes": round((time.monotonic() - began) / 60, 1),
            "outcome": made.remains.judgement.outcome.kind if made.remains.judgement else None,
        }
        sys.stdout.write(json.dumps(figures) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
