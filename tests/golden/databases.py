"""Databases with runs of every kind, as the code left them before stored shapes changed.

They must open and go on ever after. They are never made anew: later code would make databases of its own shape.
"""

import gzip
import json
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path

import psycopg

from hustings.db.caps import Caps
from hustings.engine.people import questions
from hustings.engine.worker import Duty
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.http_model import model_of
from hustings.llm.model_spec import ModelSpec, Price
from hustings.runs.dossiers import judgement
from hustings.runs.judging_spec import JudgingRequest
from hustings.transcript.events import fold
from tests.engine.rig import EngineRig
from tests.rig.postgres import database

FOLDER = Path(__file__).with_name("databases")
KINDS = {"sqlite": "hustings.sqlite.gz", "postgres": "hustings.sql.gz"}
"""Each with the name of its file."""
NOWHERE = "http://127.0.0.1:1/v1"
"""Where the priced model is on record; who opens the database sends its calls to a provider of its own."""
PRICED = ModelSpec(
    provider="openai_compatible", base_url=NOWHERE, model="m-1", local=True, price=Price(input=1.0, output=2.0)
)
CAPS = Caps(money=900_000, tokens=90_000, calls=60, seconds=9_000)
REQUEST = JudgingRequest(judges=("improviser",), tier="standard", seed=3, seconds_per_call=120.0)
DUTY = Duty(concurrency=20, ttl=20.0, polling=0.05, drain=1)
CENTURY = 36_500.0
"""Days: a person is still awaited whenever the tests run."""
PATIENCE = 90
"""Seconds that a run may take on a busy machine."""


class Keeper(EngineRig):
    """A worker whose calls all go to one provider."""

    def _model(self, model_spec):
        there = {"base_url": self.provider.base_url} if model_spec.base_url == NOWHERE else {}
        return model_of(model_spec.model_copy(update=there), {}, PUBLIC_OR_LOOPBACK)

    def until_asked(self, run_id, times):
        """The person has been asked that often."""

        def so():
            return len(self.seen(run_id).of("human_awaited")) == times and questions(self.runs, run_id)

        self.until(so, PATIENCE)


def remains(runs, run_id):
    """What a run holds, in figures and digests: none of it may change by an upgrade."""
    report, proceedings, events = runs.read(run_id), runs.proceedings(run_id), runs.events(run_id)
    record = proceedings or (fold(events) if events else None)
    found = judgement(runs, run_id)
    return {
        **{name: getattr(report, name) for name in ("state", "ending", "protocol", "owner", "batch", "judged")},
        **{name: getattr(report, name) for name in ("waves", "calls", "tokens", "spent", "cap")},
        "events": len(events),
        "turns": len(record.transcript.turns) if record else 0,
        "transcript": digest(record.transcript.model_dump(mode="json", exclude_none=True)) if record else None,
        "notes": digest([note.model_dump(mode="json", exclude_none=True) for note in record.notes]) if record else None,
        "judgement": digest(found.figures()) if found else None,
    }


def digest(value):
    return sha256(json.dumps(value, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@cache
def manifest():
    return json.loads((FOLDER / "manifest.json").read_text("utf-8"))


@contextmanager
def restored(kind, folder):
    """The address of a fresh copy, as it was kept."""
    kept = gzip.decompress((FOLDER / KINDS[kind]).read_bytes())
    if kind == "sqlite":
        path = folder / "kept.sqlite"
        path.write_bytes(kept)
        yield f"sqlite:///{path}"
        return
    with database() as url:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(kept)
        yield url
