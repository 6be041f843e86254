"""Debates held from Python, on the real engine."""

import asyncio
import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

import hustings
from hustings import Debate, Result, Unfinished, adebate, aresume, debate, resume
from hustings.api import handle
from hustings.api.database_place import database_url
from hustings.api.shared_worker import SHARED_WORKERS
from hustings.db import leases
from hustings.engine.service import open_service
from hustings.errors import NotFound, Unreachable, Unsuitable
from hustings.script.background import Background
from tests.rig.waiting import until

MOTION = "Should towns close their centres to cars?"
PLAIN = {"model": "improviser", "judges": None}
"""Costs nothing, and control=True needs judges it."""


def of(provider, **fault):
    """A model of that provider, in every seat."""
    base = provider.always(**fault) if fault else provider.base_url
    return f"openai_compatible/m@{base}"


# -- where it may be called --------------------------------------------------------------


def test_a_debate_is_one_call():
    result = debate(MOTION, model="improviser")
    assert (result.ending.kind, result.motion, len(result.transcript.turns)) == ("played", MOTION, 6)
    assert result.judgement


def test_it_works_inside_a_running_loop():
    async def cell():
        return debate(MOTION, **PLAIN)

    assert asyncio.run(cell()).outcome.kind == "played"


def test_it_works_in_a_thread():
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(debate, MOTION, **PLAIN).result().outcome.kind == "played"


def test_two_at_once_share_the_engine():
    async def both():
        return await asyncio.gather(adebate("This one?", **PLAIN), adebate("That one?", **PLAIN))

    assert [result.motion for result in asyncio.run(both())] == ["This one?", "That one?"]


@pytest.mark.nightly("ten debates; two share the engine on every change")
def test_ten_in_a_row_share_the_engine():
    assert len({debate(MOTION, **PLAIN).run_id for _ in range(10)}) == 10
    assert [thread.name for thread in threading.enumerate()].count("hustings-heartbeat") == 1


def test_a_process_loads_only_what_it_needs_and_ends_by_itself(tmp_path):
    code = f"""
import sys
def loaded(*modules):
    print([module for module in modules if module in sys.modules])
import hustings
loaded("hustings.api", "hustings.runs", "dbos", "sqlalchemy", "prometheus_client")
made = hustings.Debate({MOTION!r}, model="improviser", judges=None)
loaded("dbos", "sqlalchemy", "pydantic_ai", "prometheus_client")
print(made.run().outcome.kind)
"""
    own = {**os.environ, "HUSTINGS_DATABASE": f"sqlite:///{tmp_path}/own.db"}
    done = subprocess.run([sys.executable, "-c", code], env=own, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("[]\n[]\nplayed\n", "", 0)


# -- what it takes -----------------------------------------------------------------------


def test_a_call_takes_what_a_debate_is_made_of():
    made = inspect.signature(Debate).parameters
    assert inspect.signature(debate).parameters == inspect.signature(adebate).parameters == made
    assert {p.kind.name for name, p in made.items() if name != "question"} == {"KEYWORD_ONLY"}


def test_a_side_is_all_its_seats():
    seats = Debate(MOTION, protocol="competition", model="improviser", con="human", judges=None)._spec.debate.cast
    assert {seat for seat, player in seats.items() if player.model == "human"} == {"con_1", "con_2", "con_3", "con_4"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"protocol": "structred"}, "did you mean 'structured'"),
        ({"seats": {"judge": "improviser"}}, "no seat judge"),
        ({"protocol": "roundtable", "pro": "improviser"}, "no seat pro in 'roundtable': choose from ada"),
        ({"settings": {"closing_wrds": 3}}, "closing_wrds"),
        ({"budget": -1}, "must be at least 0"),
        ({"judges": "human"}, "people can't be judges here"),
        ({"judges": ["improviser"] * 6}, "at most 5"),
        ({"judges": None, "control": True}, "control=True needs judges"),
        ({"model": "nonsense"}, "is not a model"),
        ({"language": "English!"}, "language"),
        ({"database": "mysql://somewhere"}, "unknown kind of database: 'mysql'"),
    ],
)
def test_what_cannot_be_is_said_before_anybody_is_asked(options, said):
    with pytest.raises((Unsuitable, NotFound), match=said):
        debate(MOTION, **{"model": "improviser", **options})


def test_a_cap_holds_for_judging_too():
    result = debate(MOTION, model="improviser", max_calls=7)
    assert (result.ending.kind, result.outcome.kind, result.calls) == ("played", "budget_stopped", 7)


# -- how it may end ----------------------------------------------------------------------


def test_a_debate_that_a_cap_stopped_is_a_result():
    result = debate(MOTION, model="improviser", max_calls=3)
    assert (result.outcome.kind, result.judgement) == ("budget_stopped", None)


def test_a_debate_that_failed_is_a_result(provider):
    result = debate(MOTION, model=f"openai_compatible/m@{provider.always('unknown_model')}")
    assert (result.outcome.kind, result.briefing) == ("failed", None)


def test_a_server_that_is_not_there_is_said_before_anything_is_on_record():
    held = Debate(MOTION, model="openai_compatible/m@http://127.0.0.1:9/v1", judges=None)
    with pytest.raises(Unreachable, match=r"no answer from 127\.0\.0\.1:9"):
        held.run()
    with pytest.raises(NotFound):
        Result.of(held.run_id)


def test_a_refused_key_is_said_and_the_run_can_go_on(provider):
    held = Debate(MOTION, model=f"openai_compatible/m@{provider.always('status401')}", judges=None)
    with pytest.raises(Unfinished, match="refused the key") as caught:
        held.run()
    assert caught.value.run_id == held.run_id
    held.cancel()
    assert held.run().outcome.kind == "cancelled"


def test_a_control_says_what_would_have_been_without_it():
    result = debate(MOTION, model="improviser", control=True)
    assert result.control
    assert result.control.said.startswith("Without debate")


# -- as it goes on -----------------------------------------------------------------------


def told(held):
    async def listen():
        return [event async for event in held.stream()]

    return asyncio.run(listen())


def test_a_stream_tells_the_debate_and_then_its_judging():
    kinds = [event.kind for event in told(Debate(MOTION, model="improviser"))]
    assert [kinds.count(kind) for kind in ("debate_started", "debate_ended", "turn_entered")] == [2, 2, 6]
    assert kinds.index("debate_ended") < kinds.index("debate_started", 1) < kinds.index("outcome_reached")


def test_words_come_between_their_question_and_their_turn():
    events = told(Debate(MOTION, **PLAIN))
    begun, entered = {}, 0
    for event in events:
        if event.kind == "turn_begun":
            begun[event.address] = event.seat
        if event.kind == "text_streamed":
            assert event.address in begun
        entered += event.kind == "turn_entered"
    assert [e.kind for e in events].count("text_streamed") == entered == 6


def test_a_second_stream_tells_it_from_the_beginning_for_nothing():
    held = Debate(MOTION, **PLAIN)
    first, again = told(held), told(held)
    assert [e for e in first if e.kind != "text_streamed"] == again


def test_what_is_awaited_is_the_result():
    async def wait():
        held = Debate(MOTION, **PLAIN)
        return await held, held

    result, held = asyncio.run(wait())
    assert result.run_id == held.run_id


def test_it_is_held_once_at_a_time(provider):
    provider.plan(delay=0.5)

    async def twice():
        held = Debate(MOTION, model=of(provider), judges=None)
        listening = held.stream()
        await anext(listening)
        with pytest.raises(Unsuitable, match="is running elsewhere"):
            await held
        held.cancel()
        return [event async for event in listening][-2].kind

    assert asyncio.run(twice()) == "debate_ended"
    provider.plan(delay=0.0)


# -- resting and going on ----------------------------------------------------------------


def test_a_paused_debate_goes_on_and_pays_nothing_twice(provider):
    provider.reset()
    provider.plan(delay=0.6)

    async def left():
        held = Debate(MOTION, model=of(provider), judges=None)
        async for event in held.stream():
            if event.kind == "turn_begun":
                held.pause()
        return held

    with pytest.raises(Unfinished, match=r"is paused: continue: hustings\.resume") as caught:
        asyncio.run(left())
    provider.plan(delay=0.0)
    assert resume(caught.value.run_id, judges=None).outcome.kind == "played"
    assert provider.ledger()["served_again"] == 0


def test_whoever_leaves_a_stream_pauses_it(provider):
    provider.reset()
    provider.plan(delay=0.3)

    async def leave():
        held = Debate(MOTION, model=of(provider), judges=None)
        async for event in held.stream():
            if event.kind == "turn_begun":
                break
        provider.plan(delay=0.0)
        return await held

    assert asyncio.run(leave()).outcome.kind == "played"
    assert provider.ledger()["served_again"] == 0


def test_a_cancelled_task_pauses_its_debate(provider):
    provider.plan(delay=0.5)
    held = Debate(MOTION, model=of(provider), judges=None)

    async def give_up():
        await asyncio.wait_for(held, timeout=1.0)

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    provider.plan(delay=0.0)
    assert asyncio.run(aresume(held.run_id, judges=None)).outcome.kind == "played"


def test_a_cancelled_debate_is_a_result_with_what_was_said(provider):
    provider.plan(delay=1.0)

    async def stop():
        held = Debate(MOTION, model=of(provider))
        async for event in held.stream():
            if event.kind == "turn_entered":
                held.cancel()
        return await held

    result = asyncio.run(stop())
    provider.plan(delay=0.0)
    assert (result.outcome.kind, result.judgement) == ("cancelled", None)
    assert result.transcript.turns


def test_ctrl_c_pauses_and_says_how_to_go_on(provider):
    provider.plan(delay=1.0)
    held = Debate(MOTION, model=of(provider), judges=None)
    threading.Timer(0.7, signal.raise_signal, [signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt, match=rf"paused\. Continue: hustings\.resume\('{held.run_id}'\)") as caught:
        held.run()
    assert caught.value.run_id == pickle.loads(pickle.dumps(caught.value)).run_id == held.run_id
    provider.plan(delay=0.0)
    assert resume(held.run_id, judges=None).outcome.kind == "played"


def test_a_debate_that_was_paused_before_it_began_waits_until_it_is_resumed(provider):
    held = Debate(MOTION, model=of(provider), judges=None)
    made = handle._handles[held.run_id] = handle.RunHandle(held._wanted, lambda _: None)
    made.pause()
    made.start()
    with pytest.raises(Unfinished):
        made.result.result(60)
    with open_service(held._url) as service:
        row = service.runs.light_row(held.run_id)
        assert (row["state"], row["control"], service.unqueued(grace=-1.0)) == ("waiting", "pause", 0)
    assert resume(held.run_id, judges=None).outcome.kind == "played"


def test_a_debate_whose_engine_was_let_go_goes_on_with_the_next(provider):
    provider.reset()
    provider.plan(delay=0.5)
    held = Debate(MOTION, model=of(provider), judges=None)

    async def begun():
        async for event in held.stream():
            if event.kind == "turn_begun":
                return

    asyncio.run(begun())
    SHARED_WORKERS.close()
    provider.plan(delay=0.0)
    assert resume(held.run_id, judges=None).outcome.kind == "played"


def test_going_on_with_what_is_over_gives_what_there_is():
    before = debate(MOTION, model="improviser")
    assert resume(before.run_id) == before


def test_going_on_judges_what_was_left_unjudged():
    before = debate(MOTION, **PLAIN)
    after = resume(before.run_id, judges="auto")
    assert (before.judgement, after.run_id) == (None, before.run_id)
    assert after.judgement


def test_going_on_judges_nothing_that_was_to_stay_unjudged():
    assert resume(debate(MOTION, **PLAIN).run_id).judgement is None


def test_a_person_speaks_for_a_seat():
    async def talk():
        held = Debate(MOTION, **PLAIN, protocol="roundtable", settings={"rounds": 1}, seats={"ada": "human"})
        async for event in held.stream():
            if event.kind == "human_awaited":
                await asyncio.to_thread(held.say, event.seat, "I walk, and I like it.")
        return await held

    assert "I walk, and I like it." in [turn.said for turn in asyncio.run(talk()).transcript.turns]


# -- places ------------------------------------------------------------------------------


def test_another_database_is_another_place(tmp_path):
    elsewhere = tmp_path / "elsewhere.db"
    result = debate(MOTION, **PLAIN, database=elsewhere)
    assert Result.of(result.run_id, database=f"sqlite:///{elsewhere}").run_id == result.run_id
    with pytest.raises(NotFound):
        Result.of(result.run_id)


def test_one_process_runs_debates_in_two_databases_at_a_time(tmp_path, provider):
    provider.plan(delay=0.5)

    async def both():
        here = asyncio.ensure_future(adebate(MOTION, model=of(provider), judges=None))
        await asyncio.sleep(0.5)
        there = await adebate(MOTION, **PLAIN, database=tmp_path / "other.db")
        unfinished = not here.done()
        provider.plan(delay=0.0)
        return unfinished, there, await here

    unfinished, *results = asyncio.run(both())
    assert (unfinished, [result.outcome.kind for result in results]) == (True, ["played", "played"])


def test_a_worker_that_was_taken_for_dead_is_replaced_and_the_program_lives():
    with SHARED_WORKERS.used(database_url(None)) as (worker, _):
        first = worker()
        leases.release(first.database, first.executor_id)
        until(lambda: worker() is not first, 20)
    assert debate(MOTION, **PLAIN).outcome.kind == "played"


def test_a_name_that_is_not_there_is_not_there():
    with pytest.raises(AttributeError, match="no attribute 'debates'"):
        _ = hustings.debates


def test_a_debate_may_come_with_a_document(tmp_path):
    (tmp_path / "plan.md").write_text("# Night buses\n\nThe last bus should leave at two.")
    result = debate(background=tmp_path / "plan.md", **PLAIN)
    assert result.motion == "Is “Night buses” sound?"
    assert (
        Debate("Is it so?", background="Buses, at night.", **PLAIN)._spec.debate.background.title == "Buses, at night."
    )
    named = Background(title="Plan", text="Buses.")
    assert Debate("Is it so?", background=named, **PLAIN)._spec.debate.background == named
    with pytest.raises(Unsuitable, match="the question is empty"):
        Debate(background=" ", **PLAIN)
