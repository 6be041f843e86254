import logging
import time

import pytest
import sqlalchemy as sa

from hustings.db.caps import Caps
from hustings.engine import model_call
from hustings.llm.model_spec import ModelSpec
from hustings.llm.prices import REASONING, room_for
from hustings.runs.staging import set_stage
from tests.rig.provider import FAULTS
from tests.rig.provider_exchange import digest_of

from .rig import IMPROVISER, KEY

SECRET = "sk-canary-6f1d0c9e8b7a"
ONCE = '''"""One word each."""
from hustings.protocol import Brief, Seat, Settings, Speech, Stage, or_none

async def play(stage: Stage[Settings]) -> None:
    with stage.round("only"):
        await stage.together(*(or_none(stage.ask(seat, SPEAK)) for seat in stage.seats))

SEATS = (Seat("pro"), Seat("con"))
RULES = "Both speak, once."
SPEAK = Brief("speech", Speech, "Speak.", words=20)
'''


@pytest.fixture
def once(installed):
    installed("once", ONCE, module="once_protocol")


def calls_of(rig):
    made = rig.spec()
    driver, _ = set_stage(made.debate, made.run_id, made.created_at, made.metadata, fence=made.fence)
    return driver.calls


# -- room ------------------------------------------------------------------------------------


def test_an_answer_has_room_for_its_words_its_form_and_thoughts(rig):
    call = calls_of(rig)[0]
    assert room_for(call, ModelSpec()) == 3 * (call.brief.words or 300) + 2 * REASONING


def test_no_answer_has_more_room_than_its_model_spec_allows(rig):
    assert room_for(calls_of(rig)[0], ModelSpec(max_tokens=50)) == 50


# -- tries -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("fault", "tries"), [("garbled", 3), ("empty", 2)])
def test_a_fault_that_stays_is_tried_so_often_and_no_more(rig, once, fault, tries):
    model_spec = rig.model_spec("json_malformed" if fault == "garbled" else fault)
    seen = rig.play(model_spec, protocol="once", seats={"con": IMPROVISER})
    assert (len(seen.asked), [row.kind for row in seen.rows if row.key.startswith("000.0 ")]) == (tries, [fault])


@pytest.mark.parametrize("fault", ["refusal", "content_filter"])
def test_an_answer_that_the_model_declines_is_not_asked_again(rig, once, fault):
    assert len(rig.play(rig.model_spec(fault), protocol="once").asked) == 2


def test_a_form_that_was_cut_short_is_asked_again_with_twice_the_room(rig):
    rig.provider.plan(rate=1.0, faults=["finish_length"], patience=1)
    seen = rig.play(rig.model_spec())
    rooms = {body.get("max_tokens") or body["max_completion_tokens"] for body in rig.provider.bodies()}
    small = {room for room in rooms if 2 * room in rooms}
    assert (len(seen.asked), seen.of("attempt_rejected")) == (12, [])
    assert rooms == small | {2 * room for room in small}


def test_a_speech_that_was_cut_short_is_not_asked_again(rig, once):
    assert len(rig.play(rig.model_spec("finish_length"), protocol="once").asked) == 2


def test_tries_that_were_not_billed_are_no_calls_of_the_budget(rig, once):
    rig.provider.plan(rate=1.0, faults=["status429_now"], patience=1)
    seen = rig.play(rig.model_spec(model="soon"), protocol="once", caps=Caps(calls=2))
    assert (seen.ending.kind, len(seen.asked), seen.account.calls) == ("played", 4, 2)


@pytest.mark.parametrize("fault", ["hang", "status503"])
def test_the_ledger_tells_of_a_try_that_was_lost_while_the_next_one_goes_on(rig, once, fault):
    """Billed or not: a page that is opened meanwhile says which try it is."""
    run_id = rig.start(rig.model_spec(fault, timeout=0.5), protocol="once", seats={"con": IMPROVISER})
    found = []
    rig.until(lambda: found or found.extend(call for call in rig.runs.calls_of_wave(run_id) if call.tries) or found)
    call = found[0]
    assert call.attempt == 2
    assert call.tries[0].ended == ("timed_out" if fault == "hang" else "overloaded")
    rig.control.steer(run_id, "cancel")


def test_a_debate_that_outgrew_its_model_says_so(rig, once):
    seen = rig.play(rig.model_spec("ctx_exceeded"), protocol="once")
    assert [row.kind for row in seen.rows] == ["too_long"] * 2


def test_every_request_bears_the_name_of_its_call(rig, once):
    seen = rig.play(rig.model_spec(), protocol="once")
    assert sorted(seen.asked) == sorted(row.key for row in seen.rows)


def test_no_sdk_asks_again_behind_our_back(rig, once):
    rig.play(rig.model_spec("json_malformed"), protocol="once", seats={"con": IMPROVISER})
    assert {call.sdk_retry for call in rig.provider.calls()} <= {None, "0"}


def test_a_wait_that_is_too_long_for_a_step_holds_nothing_meanwhile(rig, once, monkeypatch):
    monkeypatch.setattr(model_call, "LONGEST_WAIT", 0.2)
    run_id = rig.start(rig.model_spec("status429_long"), protocol="once")
    rig.until(lambda: [row.state for row in rig.seen(run_id).rows] == ["waiting"] * 2)
    assert rig.seen(run_id).account.held.money == 0
    rig.control.steer(run_id, "cancel")


# -- the key ---------------------------------------------------------------------------------


class Everything(logging.Handler):
    """Every log record of the process, at every level, as text."""

    def __init__(self):
        super().__init__(logging.NOTSET)
        self.lines = []

    def emit(self, record):
        self.lines.append(f"{record.name} {record.getMessage()} {record.__dict__!r}")


@pytest.fixture
def logs():
    root, handler = logging.getLogger(), Everything()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield handler
    root.removeHandler(handler)
    root.setLevel(level)


def dump(database):
    """Every value of every table, ours and the engine's."""
    inspector = sa.inspect(database.engine)
    schemas = ["public", "dbos"] if database.dialect == "postgresql" else [None]
    with database.reading() as db:
        for schema in schemas:
            for name in inspector.get_table_names(schema=schema):
                table = f'"{schema}"."{name}"' if schema else f'"{name}"'
                for row in db.execute(sa.text(f"select * from {table}")):
                    yield f"{name} {tuple(row)!r}"


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    ("faults", "lines"),
    [
        (("ok", "status400", "status401"), 50),
        pytest.param(tuple(FAULTS), 500, marks=pytest.mark.nightly("every fault, for twenty seconds")),
    ],
    ids=["some", "all"],
)
def test_a_key_is_nowhere_whatever_the_provider_does(rig, once, logs, capfd, faults, lines):
    def own_calls():
        """Debates of tests before this one may still try."""
        return [call for call in rig.provider.calls() if call.key.partition("/")[0] in runs]

    rig.environment[KEY] = SECRET
    made = {f: rig.spec(rig.model_spec(f, key=KEY), "once", seconds_per_call=3) for f in sorted(faults)}
    rig.control.enqueue(*(each.run_id for each in made.values()))
    runs = [each.run_id for each in made.values()]
    rig.until(lambda: {call.fault for call in own_calls()} == set(faults), 60)
    settle(rig, runs, 8)
    told = [*dump(rig.database), *logs.lines, *capfd.readouterr()]
    told += [event.model_dump_json() for run in runs for event in rig.runs.events(run)]
    found = [line[:200] for line in told if SECRET in line]
    sent = {call.auth_digest for call in own_calls()}
    assert (found, sent, len(told) > lines) == ([], {digest_of(f"Bearer {SECRET}")}, True)


def settle(rig, runs, seconds):
    """Give debates some time to come to an end; many will not, since their provider never gets well."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and any(rig.runs.read(run).state in {"running", "waiting"} for run in runs):
        time.sleep(0.2)


# -- what is kept of it ----------------------------------------------------------------------


def test_a_turn_names_the_settings_that_were_sent(rig, once):
    model_spec = rig.model_spec(temperature=0.3, max_tokens=400)
    seen = rig.play(model_spec, protocol="once", seats={"con": IMPROVISER}, seed=5)
    sent = {turn.speaker_id: turn.metadata for turn in seen.proceedings.transcript.turns}
    assert (sent["pro"].temperature, sent["pro"].max_tokens) == (0.3, min(400, sent["pro"].max_tokens))
    assert (sent["con"].temperature, sent["con"].max_tokens, sent["con"].seed) == (None, None, None)


@pytest.mark.parametrize(("keep", "kept"), [(True, "First I weigh it."), (False, None)])
def test_thoughts_are_kept_only_if_that_was_asked_for(rig, once, keep, kept):
    seen = rig.play(rig.model_spec("thinking"), protocol="once", keep_reasoning=keep)
    attempts = [turn.attempts[-1] for turn in seen.proceedings.transcript.turns]
    assert [attempt.reasoning_trace for attempt in attempts] == [kept, kept]
    assert all("weigh" not in attempt.content for attempt in attempts)
