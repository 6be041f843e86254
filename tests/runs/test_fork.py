import pytest

from hustings.db.caps import Caps
from hustings.engine.people import questions, speak
from hustings.errors import NotFound, Unsuitable
from hustings.runs.fork import first_wave, fork
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.spec import RunSpec
from hustings.transcript.notes import Played
from tests.engine.rig import HUMAN
from tests.script.stages import SPEAK, THINK, play, saying

from .panels import CHAT, at, judgement_in


@pytest.fixture
def old(rig):
    """A debate that is over, and was paid for."""
    return rig.play(rig.model_spec())


@pytest.fixture
def forked(rig):
    """Has a fork played to its end."""

    def play(run_id, **more):
        made = fork(rig.runs, run_id, **more)
        rig.control.enter_here(made)
        rig.worker.start(made.run_id)
        return rig.ended(made.run_id)

    return play


def waves(asked):
    return sorted(key[:3] for key in asked)


def test_a_fork_can_be_written_down_and_read_back(rig, old):
    made = fork(rig.runs, old.run_id)
    assert RunSpec.model_validate_json(made.model_dump_json()) == made


def test_a_fork_has_a_name_of_its_own_and_says_where_it_comes_from(rig, old):
    made = fork(rig.runs, old.run_id)
    assert (made.forked_from, made.run_id != old.run_id, made.run_id.startswith(old.run_id)) == (old.run_id, True, True)


def test_a_fork_from_a_turn_asks_nobody_about_what_came_before(old, forked):
    seen = forked(old.run_id, turn="r2.t0")
    assert (waves(seen.asked), seen.said[:2]) == (["001", "001", "002", "002"], old.said[:2])


def test_a_fork_from_the_first_turn_takes_over_nothing(old, forked):
    assert len(forked(old.run_id, turn="r1.t0").asked) == 6


def test_a_fork_of_everything_asks_nobody_and_costs_nothing(old, forked):
    seen = forked(old.run_id)
    assert (seen.asked, seen.said, seen.account.spent.money, seen.account.calls) == ([], old.said, 0, 0)


def test_a_fork_is_a_valid_debate(old, forked):
    seen = forked(old.run_id, turn="r3.t1")
    assert (seen.ending, seen.findings) == (Played(), [])


def test_what_a_fork_takes_over_is_not_logged_as_paid(old, forked):
    seen = forked(old.run_id, turn="r3.t0")
    assert [event.address[:3] for event in seen.of("call_paid")] == ["002", "002"]


def test_what_changed_settings_ask_differently_is_really_asked(old, forked):
    seen = forked(old.run_id, settings={"closing_words": 100})
    assert (waves(seen.asked), seen.said[:4]) == (["002", "002"], old.said[:4])


def test_a_fork_can_seat_other_model_specs_and_keep_what_was_said(rig, old, forked):
    model_spec = rig.model_spec(model="another")
    seen = forked(old.run_id, turn="r3.t0", model_specs={"pro": model_spec})
    models = [event.model for event in seen.of("call_paid") if event.address.startswith("002.0")]
    cast = rig.runs.spec(seen.run_id).debate.cast
    assert (len(seen.asked), len(models), cast["pro"].model) == (2, 1, model_spec.label)


def test_a_fork_can_have_a_caps_of_its_own(old, forked):
    seen = forked(old.run_id, turn="r2.t0", caps=Caps(calls=2))
    assert (seen.ending.kind, len(seen.asked)) == ("budget_stopped", 2)


def test_a_fork_of_a_fork_takes_over_from_both(old, forked):
    child = forked(old.run_id, turn="r2.t0")
    grandchild = forked(child.run_id, turn="r3.t0")
    assert (waves(grandchild.asked), grandchild.said[:4]) == (["002", "002"], child.said[:4])


def test_a_fork_of_a_fork_from_an_earlier_turn_takes_over_less(old, forked):
    child = forked(old.run_id, turn="r3.t0")
    assert len(forked(child.run_id, turn="r2.t0").asked) == 4


def test_a_fork_takes_over_what_a_person_said(rig, installed, forked):
    installed("chat", CHAT, module="chat_protocol")
    run_id = rig.start(protocol="chat", seats={"pro": HUMAN})
    for nth in (1, 2):
        rig.until(lambda nth=nth: len(rig.seen(run_id).of("human_awaited")) == nth)
        speak(rig.control, run_id, "pro", f"Said {nth}.")
    rig.ended(run_id)
    assert "Said 2." in forked(run_id).said


def test_in_a_fork_a_person_is_asked_anew_from_the_turn_on(rig, installed):
    installed("chat", CHAT, module="chat_protocol")
    run_id = rig.start(protocol="chat", seats={"pro": HUMAN})
    for nth in (1, 2):
        rig.until(lambda nth=nth: len(rig.seen(run_id).of("human_awaited")) == nth)
        speak(rig.control, run_id, "pro", f"Said {nth}.")
    rig.ended(run_id)
    made = fork(rig.runs, run_id, turn="r2.t0")
    rig.control.enter_here(made)
    rig.worker.start(made.run_id)
    rig.until(lambda: questions(rig.runs, made.run_id)[:1] and rig.seen(made.run_id).report.waves == 2)
    speak(rig.control, made.run_id, "pro", "Something else.")
    said = rig.ended(made.run_id).said
    assert ("Said 1." in said, "Said 2." in said, "Something else." in said) == (True, False, True)


def test_a_fork_asks_again_what_the_provider_had_rejected(rig, forked):
    rig.mishap = "status400"
    failed = rig.play(rig.model_spec())
    rig.mishap = ""
    assert forked(failed.run_id).ending == Played()


def test_a_turn_that_is_not_there_is_refused_with_those_there_are(rig, old):
    with pytest.raises(NotFound, match=r"choose from r1\.t0, r1\.t1"):
        fork(rig.runs, old.run_id, turn="r9.t9")


def test_words_of_the_script_are_forked_from_the_wave_that_led_to_them():
    async def script(stage, a, b, c):
        await stage.consult(a, THINK)
        await stage.consult(b, THINK)
        with stage.round("x"):
            stage.say(a, "So be it.")

    assert first_wave(play(script)[0].events, "r1.t0") == 1


def test_a_turn_that_was_sent_back_is_forked_from_its_first_attempt():
    async def script(stage, a, b, c):
        await stage.consult(a, THINK)
        with stage.round("x"):
            await stage.ask(a, SPEAK)

    driver, _, waves = play(script, saying("Hm.", "", "Yes."), retries=1)
    assert (len(waves), first_wave(driver.events, "r1.t0")) == (3, 1)


def test_settings_that_lay_another_table_are_refused(rig):
    old = rig.play(protocol="roundtable")
    with pytest.raises(Unsuitable, match="earlier turns can't be reused"):
        fork(rig.runs, old.run_id, settings={"seats": 5})


# -- judgings --------------------------------------------------------------------------------


@pytest.fixture
def judged(rig, old):
    """Has the debate judged, under caps."""

    def judge(**caps):
        request, environment = JudgingRequest(caps=Caps(**caps)), at(rig.provider.base_url, JUDGE="solo")
        made = judging_spec(rig.runs.spec(old.run_id), old.proceedings, request, environment)
        rig.control.enter_here(made)
        rig.worker.start(made.run_id)
        return rig.ended(made.run_id)

    return judge


def test_a_fork_of_a_judging_asks_nobody_again_and_comes_to_the_same(judged, forked):
    seen = judged()
    again = forked(seen.run_id)
    assert (again.asked, again.account.calls, judgement_in(again)) == ([], 0, judgement_in(seen))


@pytest.mark.nightly("three runs; another judging is forked on every change")
def test_a_fork_of_a_judging_asks_what_its_budget_did_not_allow(judged, forked):
    stopped = judged(calls=2)
    again = forked(stopped.run_id, caps=Caps())
    [judge] = judgement_in(again).panel
    assert (again.ending, len(again.asked), judge.accepted) == (Played(), judge.asked - 2, judge.asked)
