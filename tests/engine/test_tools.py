"""Tools of a run: called for its seats by what the run agreed on, paid for once, and never called again in a replay."""

import os
import time
from pathlib import Path

import pytest

from hustings.db.caps import Caps
from hustings.llm.egress import PUBLIC_OR_LOOPBACK
from hustings.llm.tool_server import uses_of
from hustings.runs.fork import fork
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.tool_offers import ToolOffer, with_offers
from hustings.script.citing import citations_of
from hustings.script.documents import fetched_texts, listed_in
from hustings.script.tools import ToolTerms
from tests.rig.tool_server import tool_server

from .rig import IMPROVISER

pytestmark = pytest.mark.timeout(180)


@pytest.fixture(scope="module")
def use():
    return uses_of(tool_server(), PUBLIC_OR_LOOPBACK, 60)[0]


def drawn(rig, use, server, *, protocol="roundtable", seconds=30.0, price=0.0, seats=(), **more):
    rig.tools["web"] = server
    terms = {"calls": 1, "characters": 400} | more.pop("terms", {})
    offer = ToolOffer(
        terms=ToolTerms(name="web", about="Finds facts about shops", uses=(use,), seats=(), **terms),
        seconds=seconds,
        price=price,
    )
    return with_offers(rig.drawn(IMPROVISER, protocol, **more), [(offer, seats)])


def played(rig, made, seconds=120):
    rig.control.enter_here(made)
    rig.worker.start(made.run_id)
    return rig.ended(made.run_id, seconds)


def lines(file):
    return file.read_text(encoding="utf-8").splitlines() if file.exists() else []


def brought(seen):
    return [note.body for note in seen.proceedings.notes if note.by == "tool_web"]


def test_speakers_cite_what_a_tool_brought_and_the_quotes_are_checked(rig, use, tmp_path):
    seen = played(rig, drawn(rig, use, tool_server("honest", tmp_path / "calls")))
    notes = seen.proceedings.notes
    assert (seen.ending.kind, seen.findings) == ("played", [])
    assert all("Of 900 shops 210 lost customers" in body["text"] for body in brought(seen))
    cited = [one for some in citations_of(notes).values() for one in some]
    assert {(one.accepted, one.fetched) for one in cited} == {(True, True)}
    assert "verified (fetched, not vouched for)" in cited[0].mark
    sides = len(seen.proceedings.transcript.participants) - 1
    assert len(lines(tmp_path / "calls")) == sides == len(listed_in(notes))
    assert rig.runs.document_texts(seen.run_id) == fetched_texts(notes)
    assert [one.id for one in rig.runs.documents(seen.run_id)] == sorted(fetched_texts(notes))


def test_a_replay_needs_no_server_and_tells_the_same(rig, use, tmp_path):
    first = played(rig, drawn(rig, use, tool_server("honest", tmp_path / "calls"), price=0.01, caps=Caps(money=10**6)))
    called = lines(tmp_path / "calls")
    rig.tools["web"] = tool_server("no such mode", tmp_path / "calls", allow=())
    again = played(rig, fork(rig.runs, first.run_id))
    assert [note.body for note in again.proceedings.notes] == [note.body for note in first.proceedings.notes]
    assert again.said == first.said
    assert (lines(tmp_path / "calls"), again.account.spent.money) == (called, 0)
    assert first.account.spent.money == 10_000 * len(called)


def test_a_call_has_its_price_and_the_cap_in_money_holds(rig, use, tmp_path):
    made = drawn(rig, use, tool_server("honest", tmp_path / "calls"), price=0.01, caps=Caps(money=15_000))
    seen = played(rig, made)
    assert seen.ending.kind == "budget_stopped"
    assert (seen.account.spent.money, len(lines(tmp_path / "calls"))) == (10_000, 1)


def test_seats_that_may_not_use_a_tool_are_not_asked(rig, use, tmp_path):
    made = drawn(rig, use, tool_server("honest", tmp_path / "calls"), protocol="structured", seats=("con",))
    seen = played(rig, made)
    asked = {event.seat for event in seen.of("turn_begun") if event.brief.startswith("look-up")}
    assert (asked, len(lines(tmp_path / "calls"))) == ({"con"}, 1)


def test_nothing_off_the_list_is_called_whatever_the_run_says(rig, use, tmp_path):
    wipe = uses_of(tool_server(allow=("wipe",)), PUBLIC_OR_LOOPBACK, 60)[0]
    seen = played(rig, drawn(rig, wipe, tool_server("honest", tmp_path / "calls"), protocol="structured"))
    assert {body["nothing_came_back"] for body in brought(seen)} == {"it is not on the list of what may be called"}
    assert (seen.ending.kind, lines(tmp_path / "calls")) == ("played", [])


FAULTS = {
    "dies": "its server could not be started or reached, or ended too early",
    "garbage": "its answer could not be read",
    "endless": "its answer could not be read",
    "error": "it reported an error",
    "empty": "its result has no text",
    "silent": "no answer came in time",
    "hangs": "no answer came in time",
}


SLOW = pytest.mark.nightly(
    "a server is waited for or started several times; one that dies or fails is tried on every change"
)


@pytest.mark.parametrize("mode", [pytest.param(m, marks=() if m in {"dies", "error"} else SLOW) for m in FAULTS])
def test_the_debate_goes_on_without_a_tool_that_fails(rig, use, mode, tmp_path):
    seconds = 4.0 if mode in {"silent", "hangs"} else 30.0
    made = drawn(
        rig, use, tool_server(mode, tmp_path / "calls"), protocol="structured", seats=("pro",), seconds=seconds
    )
    seen = played(rig, made)
    assert (seen.ending.kind, len(seen.said), seen.findings) == ("played", 6, [])
    assert [body["nothing_came_back"] for body in brought(seen)] == [FAULTS[mode]]
    assert listed_in(seen.proceedings.notes) == ()


@SLOW
def test_a_tool_that_is_no_longer_offered_is_not_called(rig, use, tmp_path):
    calls = tmp_path / "calls"
    made = drawn(rig, use, tool_server("changed", calls), protocol="structured", seats=("pro",), terms={"calls": 2})
    seen = played(rig, made)
    assert [bool(body["text"]) for body in brought(seen)] == [True, False]
    assert brought(seen)[1]["nothing_came_back"] == "its server no longer offers it as it was agreed"
    assert len(lines(calls)) == 1


@SLOW
def test_a_server_that_asks_back_gets_no_answer(rig, tmp_path):
    asking = tool_server("package", tmp_path / "calls", allow=("asks",))
    made = drawn(rig, uses_of(asking, PUBLIC_OR_LOOPBACK, 60)[0], asking, protocol="structured", seats=("pro",))
    seen = played(rig, made)
    assert (seen.ending.kind, [body["text"] for body in brought(seen)]) == ("played", [""])


@SLOW
def test_a_long_result_is_cut_to_its_limit(rig, use):
    seen = played(rig, drawn(rig, use, tool_server("huge"), protocol="structured", seats=("pro",)))
    assert [(len(body["text"]) <= 400, body["text"][-3:]) for body in brought(seen)] == [(True, "[…]")]


def test_a_server_that_will_not_end_is_ended_with_all_that_it_started(rig, use, tmp_path):
    calls = tmp_path / "calls"
    made = drawn(rig, use, tool_server("stubborn", calls), protocol="structured", seats=("pro",), seconds=4.0)
    assert played(rig, made).ending.kind == "played"
    children = [int(line.split()[1]) for line in lines(calls) if line.startswith("child")]
    assert children
    until = time.monotonic() + 10
    while any(map(alive, children)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(map(alive, children))


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0] != "Z"


def test_without_its_tool_a_worker_waits_for_its_user(rig, use):
    made = drawn(rig, use, tool_server(), protocol="structured", seats=("pro",))
    rig.tools.clear()
    rig.control.enter_here(made)
    rig.worker.start(made.run_id)
    rig.until(lambda: rig.runs.read(made.run_id).state == "paused")
    assert "no tool 'web'" in rig.runs.read(made.run_id).reason
    rig.control.steer(made.run_id, "cancel")


def test_judges_see_what_was_fetched_and_have_no_tools(rig, use):
    debate = played(rig, drawn(rig, use, tool_server())).run_id
    old, judged = rig.runs.whole_spec(debate), rig.runs.finished(debate)
    audit = judging_spec(old, judged, JudgingRequest(), {})
    seen = played(rig, audit)
    assert seen.ending.kind == "played"
    assert not any(one.role == "tool" for one in seen.proceedings.transcript.participants)
