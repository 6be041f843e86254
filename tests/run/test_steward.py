"""What follows a debate is begun once, by whichever steward, whoever was killed on the way."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import sqlalchemy as sa

from hustings.core.errors import Unsuitable
from hustings.run.judging import JudgingWish, commission_control, commission_judging
from hustings.run.programme import PROGRAMME, Programme
from hustings.run.steward import Steward
from hustings.run.verdicts import judgement
from hustings.store.caps import Caps
from hustings.store.tables import RUN
from tests.run.house import HUMAN
from tests.run.steward_victim import POINTS

WISH = JudgingWish(judges=("improviser",), tier="quick")


def as_it_is(made):
    return made


def over(house, programme=None, **more):
    """A debate of a programme that was played; nobody has seen to what follows."""
    made = house.commission(**more)
    house.worker.start(made)
    house.ended(made.run_id)
    put(house, made.run_id, programme or Programme(WISH))
    return made.run_id


def put(house, run_id, programme):
    with house.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == run_id).values(follows="due", programme=programme.dump()))


def due(house, run_id):
    with house.database.reading() as db:
        return db.scalar(sa.select(RUN.c.follows).where(RUN.c.run_id == run_id))


def followers(house, run_id):
    return [report.protocol.partition("/")[0] for report in house.runs.audits(run_id)]


def settled(house, run_id):
    """Nothing of its programme is due any more, seen in one glance: between two an act may end and the next begin."""
    due = sa.select(RUN.c.run_id).where((RUN.c.run_id == run_id) | (RUN.c.judged == run_id), RUN.c.follows == "due")

    def so():
        with house.database.reading() as db:
            return db.scalars(due).first() is None

    return so


@pytest.fixture
def attended(house):
    with Steward(house.service, {}, as_it_is, grace=0.0):
        yield house


@pytest.fixture
def steward(house):
    """One that looks when it is told to."""
    return Steward(house.service, {}, as_it_is, grace=0.0)


def test_a_programme_is_the_same_when_it_is_read_again():
    programme = Programme(WISH.model_copy(update={"caps": Caps(money=5), "settings": {"orders": 2}}), control=True)
    assert PROGRAMME.validate_json(programme.dump()) == programme


@pytest.mark.parametrize(
    ("judges", "control", "made"),
    [
        ("auto", False, Programme(JudgingWish())),
        ("a/b, c/d", True, Programme(JudgingWish(judges=("a/b", "c/d")), control=True)),
        (["a/b"], False, Programme(JudgingWish(judges=("a/b",)))),
        ("none", True, Programme(None, control=True)),
        (None, False, Programme(None)),
    ],
)
def test_a_programme_is_made_of_who_judges(judges, control, made):
    assert Programme.of(judges, control=control) == made


def test_a_control_follows_no_debate_that_nobody_judges():
    assert [Programme.of(judges, control=True).scripts for judges in ("auto", "none")] == [("control", "judging"), ()]


def test_a_panel_that_cannot_be_seated_is_refused():
    with pytest.raises(Unsuitable, match=r"a panel like that cannot be had: .*at most 5"):
        Programme.of(["a/b"] * 6)


def test_a_debate_that_is_entered_with_a_programme_is_begun_and_judged_without_anybody(attended):
    made = attended.commission()
    put(attended, made.run_id, Programme(WISH, control=True))
    attended.until(settled(attended, made.run_id), 60)
    assert followers(attended, made.run_id) == ["control", "judging"]
    assert judgement(attended.runs, made.run_id).control is not None


def test_nothing_follows_a_debate_that_nobody_wants_judged(house, steward):
    run_id = over(house, Programme(None))
    steward.look()
    assert (due(house, run_id), followers(house, run_id)) == ("done", [])


def test_nothing_follows_a_debate_that_was_not_played_to_its_end(house, steward):
    made = house.commission(seats={"pro": HUMAN})
    put(house, made.run_id, Programme(WISH))
    house.control.steer(made.run_id, "cancel")
    house.worker.start(made)
    house.ended(made.run_id)
    steward.look()
    assert (due(house, made.run_id), followers(house, made.run_id)) == ("done", [])


def test_what_is_not_over_is_left_alone(house, steward):
    made = house.commission()
    put(house, made.run_id, Programme(WISH))
    steward.look()
    assert (due(house, made.run_id), followers(house, made.run_id)) == ("due", [])
    house.worker.start(made)
    house.ended(made.run_id)
    with house.database.writing() as db:
        db.execute(sa.update(RUN).where(RUN.c.run_id == made.run_id).values(follows=""))


def test_an_act_has_what_is_left_of_the_cap(house, steward):
    run_id = over(house, voice=house.voice(), caps=Caps(money=5_000_000, calls=100))
    steward.look()
    report, (audit,) = house.runs.read(run_id), house.runs.audits(run_id)
    left = house.runs.commission(audit.run_id).caps
    assert (left.money, left.calls) == (5_000_000 - round(report.spent * 1e6), 100 - report.calls)
    house.ended(audit.run_id)


def test_what_cannot_follow_is_said_and_not_tried_for_ever(house, steward):
    run_id = over(house, Programme(JudgingWish(judges=("nobody/at-all",))))
    steward.look()
    assert due(house, run_id) == "done"
    assert house.runs.read(run_id).reason.startswith("nothing follows it: ")


def test_a_programme_that_cannot_go_on_keeps_no_other_from_it(house):
    def refuse(made):
        if made.judged == first:
            raise Unsuitable("not this one")
        return made

    first, second = over(house), over(house)
    made = Steward(house.service, {}, refuse)
    made.look()
    assert (followers(house, first), followers(house, second)) == ([], ["judging"])
    house.until(lambda: house.runs.audits(second)[0].state == "ended")


def test_a_judging_that_somebody_asked_for_meanwhile_is_the_one_that_follows(house, steward):
    run_id = over(house)
    made = commission_judging(house.runs.commission(run_id), house.runs.finished(run_id), WISH, {})
    house.control.enter(made)
    steward.look()
    assert [report.run_id for report in house.runs.audits(run_id)] == [made.run_id]
    steward.search()
    house.ended(made.run_id)


def test_a_new_control_is_followed_by_a_new_judging(house, steward):
    run_id = over(house)
    steward.look()
    house.until(lambda: house.runs.audits(run_id)[0].ending == "played")
    old, again = house.runs.commission(run_id), Programme(WISH, control=True)
    made = commission_control(old, house.runs.finished(run_id), WISH, {}, 100)
    house.control.enter(made, programme=again)
    house.control.enqueue(made)
    house.ended(made.run_id)
    steward.look()
    assert followers(house, run_id) == ["judging", "control", "judging"]
    house.until(lambda: house.runs.audits(run_id)[2].ending == "played")


def test_an_act_is_of_the_owner_of_its_debate(house, steward):
    run_id = over(house, owner="ann")
    steward.look()
    assert [report.owner for report in house.runs.acting_for("ann").audits(run_id)] == ["ann"]
    house.until(lambda: house.runs.audits(run_id)[0].state == "ended")


def test_of_several_stewards_one_begins_what_follows(house):
    runs = [over(house) for _ in range(3)]
    with ThreadPoolExecutor(4) as pool:
        stewards = [Steward(house.service, {}, as_it_is) for _ in range(4)]
        list(pool.map(lambda each: each.look(), stewards))
    assert [followers(house, run_id) for run_id in runs] == [["judging"]] * 3
    house.until(lambda: all(house.runs.audits(run_id)[0].state == "ended" for run_id in runs))


@pytest.mark.timeout(180)
def test_killed_at_any_point_the_next_steward_goes_on_and_nothing_is_begun_twice(house, steward):
    runs = [over(house) for _ in POINTS]
    command = [sys.executable, "-m", "tests.run.steward_victim", house.url, *runs]
    subprocess.run(command, check=True, timeout=120)
    left = dict(zip(POINTS, [due(house, run_id) for run_id in runs], strict=True))
    steward.look()
    steward.search()
    house.until(lambda: all(report.ending for run_id in runs for report in house.runs.audits(run_id)), 60)
    steward.look()
    assert left == {"drawn up": "due", "settled": "due", "entered": "due", "committed": "done", "queued": "done"}
    assert [(due(house, run_id), followers(house, run_id)) for run_id in runs] == [("done", ["judging"])] * len(POINTS)
