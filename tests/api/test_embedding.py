"""Debates inside other programs: many at once, with their own keys, left in any way, forked, beside another engine."""

import asyncio
import multiprocessing
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from hustings import Debate, adebate, debate, resume
from hustings.errors import HustingsError
from tests.rig.provider_exchange import digest_of
from tests.rig.waiting import until

MOTION = "Should towns close their centres to cars?"
PLAIN = {"model": "improviser", "judges": None}
END_SECONDS = 5.0
"""What a program may take from its last line to its end."""


def of(provider):
    return f"openai_compatible/m@{provider.base_url}"


# -- side by side --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "many", [4, 12, pytest.param(32, marks=pytest.mark.nightly("ten seconds; 12 on every change"))]
)
def test_debates_side_by_side_end(many):
    async def all_of_them():
        return await asyncio.gather(*(adebate(MOTION, **PLAIN) for _ in range(many)))

    assert [result.ending.kind for result in asyncio.run(all_of_them())] == ["played"] * many


def test_debates_side_by_side_in_threads_end():
    with ThreadPoolExecutor(12) as pool:
        assert [result.ending.kind for result in pool.map(lambda _: debate(MOTION, **PLAIN), range(12))] == [
            "played"
        ] * 12


def test_debates_that_wait_for_people_keep_no_place_from_others():
    waiting = [Debate(MOTION, **PLAIN, protocol="roundtable", seats={"ada": "human"}) for _ in range(33)]

    async def both():
        tasks = [asyncio.ensure_future(held._awaited()) for held in waiting]
        try:
            return await asyncio.wait_for(adebate(MOTION, **PLAIN), 60)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    assert asyncio.run(both()).ending.kind == "played"


# -- keys ----------------------------------------------------------------------------------


def test_each_debate_sends_the_key_of_its_caller(provider):
    provider.reset()
    provider.plan(delay=0.1)
    given = {"a": "key-of-a", "b": "key-of-b"}

    def hold(who):
        return debate(MOTION, model=of(provider), keys={"LLM_API_KEY": given[who]}, protocol="roundtable").run_id

    with ThreadPoolExecutor(2) as pool:
        runs = dict(zip(given, pool.map(hold, given), strict=True))
    sent = {who: {call.auth_digest for call in provider.calls() if run in call.key} for who, run in runs.items()}
    assert sent == {who: {digest_of(f"Bearer {key}")} for who, key in given.items()}


def test_a_key_that_is_given_is_not_stored(provider, tmp_path):
    secret = "never-to-be-stored"
    held = Debate(MOTION, model=of(provider), judges=None, keys={"LLM_API_KEY": secret}, database=tmp_path / "one.db")
    held.run()
    assert secret not in repr(held)
    assert not [path for path in tmp_path.iterdir() if secret.encode() in path.read_bytes()]


def test_a_key_is_needed_again_to_go_on_elsewhere(provider):
    provider.plan(delay=0.3)
    held = Debate(MOTION, model=of(provider), judges=None, keys={"LLM_API_KEY": "k"})
    handle = held._begin(lambda _: None)
    until(lambda: held.run_id in str(provider.calls()), 20)
    held.pause()
    handle.result.exception(30)
    provider.plan(delay=0.0)
    assert resume(held.run_id, judges=None, keys={"LLM_API_KEY": "k"}).ending.kind == "played"


@pytest.mark.parametrize("keys", [{"nobody": "k"}, {"openai": " "}])
def test_a_key_that_cannot_be_used_is_refused(keys):
    with pytest.raises(HustingsError, match=r"unknown provider|is empty"):
        Debate(MOTION, **PLAIN, keys=keys)


# -- left and forked -----------------------------------------------------------------------

LEFT = """
import asyncio, os, signal, sys, threading, time, urllib.request
from hustings import Debate
address, way, database = sys.argv[1:]
held = Debate("Tabs or spaces?", model=f"openai_compatible/m@{address}", judges=None, database=database)
print(held.run_id, flush=True)

def asked():
    with urllib.request.urlopen(address.replace("/v1", "/ledger/calls")) as heard:
        return held.run_id in heard.read().decode()

def wait():
    while not asked():
        time.sleep(0.05)

async def timeout():
    task = asyncio.ensure_future(held._awaited())
    await asyncio.to_thread(wait)
    await asyncio.wait_for(task, 0.1)

async def stream():
    async for event in held.stream():
        if event.kind == "turn_begun":
            await asyncio.to_thread(wait)
            break

if way == "timeout":
    asyncio.run(timeout())
if way == "stream":
    asyncio.run(stream())
if way == "interrupt":
    def press():
        wait()
        for _ in range(2):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.3)
    threading.Thread(target=press, daemon=True).start()
    held.run()
threading.Thread(target=held.run, daemon=True).start()
wait()
print("ends", flush=True)
if way == "exception":
    raise RuntimeError("of the program itself")
if way == "exit":
    sys.exit(3)
if way == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
if way == "fork":
    if not os.fork():
        sys.exit(0)
    os.wait()
"""
WAYS = ["exception", "timeout", "interrupt", "thread", "stream", "exit", "fork", "killed"]
FAST = {"timeout", "thread", "killed"}


@pytest.mark.parametrize(
    "way",
    [
        way
        if way in FAST
        else pytest.param(way, marks=pytest.mark.nightly("a program each; three ways on every change"))
        for way in WAYS
    ],
)
def test_a_program_that_leaves_a_debate_ends_and_the_debate_goes_on(way, provider, tmp_path):
    provider.reset()
    provider.plan(delay=1.5)
    database = tmp_path / "left.db"
    command = [sys.executable, "-c", LEFT, provider.base_url, way, f"sqlite:///{database}"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        run_id = program.stdout.readline().strip()
        try:
            until(lambda: any(run_id in call.key for call in provider.calls()), 40)
            asked = time.monotonic()
            program.wait(1.5 + 1.0 + END_SECONDS)
        finally:
            program.kill()
    took = time.monotonic() - asked
    provider.plan(delay=0.0)
    assert resume(run_id, judges=None, database=database).ending.kind == "played"
    assert took < 1.5 + END_SECONDS
    assert max(call.nth for call in provider.calls() if run_id in call.key) <= 1


def in_a_child(question):
    return debate(question, model="improviser", judges=None, database="temporary").ending.kind


def test_a_child_that_was_spawned_holds_debates():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.apply_async(in_a_child, [MOTION]).get(60) == "played"


PROGRAMS = {
    "children forked after an import": """
import multiprocessing
from hustings import debate
def one(question):
    return debate(question, model="improviser", judges=None, database="temporary").ending.kind
with multiprocessing.get_context("fork").Pool(2) as pool:
    found = [pool.apply_async(one, [f"Is {n} enough?"]).get(40) for n in range(2)]
assert found == ["played"] * 2, found
""",
    "a child forked from one that holds debates": """
import multiprocessing
from hustings import HustingsError, debate
def one(question):
    try:
        return debate(question, model="improviser", judges=None, database="temporary").ending.kind
    except HustingsError as error:
        return error.fix
one("Is one enough?")
with multiprocessing.get_context("fork").Pool(1) as pool:
    found = pool.apply_async(one, ["Is two enough?"]).get(40)
assert "spawn" in found, found
assert one("Does the parent go on?") == "played"
""",
    "a log of the program itself": """
import logging
from hustings import debate
lines = []
class Kept(logging.Handler):
    def emit(self, record):
        lines.append((record.name, record.getMessage()))
logging.basicConfig(level="INFO", handlers=[Kept()])
held = debate("Tabs or spaces?", model="improviser", judges=None, database="temporary")
assert {name.partition(".")[0] for name, _ in lines} == {"hustings"}, lines
assert all(held.run_id in line for _, line in lines), lines
""",
    "an engine of the program itself, begun before": """
from dbos import DBOS
from hustings import debate
DBOS(config={"name": "host", "system_database_url": "sqlite:///host.db", "log_level": "ERROR"})
@DBOS.workflow()
def mine(x):
    return x + 1
DBOS.launch()
assert mine(1) == 2
assert debate("Tabs or spaces?", model="improviser", judges=None, database="temporary").ending.kind == "played"
assert mine(2) == 3
""",
    "an engine of the program itself, begun later": """
import sqlite3
from pathlib import Path
from hustings import Debate
held = Debate("Tabs or spaces?", model="improviser", judges=None, database=Path("debates.db"))
held.run()
from dbos import DBOS
@DBOS.workflow()
def mine(x):
    return x + 1
DBOS(config={"name": "host", "system_database_url": "sqlite:///host.db", "log_level": "ERROR"})
DBOS.launch()
assert mine(1) == 2
def rows(file):
    return sqlite3.connect(file).execute("select count(*) from workflow_status where name = 'mine'").fetchone()[0]
assert (rows("debates.db"), rows("host.db")) == (0, 1)
""",
}


@pytest.mark.parametrize("program", PROGRAMS)
def test_debates_do_not_disturb_the_program_around_them(program, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAMS[program]], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr


def test_the_address_of_a_key_is_the_one_that_the_debate_names(provider):
    held = Debate(MOTION, model=of(provider), judges=None, keys={"LLM_API_KEY": "k"})
    assert {spec.key for spec in held._spec.model_specs.values()} == {"LLM_API_KEY"}
