"""What follows a debate is begun once, by whichever steward, whoever was killed on the way."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from uuid import uuid4

import pytest
import sqlalchemy as sa

from hustings.db import activity, leases
from hustings.db.caps import OVER, Caps
from hustings.db.tables import RUN
from hustings.engine import runner
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.what_follows import WhatFollows
from hustings.errors import Unsuitable
from hustings.runs.dossiers import judgement
from hustings.runs.follow_ups import FOLLOW_UPS, FollowUps
from hustings.runs.judging_spec import JudgingRequest, control_spec, judging_spec

from .killed_follow_up_worker import POINTS
from .rig import HUMAN

REQUEST = JudgingRequest(judges=("improviser",), tier="quick")


def as_it_is(made):
    return made


def over(rig, follow_ups=None, **more):
    """A debate of a programme that was played; nobody has seen to what follows."""
    made = rig.spec(**more)
    rig.worker.start(made.run_id)
    rig.ended(made.run_id)
    put(rig, made.run_id, follow_ups or FollowUps(REQUEST))
    return made.run_id


def put(rig, run_id, follow_ups):
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(follows="due", follow_ups=follow_ups.dump()))


def due(rig, run_id):
    with rig.database.reading() as db:
        return db.scalar(sa.select(RUN.c.follows).where(RUN.c.run_id == run_id))


def followers(rig, run_id):
    return [report.protocol.partition("/")[0] for report in rig.runs.audits(run_id)]


def settled(rig, run_id):
    """All of its programme is over, seen in one glance: between two an act may end and the next begin."""
    kin, going = (RUN.c.run_id == run_id) | (RUN.c.judged == run_id), RUN.c.state.not_in(OVER)
    due = sa.select(RUN.c.run_id).where(kin, going | (RUN.c.follows == "due"))

    def so():
        with rig.database.reading() as db:
            return db.scalars(due).first() is None

    return so


@pytest.fixture
def attended(rig):
    with FollowUpWorker(rig.service, {}, as_it_is, grace=0.0):
        yield rig


@pytest.fixture
def follow_up_worker(rig):
    """One that looks when it is told to."""
    return FollowUpWorker(rig.service, {}, as_it_is, grace=0.0)


def test_a_follow_ups_is_the_same_when_it_is_read_again():
    follow_ups = FollowUps(REQUEST.model_copy(update={"caps": Caps(money=5), "settings": {"orders": 2}}), control=True)
    assert FOLLOW_UPS.validate_json(follow_ups.dump()) == follow_ups


@pytest.mark.parametrize(
    ("judges", "control", "made"),
    [
        ("auto", False, FollowUps(JudgingRequest())),
        ("a/b, c/d", True, FollowUps(JudgingRequest(judges=("a/b", "c/d")), control=True)),
        (["a/b"], False, FollowUps(JudgingRequest(judges=("a/b",)))),
        ("none", True, FollowUps(None, control=True)),
        (None, False, FollowUps(None)),
    ],
)
def test_a_follow_ups_is_made_of_who_judges(judges, control, made):
    assert FollowUps.of(judges, control=control) == made


def test_a_control_follows_no_debate_that_nobody_judges():
    assert [FollowUps.of(judges, control=True).scripts for judges in ("auto", "none")] == [("control", "judging"), ()]


def test_a_panel_that_cannot_be_seated_is_refused():
    with pytest.raises(Unsuitable, match=r"these judging settings don't work: .*at most 5"):
        FollowUps.of(["a/b"] * 6)


def test_a_debate_that_is_entered_with_a_follow_ups_is_begun_and_judged_without_anybody(attended):
    made = attended.spec()
    put(attended, made.run_id, FollowUps(REQUEST, control=True))
    attended.until(settled(attended, made.run_id), 60)
    assert followers(attended, made.run_id) == ["control", "judging"]
    assert judgement(attended.runs, made.run_id).control is not None


def test_nothing_follows_a_debate_that_nobody_wants_judged(rig, follow_up_worker):
    run_id = over(rig, FollowUps(None))
    follow_up_worker.look()
    assert (due(rig, run_id), followers(rig, run_id)) == ("done", [])


def test_nothing_follows_a_debate_that_was_not_played_to_its_end(rig, follow_up_worker):
    made = rig.spec(seats={"pro": HUMAN})
    put(rig, made.run_id, FollowUps(REQUEST))
    rig.control.steer(made.run_id, "cancel")
    rig.worker.start(made.run_id)
    rig.ended(made.run_id)
    follow_up_worker.look()
    assert (due(rig, made.run_id), followers(rig, made.run_id)) == ("done", [])


def test_nothing_follows_a_debate_that_was_told_to_stop_while_it_made_its_last_calls(rig, follow_up_worker):
    run_id = over(rig)
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(control="cancel"))
    follow_up_worker.look()
    assert (due(rig, run_id), followers(rig, run_id)) == ("done", [])


def test_what_is_not_over_is_left_alone(rig, follow_up_worker):
    made = rig.spec()
    put(rig, made.run_id, FollowUps(REQUEST))
    follow_up_worker.look()
    assert (due(rig, made.run_id), followers(rig, made.run_id)) == ("due", [])
    rig.worker.start(made.run_id)
    rig.ended(made.run_id)
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(follows=""))


def test_an_act_has_what_is_left_of_the_cap(rig, follow_up_worker):
    run_id = over(rig, model_spec=rig.model_spec(), caps=Caps(money=5_000_000, calls=100))
    follow_up_worker.look()
    report, (audit,) = rig.runs.read(run_id), rig.runs.audits(run_id)
    left = rig.runs.spec(audit.run_id).caps
    assert (left.money, left.calls) == (5_000_000 - round(report.spent * 1e6), 100 - report.calls)
    rig.ended(audit.run_id)


def test_what_cannot_follow_is_said_and_not_tried_for_ever(rig, follow_up_worker):
    run_id = over(rig, FollowUps(JudgingRequest(judges=("nobody/at-all",))))
    follow_up_worker.look()
    assert due(rig, run_id) == "done"
    assert rig.runs.read(run_id).reason.startswith("nothing will follow it: ")


def test_a_follow_ups_that_cannot_go_on_keeps_no_other_from_it(rig):
    def refuse(made):
        if made.judged == first:
            raise Unsuitable("not this one")
        return made

    first, second = over(rig), over(rig)
    made = FollowUpWorker(rig.service, {}, refuse)
    made.look()
    assert (followers(rig, first), followers(rig, second)) == ([], ["judging"])
    rig.until(lambda: rig.runs.audits(second)[0].state == "ended")


def test_a_judging_that_somebody_asked_for_meanwhile_is_the_one_that_follows(rig, follow_up_worker):
    run_id = over(rig)
    made = judging_spec(rig.runs.spec(run_id), rig.runs.finished(run_id), REQUEST, {})
    rig.control.enter(made)
    follow_up_worker.look()
    assert [report.run_id for report in rig.runs.audits(run_id)] == [made.run_id]
    follow_up_worker.search()
    rig.ended(made.run_id)


def test_a_new_control_is_followed_by_a_new_judging(rig, follow_up_worker):
    run_id = over(rig)
    follow_up_worker.look()
    rig.until(lambda: rig.runs.audits(run_id)[0].ending == "played")
    old, again = rig.runs.spec(run_id), FollowUps(REQUEST, control=True)
    made = control_spec(old, rig.runs.finished(run_id), REQUEST, {}, 100)
    rig.control.enter(made, follow_ups=again)
    rig.ended(made.run_id)
    follow_up_worker.look()
    assert followers(rig, run_id) == ["judging", "control", "judging"]
    rig.until(lambda: rig.runs.audits(run_id)[2].ending == "played")


def test_an_act_is_of_the_owner_of_its_debate(rig, follow_up_worker):
    run_id = over(rig, owner="ann")
    follow_up_worker.look()
    assert [report.owner for report in rig.runs.acting_for("ann").audits(run_id)] == ["ann"]
    rig.until(lambda: rig.runs.audits(run_id)[0].state == "ended")


def test_of_several_stewards_one_begins_what_follows(rig):
    runs = [over(rig) for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        stewards = [FollowUpWorker(rig.service, {}, as_it_is) for _ in range(4)]
        list(pool.map(lambda each: each.look(), stewards))
    assert [followers(rig, run_id) for run_id in runs] == [["judging"]] * 3
    rig.until(lambda: all(rig.runs.audits(run_id)[0].state == "ended" for run_id in runs))


LEFT = {"drawn up": "due", "settled": "due", "entered": "due", "queued": "due", "committed": "done"}
"""By the point at which a steward is killed."""


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "points",
    [
        ("entered", "queued"),
        pytest.param(tuple(POINTS), marks=pytest.mark.nightly("a minute; two points are tried on every change")),
    ],
    ids=len,
)
def test_killed_at_any_point_the_next_follow_up_worker_goes_on_and_nothing_is_begun_twice(
    rig, follow_up_worker, points
):
    runs = {over(rig): point for point in points}
    killed = [part for run_id, point in runs.items() for part in (run_id, point)]
    command = [sys.executable, "-m", "tests.engine.killed_follow_up_worker", rig.url, *killed]
    subprocess.run(command, check=True, timeout=120)
    left = {point: due(rig, run_id) for run_id, point in runs.items()}
    follow_up_worker.look()
    follow_up_worker.search()
    rig.until(lambda: all(report.ending for run_id in runs for report in rig.runs.audits(run_id)), 60)
    follow_up_worker.look()
    assert left == {point: LEFT[point] for point in points}
    assert [(due(rig, run_id), followers(rig, run_id)) for run_id in runs] == [("done", ["judging"])] * len(points)


# -- what a command sees to by itself ------------------------------------------------------


def ended_here(rig, follower):
    """A debate that a command held itself and will have judged; its worker is known by this name."""
    made = rig.drawn()
    rig.control.enter_here(made, rig.worker.executor_id, follow_ups=FollowUps(REQUEST))
    with rig.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(follower=follower))
    rig.worker.start(made.run_id)
    rig.ended(made.run_id)
    return made


@pytest.fixture
def command(rig):
    """The name of a worker that lives."""
    name = f"command-{uuid4().hex}"
    leases.take(rig.database, name, 60)
    yield name
    leases.release(rig.database, name)


@pytest.mark.both_databases
def test_what_a_command_sees_to_is_left_to_it_as_long_as_it_lives(rig, follow_up_worker, command):
    run_id = ended_here(rig, command).run_id
    follow_up_worker.look()
    assert (due(rig, run_id), followers(rig, run_id)) == ("due", [])
    leases.release(rig.database, command)
    follow_up_worker.look()
    assert (due(rig, run_id), followers(rig, run_id)) == ("done", ["judging"])
    rig.ended(rig.runs.audits(run_id)[0].run_id)


def test_a_command_that_resumes_a_debate_sees_to_what_follows_unless_another_lives(rig, follow_up_worker, command):
    run_id = ended_here(rig, "dead").run_id
    rig.control.see_to_following(run_id, command)
    rig.control.see_to_following(run_id, "too-late")
    follow_up_worker.look()
    assert (due(rig, run_id), rig.runs.light_row(run_id)["follower"]) == ("due", command)
    assert [rig.control.enter_nothing_next(run_id) for _ in range(2)] == [True, False]
    assert (due(rig, run_id), followers(rig, run_id)) == ("done", [])


@pytest.mark.both_databases
def test_of_commands_and_stewards_at_the_same_moment_one_begins_what_follows(rig):
    debates = [ended_here(rig, "dead") for _ in range(4)]
    commands = [WhatFollows(rig.service, {}, as_it_is, rig.worker.executor_id) for _ in range(2)]
    stewards = [FollowUpWorker(rig.service, {}, as_it_is) for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        looks = [pool.submit(each.look) for each in stewards]
        found = [list(pool.map(lambda made, by=each: by.after(made, FollowUps(REQUEST)), debates)) for each in commands]
    assert [look.exception() for look in looks] == [None, None]
    assert [followers(rig, made.run_id) for made in debates] == [["judging"]] * 4
    begun = [rig.runs.audits(made.run_id)[0].run_id for made in debates]
    assert [[act.run_id for act in acts] for acts in found] == [begun] * 2
    for run_id in begun:
        runner.start(rig.service, rig.worker, rig.runs.spec(run_id))
        rig.ended(run_id)


def test_what_follows_a_command_that_was_told_to_pause_waits_until_it_is_resumed(rig, follow_up_worker, command):
    made = ended_here(rig, command)
    act = WhatFollows(rig.service, {}, as_it_is, command).after(made, FollowUps(REQUEST), paused=True)
    leases.release(rig.database, command)
    follow_up_worker.look()
    follow_up_worker.search()
    row = rig.runs.light_row(act.run_id)
    assert (due(rig, made.run_id), row["state"], row["control"]) == ("done", "waiting", "pause")
    rig.control.resume(act.run_id)
    rig.ended(act.run_id)


@pytest.mark.parametrize("paused", [False, True])
def test_a_run_that_is_begun_is_noted_once_and_one_that_waited_as_resumed(rig, paused):
    made = rig.drawn()
    rig.control.enter_here(made, rig.worker.executor_id, paused=paused)
    runner.start(rig.service, rig.worker, made)
    rig.ended(made.run_id)
    with rig.database.reading() as db:
        noted = [each.action for each in activity.latest(db, 9, subject=made.run_id)]
    assert noted[::-1] == ["debate started", *(["run resumed"] if paused else [])]
