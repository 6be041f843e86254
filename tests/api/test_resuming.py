"""`resume` and `Debate.of` finish what a debate was begun with: its judges and its control."""

import asyncio

import pytest

from hustings import Debate, Unfinished, debate, resume
from hustings.api.database_place import database_url
from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from hustings.errors import Unsuitable
from hustings.lab import evaluate, evaluation_of

MOTION = "Should towns close their centres to cars?"


@pytest.fixture
def model(provider):
    """A model that answers at once."""
    provider.reset()
    provider.plan(delay=0.0, rate=0.0, patience=100, faults=["status401"])
    return f"openai_compatible/m@{provider.base_url}"


def paused_at(held, kind):
    """Hold a debate, and pause it at the first event of a kind."""

    async def leave():
        async for event in held.stream():
            if event.kind == kind:
                held.pause()

    with pytest.raises(Unfinished):
        asyncio.run(leave())
    return held.run_id


def begun(provider, model, **asked):
    """A debate that was paused while its first speaker was asked."""
    provider.plan(delay=2.0)  # a loop that gets no turn for a while must still pause the debate itself
    run_id = paused_at(Debate(MOTION, model=model, **asked), "turn_begun")
    provider.plan(delay=0.0)
    return run_id


def panel(result):
    return [judge.model for judge in result.judgement.panel]


def test_a_debate_is_resumed_with_the_judges_and_the_control_it_was_begun_with(provider, model):
    run_id = begun(provider, model, judges=["improviser"], control=True)
    result = resume(run_id)
    assert (panel(result), result.judgement.control is not None) == (["improviser"], True)
    assert provider.ledger()["served_again"] == 0


def test_an_evaluation_that_waits_goes_on_with_its_debate(provider, model):
    held = Debate(MOTION, model="improviser", judges=None, protocol="roundtable", settings={"seats": 2, "rounds": 1})
    held.run()
    provider.plan(rate=1.0)
    with pytest.raises(Unfinished):
        evaluate(held.run_id, [model], parts=["crit"])
    provider.plan(rate=0.0)
    result = Debate.of(held.run_id).run()
    assert (result.judgement, evaluation_of(held.run_id) is None) == (None, False)


def test_a_debate_that_is_paused_as_it_ends_is_judged_only_when_it_is_resumed(model):
    run_id = paused_at(Debate(MOTION, model=model, judges=["improviser"]), "debate_ended")
    with open_service(database_url(None)) as service:
        FollowUpWorker(service, {}, lambda made: made, grace=0.0).search()
        [judging] = service.runs.audits(run_id)
        assert judging.state in {"waiting", "paused"}
        assert service.runs.light_row(judging.run_id)["control"] == "pause"
    assert panel(resume(run_id)) == ["improviser"]


def test_judges_that_are_named_when_it_is_resumed_replace_those_before(provider, model):
    run_id = begun(provider, model, judges="auto", control=True)
    result = resume(run_id, judges=["improviser"])
    assert (panel(result), result.judgement.control is not None) == (["improviser"], True)


def test_no_judges_are_none_now_and_later(provider, model):
    run_id = begun(provider, model, control=True)
    assert [resume(run_id, judges=None).judgement, resume(run_id).judgement] == [None, None]


def test_a_control_without_judges_is_refused_when_it_is_resumed():
    held = debate(MOTION, model="improviser", judges=None)
    with pytest.raises(Unsuitable, match="control=True needs judges"):
        resume(held.run_id, control=True)


def test_nothing_follows_a_debate_that_is_cancelled_as_it_ends(model):
    held = Debate(MOTION, model=model, judges=["improviser"])

    async def cancel():
        async for event in held.stream():
            if event.kind == "debate_ended":
                held.cancel()

    asyncio.run(cancel())
    resume(held.run_id)
    with open_service(database_url(None)) as service:
        assert not [each for each in service.runs.audits(held.run_id) if each.ending == "played"]
