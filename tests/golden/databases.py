"""Databases with runs of every kind, kept as this code leaves them: `python -m tests.golden.databases [FOLDER]`.

They are made once, before stored shapes change, and must open and go on ever after. Making them anew would prove
nothing: do so only to add a kind of run, with the code of the commit that made the others.
"""

import gzip
import json
import sqlite3
import subprocess
import sys
from contextlib import ExitStack, closing, contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from hustings.run.desk import Desk

from hustings.core.record import fold
from hustings.llm.direct import model_of
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.improviser import Improviser
from hustings.llm.voices import Price, Voice
from hustings.run.commission import Commission, Purse
from hustings.run.forking import fork
from hustings.run.judging import JudgingWish, commission_control, commission_judging, commission_probing
from hustings.run.people import cancel, questions, speak
from hustings.run.programme import Programme
from hustings.run.registry import find_protocol
from hustings.run.staging import plan
from hustings.run.verdicts import judgement
from hustings.run.wish import cast_with
from hustings.run.worker import Duty
from hustings.store import tokens
from hustings.testing.provider import serving
from tests.rig.postgres import binary, database, sqlite_file
from tests.run.house import HUMAN, IMPROVISER, TOPIC, House

FOLDER = Path(__file__).with_name("databases")
KINDS = {"sqlite": "hustings.sqlite.gz", "postgres": "hustings.sql.gz"}
"""Each with the name of its file."""
NOWHERE = "http://127.0.0.1:1/v1"
"""Where the priced model is on record; whoever makes or opens the database sends its calls to a provider of its own."""
PRICED = Voice(
    provider="openai_compatible", base_url=NOWHERE, model="m-1", local=True, price=Price(input=1.0, output=2.0)
)
PURSE = Purse(money=900_000, tokens=90_000, calls=60, seconds=9_000)
WISH = JudgingWish(judges=("improviser",), tier="standard", seed=3)
DUTY = Duty(concurrency=20, ttl=20.0, polling=0.05, drain=1)
CENTURY = 36_500.0
"""Days: a person is still awaited whenever the tests run."""
PATIENCE = 90
"""Seconds that a run may take on a busy machine."""
SLOW = 0.6
"""Seconds of a call during which a run is told to stop."""


class Keeper(House):
    """A worker whose calls all go to one provider."""

    def _model(self, voice):
        there = {"base_url": self.provider.base_url} if voice.base_url == NOWHERE else {}
        return model_of(voice.model_copy(update=there), {}, PUBLIC_OR_LOOPBACK)

    def entered(self, run_id, voice=IMPROVISER, protocol="structured", *, seats=None, programme=None, **more):
        """On record under a name, and not yet begun."""
        debate = plan(find_protocol(protocol), TOPIC, settings=more.pop("settings", None))
        voices = {seat.id: voice for seat in debate.seats} | (seats or {})
        spoken = {seat: each for seat, each in voices.items() if each.provider != "human"}
        made = {"lineage": run_id, "debate": cast_with(debate, voices), "voices": spoken, "created_at": self.instant()}
        return self.named(run_id, Commission(run_id=run_id, **made, **more), programme)

    def named(self, run_id, made, programme=None):
        """The same commission under a name of our own."""
        name = {"run_id": run_id, "lineage": run_id, "created_at": self.instant()}
        commission = made.model_copy(update=name)
        self.desk.enter(commission, programme=programme)
        return commission

    def instant(self):
        """A minute after the run before."""
        return f"2026-01-01T00:{next(self._numbers):02d}:00.000Z"

    def played(self, commission):
        self.worker.start(commission)
        return self.ended(commission.run_id, PATIENCE)

    def until_asked(self, run_id, times):
        """The person has been asked that often."""

        def so():
            return len(self.seen(run_id).of("human_awaited")) == times and questions(self.desk, run_id)

        self.until(so, PATIENCE)


# -- making ------------------------------------------------------------------------------


def fill(house):
    """Runs of every kind; a worker is at work until the last of them are entered."""
    desk = house.desk
    finished = house.played(house.entered("finished"))
    house.played(house.entered("table", protocol="roundtable", settings={"rounds": 1}, seed=5, batch="pair"))
    house.played(house.entered("paid", PRICED, purse=PURSE))
    house.played(house.entered("stopped", purse=Purse(calls=3), batch="pair"))
    house.played(house.named("forked", fork(desk, "finished", turn="r2.t0", settings={"closing_words": 100})))
    judge(house)
    trial = JudgingWish(settings={"bases": 1, "variants": ["plain", "swapped"]})
    house.played(house.named("tried", commission_probing("improviser", trial, {})))
    house.played(house.entered("due", programme=Programme(WISH, control=True)))

    interrupt(house, "cancelled", lambda run_id: cancel(desk, run_id, by="ann"))
    house.ended("cancelled", PATIENCE)
    interrupt(house, "paused", lambda run_id: desk.steer(run_id, "pause", "ann"))
    house.until(lambda: desk.report("paused").state == "paused", PATIENCE)

    house.worker.start(house.entered("held", seats={"pro": HUMAN}, days_for_people=CENTURY))
    house.until_asked("held", 1)
    speak(desk, "held", "pro", Improviser().words(questions(desk, "held")[0]), by="ann")
    house.until_asked("held", 2)

    house.close()
    assert finished.ending.kind == "played"
    desk.enqueue(
        house.entered("waiting", protocol="roundtable", settings={"rounds": 1}),
        house.named("waiting-fork", fork(desk, "finished", turn="r3.t0")),
        house.entered("waiting-person", seats={"con": HUMAN}, days_for_people=CENTURY),
    )


def judge(house):
    """A debate with its control and its judging."""
    held = house.played(house.entered("judged"))
    made, proceedings = house.desk.commission("judged"), held.proceedings
    house.played(house.named("judged.control", commission_control(made, proceedings, WISH, {}, 1200)))
    house.played(house.named("judged.judging", commission_judging(made, proceedings, WISH, {})))


def interrupt(house, run_id, tell):
    """Tell a run something while the calls of its second wave are in flight."""
    house.provider.plan(delay=SLOW)
    house.worker.start(house.entered(run_id, PRICED))
    house.until(lambda: house.desk.report(run_id).waves == 2)
    tell(run_id)
    house.until(lambda: not house.desk.in_flight(run_id))
    house.provider.plan(delay=0.0)


def build(kind, folder):
    """The database as a file, and what is in it."""
    with ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        patch.setattr("socket.gethostname", lambda: "elsewhere")  # names of workers are kept in the database
        made = Path(stack.enter_context(TemporaryDirectory()))
        url = sqlite_file(made) if kind == "sqlite" else stack.enter_context(database())
        desk = stack.enter_context(Desk(url))
        desk.upgrade()
        house = Keeper(url, desk, stack.enter_context(serving()))
        house.tidy()
        house.open(DUTY)
        stack.callback(house.close)
        fill(house)
        desk.set_caps("ann", total=5_000_000, day=1_000_000)
        desk.vote("finished", "ann", '{"winner": "pro"}')
        token = tokens.issue(desk.database, "ann", "kept")
        runs = {report.run_id: remains(desk, report.run_id) for report in desk.reports(most=100)}
        kept = kept_sqlite(url) if kind == "sqlite" else kept_postgres(url)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / KINDS[kind]).write_bytes(gzip.compress(kept, mtime=0))
    return {"token": token, "runs": runs}


def kept_sqlite(url):
    """One file, without a log beside it."""
    path = Path(url.removeprefix("sqlite:///"))
    copy = path.with_name("copy.sqlite")
    with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(copy, isolation_level=None)) as kept:
        db.backup(kept)
        kept.execute("pragma journal_mode=delete")
        kept.execute("vacuum")
    return copy.read_bytes()


def kept_postgres(url):
    """Plain SQL that any role can execute on any server, without the marks of one program."""
    options = ["--no-owner", "--no-privileges", "--rows-per-insert=50", "--no-comments"]
    dumped = subprocess.run([binary("pg_dump"), *options, url], capture_output=True, check=True).stdout.decode()
    lines = dumped.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith(("--", "\\", "SET "))).encode()


# -- reading -----------------------------------------------------------------------------


def remains(desk, run_id):
    """What a run holds, in figures and digests: none of it may change by an upgrade."""
    report, proceedings, events = desk.report(run_id), desk.proceedings(run_id), desk.events(run_id)
    record = proceedings or (fold(events) if events else None)
    found = judgement(desk, run_id)
    return {
        **{name: getattr(report, name) for name in ("state", "ending", "protocol", "owner", "batch", "judged")},
        **{name: getattr(report, name) for name in ("waves", "calls", "tokens", "spent", "cap")},
        "events": len(events),
        "turns": len(record.transcript.turns) if record else 0,
        "transcript": digest(record.transcript.model_dump(mode="json", exclude_none=True)) if record else None,
        "notes": digest([note.model_dump(mode="json", exclude_none=True) for note in record.notes]) if record else None,
        "judgement": digest(found.model_dump(mode="json")) if found else None,
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


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER
    made = {kind: build(kind, folder) for kind in KINDS}
    (folder / "manifest.json").write_text(json.dumps(made, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
