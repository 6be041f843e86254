"""Own brain: the caller plays the seats, and the debate, its record and its verdict are as good as any other."""

import re

import pytest

from hustings.config.plan_run import plan_run
from hustings.engine import hosting
from hustings.engine.hosted_run import HostedRun
from hustings.engine.people import QuestionClosed, short_key
from hustings.errors import NotFound, Unsuitable
from hustings.llm.improviser import Improviser
from hustings.llm.model_spec import family, parse_model_spec
from hustings.runs.dossiers import dossier, judgement
from hustings.runs.request import DebateRequest
from hustings.transcript.rules import check_document

from .rig import TOPIC

BRAIN = "claude-opus-4"


def started(rig, protocol="structured", brain=BRAIN, **more):
    return entered(rig.service, DebateRequest(protocol=protocol, question=TOPIC, **more), brain)


def entered(service, request, brain, environment=None, owner="local"):
    plan = plan_run(request, environment or {}, external=brain or "", check_servers=False, owner=owner)
    return hosting.enter(service, plan.spec)


def played(rig, run_id):
    """Play a run to its end; what its last wave says."""
    hosting.enter_own_judging(rig.service, run_id)
    with HostedRun(rig.runs, run_id) as run:
        while questions := run.questions:
            for call in questions:
                hosting.answer_in(run, short_key(call.key), Improviser().words(call))
            run.go_on()
        return hosting.wave_of(run)


def judged(rig, run_id):
    judging = re.search(r"hustings next (\S+)$", played(rig, run_id).next)[1]
    return played(rig, judging)


def first(rig, run_id):
    return hosting.next_wave(rig.service, run_id).questions[0]


@pytest.mark.parametrize("protocol", ["adaptive", "critique", "moderated", "roundtable", "structured"])
def test_a_protocol_is_played_and_judged_by_its_host(rig, protocol):
    run_id = started(rig, protocol)
    wave = judged(rig, run_id)
    assert (wave.state, wave.next) == ("ended", f"It is judged. Read it: hustings show {run_id} --briefing")
    assert [found for found in check_document(rig.runs.finished(run_id).document()) if found.severity == "error"] == []


@pytest.mark.nightly("seconds for a competition; every other protocol is played on every change")
def test_a_competition_is_played_and_judged_by_its_host(rig):
    run_id = started(rig, "competition")
    assert judged(rig, run_id).state == "ended"
    assert [found for found in check_document(rig.runs.finished(run_id).document()) if found.severity == "error"] == []


def test_the_record_says_that_it_was_hosted_and_by_which_model(rig):
    run_id = started(rig)
    played(rig, run_id)
    transcript = rig.runs.finished(run_id).transcript
    assert transcript.run_metadata.generation_mode == "hosted"
    assert {seat.model_name for seat in transcript.participants} == {"host/claude-opus-4"}


@pytest.mark.parametrize(("label", "of"), [("host", "host"), ("host/claude-opus-4", "host"), ("host/x/gpt-5", "host")])
def test_a_host_is_one_mind_whatever_model_it_declares(label, of):
    model_spec = parse_model_spec(label)
    assert (model_spec.label, family(model_spec)) == (label, of)


def test_a_verdict_always_says_that_one_mind_played_every_seat(rig):
    run_id = started(rig)
    judged(rig, run_id)
    limit = "One mind (host/claude-opus-4) played every seat, and may have known what a seat should not know"
    assert limit in judgement(rig.runs, run_id).degraded


def test_a_verdict_names_the_seats_that_one_mind_played_if_others_had_models(rig):
    run_id = started(rig, seats={"con": "improviser"})
    judged(rig, run_id)
    found = [limit for limit in judgement(rig.runs, run_id).degraded if limit.startswith("One mind")]
    assert found == [
        "One mind (host/claude-opus-4) played pro and judge_1, and may have known what a seat should not know"
    ]


def test_what_a_host_used_is_unknown_and_never_nothing(rig):
    run_id = started(rig)
    judged(rig, run_id)
    assert dossier(rig.runs, run_id).cost == "Unknown: the host does not report what it used"
    assert {event.price for event in rig.runs.events(run_id) if event.kind == "call_paid"} == {None}


def test_prompts_are_whole_and_the_next_command_is_named(rig):
    run_id = started(rig)
    wave = hosting.next_wave(rig.service, run_id)
    assert all(TOPIC in question.prompt and question.form_schema for question in wave.questions)
    assert wave.next == (
        f"2 questions are open in {run_id}: pro, con. Answer each: hustings answer {run_id} KEY --file FILE"
    )


def test_an_answer_that_is_sent_back_counts_as_an_attempt_in_the_record(rig):
    run_id = started(rig)
    question = first(rig, run_id)
    done = hosting.answer(rig.service, run_id, question.key, "This is no JSON.")
    assert (done.taken, done.left, question.attempts) == (False, 1, 3)
    assert "That was attempt 1 of 3." in done.told
    other = first(rig, run_id)
    hosting.answer(rig.service, run_id, other.key, "Neither is this.")
    assert [again.attempt for again in hosting.next_wave(rig.service, run_id).questions] == [2, 2]
    played(rig, run_id)
    turn = rig.runs.finished(run_id).transcript.turns[0]
    assert [attempt.status for attempt in turn.attempts] == ["retry", "ok"]


@pytest.mark.both_databases
def test_the_first_answer_stands_and_the_same_words_again_change_nothing(rig):
    run_id = started(rig, "roundtable")
    key = first(rig, run_id).key
    for _ in range(2):
        assert hosting.answer(rig.service, run_id, key, "Close them.").taken
    hosting.next_wave(rig.service, run_id)
    assert hosting.answer(rig.service, run_id, key, "Close them.").taken
    with pytest.raises(QuestionClosed, match="The first answer counts"):
        hosting.answer(rig.service, run_id, key, "Open them.")
    assert len(rig.runs.answers(run_id)) == 1


def test_a_question_that_is_not_open_is_named_with_what_to_do(rig):
    run_id = started(rig)
    with pytest.raises(NotFound, match="is not open") as raised:
        hosting.answer(rig.service, run_id, "000.9-00000000", "Words.")
    assert raised.value.fix == f"see what is: hustings next {run_id}"


@pytest.mark.parametrize("words", ["", " \n", "a\0b"])
def test_an_empty_answer_is_no_attempt(rig, words):
    run_id = started(rig)
    with pytest.raises(Unsuitable, match="that is no answer"):
        hosting.answer(rig.service, run_id, first(rig, run_id).key, words)
    assert rig.runs.answers(run_id) == {}


@pytest.mark.both_databases
def test_no_worker_takes_a_debate_that_its_host_plays(rig):
    run_id = started(rig)
    spec = rig.runs.spec(run_id)
    with pytest.raises(Unsuitable, match="workers cannot ask it"):
        rig.control.enter(spec.model_copy(update={"run_id": f"{run_id}-2"}))
    assert (rig.service.unqueued(grace=-1.0), rig.service.queue_left_over(10, grace=-1.0)) == (0, [])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"model": "improviser"}, "would play every seat"),
        ({"seats": {"pro": "improviser", "con": "improviser"}}, "every seat has a model"),
        ({"seats": {"pro": "human"}}, "a person can't sit"),
        ({"brain": "two\nlines"}, "no name of a model"),
    ],
)
def test_what_a_host_cannot_play_is_refused(rig, given, why):
    with pytest.raises(Unsuitable, match=why):
        started(rig, **given)


def test_a_paused_debate_rests_until_it_is_resumed(rig):
    run_id = started(rig)
    rig.control.steer(run_id, "pause")
    wave = hosting.next_wave(rig.service, run_id)
    assert (wave.state, wave.questions) == ("resting", ())
    assert wave.next == f"It is paused. Go on: hustings resume {run_id}"
    rig.control.steer(run_id, "go")
    assert hosting.next_wave(rig.service, run_id).state == "open"


def test_a_cancelled_debate_ends_with_the_next_wave(rig):
    run_id = started(rig)
    hosting.next_wave(rig.service, run_id)
    rig.control.steer(run_id, "cancel")
    assert hosting.next_wave(rig.service, run_id).state == "ended"
    assert rig.runs.read(run_id).ending == "cancelled"


@pytest.mark.both_databases
def test_what_others_own_is_not_played(rig):
    request = DebateRequest(protocol="structured", question=TOPIC)
    run_id = entered(rig.service.acting_for("bob"), request, BRAIN, owner="bob")
    for act in (hosting.next_wave, lambda service, run: hosting.answer(service, run, "000.0-0", "Words.")):
        with pytest.raises(NotFound):
            act(rig.service.acting_for("ann"), run_id)
    assert hosting.next_wave(rig.service.acting_for("bob"), run_id).state == "open"


@pytest.mark.both_databases
def test_seats_with_a_model_are_called_within_the_next_wave_and_paid_once(rig):
    model = f"openai_compatible/m-mixed@{rig.provider.base_url}"
    named = {"PROVIDER": "openai_compatible", "MODEL": "m-mixed", "BASE_URL": rig.provider.base_url}
    prices = {f"ADA_LLM_{name}": value for name, value in {**named, "PRICE_INPUT": "1", "PRICE_OUTPUT": "2"}.items()}
    request = DebateRequest(protocol="roundtable", question=TOPIC, seats={"ada": model}, budget=1)
    run_id, models = entered(rig.service, request, BRAIN, prices), rig._model
    while (wave := hosting.next_wave(rig.service, run_id, models)).state == "open":
        for question in wave.questions:
            hosting.answer(rig.service, run_id, question.key, f"I am {question.seat}, and say so.", models)
    asked = rig.seen(run_id).asked
    assert (wave.state, len(asked), len(set(asked))) == ("ended", 3, 3)
    assert rig.runs.read(run_id).spent > 0
