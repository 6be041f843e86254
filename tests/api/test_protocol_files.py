"""A protocol in a file of one's own, from a program."""

import asyncio

import pytest

from hustings import Debate, Result, Unfinished, debate, resume
from hustings.errors import NotFound, Unsuitable
from tests.rig.protocol_file import DUEL, own_file

MOTION = "Should towns close their centres to cars?"


@pytest.fixture
def file(tmp_path):
    return own_file(tmp_path)


def begun(provider, file):
    """A debate that was paused while its first speaker was asked."""
    provider.reset()
    provider.plan(delay=2.0, rate=0.0, patience=100)
    held = Debate(MOTION, model=f"openai_compatible/m@{provider.base_url}", judges=None, protocol=file.path)

    async def leave():
        async for event in held.stream():
            if event.kind == "turn_begun":
                held.pause()

    with pytest.raises(Unfinished):
        asyncio.run(leave())
    provider.plan(delay=0.0)
    return held.run_id


@pytest.mark.parametrize("kind", ["words", "path"])
def test_it_is_named_in_words_or_as_a_path(file, monkeypatch, kind):
    monkeypatch.chdir(file.path.parent)
    protocol = "./duel.py" if kind == "words" else file.path
    result = debate(MOTION, model="improviser", judges=None, protocol=protocol)
    assert (result.outcome.kind, len(result.transcript.turns)) == ("played", 4)
    assert result.transcript.run_metadata.protocol.startswith("duel/1+")


def test_it_is_judged(file):
    result = debate(MOTION, model="improviser", judges="improviser", protocol=file.path)
    assert result.judgement is not None


def test_a_debate_that_was_paused_goes_on_under_it(provider, file):
    run_id = begun(provider, file)
    assert resume(run_id).outcome.kind == "played"
    assert provider.ledger()["served_again"] == 0


def test_with_a_changed_file_it_does_not_go_on_and_with_the_old_one_it_does(provider, file):
    run_id = begun(provider, file)
    file.write(DUEL.replace("two points", "three points"))
    with pytest.raises(Unfinished, match="changed since this debate began: put the old version back"):
        resume(run_id)
    file.write()
    assert resume(run_id).outcome.kind == "played"


def test_a_debate_of_before_is_estimated_under_it(provider, file):
    held = Debate.of(begun(provider, file))
    assert held.estimate().expected.calls == 4
    resume(held.run_id)


def test_a_result_is_read_without_running_it(file):
    run_id = debate(MOTION, model="improviser", judges=None, protocol=file.path).run_id
    file.path.unlink()
    assert Result.of(run_id).outcome.kind == "played"


def test_a_name_with_a_path_is_no_protocol(file):
    with pytest.raises(NotFound, match="no protocol"):
        Debate(MOTION, model="improviser", protocol=str(file.path.with_suffix("")))


def test_a_file_of_another_kind_is_refused(tmp_path):
    (tmp_path / "duel.txt").write_text(DUEL)
    with pytest.raises(Unsuitable, match="can't name a protocol"):
        Debate(MOTION, model="improviser", protocol=tmp_path / "duel.txt")
