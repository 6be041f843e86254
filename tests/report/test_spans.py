"""Spans from logs of every kind: of people, of older releases, of broken clocks, and of none at all."""

import json

import pytest
from inline_snapshot import snapshot

from hustings.judging.dossier import Dossier, RunLog
from hustings.report.formats.otlp import render
from hustings.report.spans import spans_of
from hustings.transcript.events import CallPaid, CallTry, DebateStarted, RoundOpened, TurnEntered
from hustings.transcript.notes import Failed
from tests.judging.judgings import EVERY

from .dossiers import everywhere, judged, unjudged

AT = "2026-01-01T00:00:0{}.000Z"
SECOND = 1_000_000_000


def log_of(dossier, *events, what="debate"):
    transcript = dossier.proceedings.transcript
    header = transcript.model_copy(update={"rounds": [], "created_at": AT.format(0)})
    return RunLog(what=what, events=(DebateStarted(header=header), *events))


def told(*events, dossier=None, **more):
    dossier = dossier or unjudged("structured")
    return spans_of(dossier.model_copy(update={"logs": (log_of(dossier, *events),), **more}))


def paid(address="000.0 pro opening", **more):
    return CallPaid(**{"address": address, "model": "acme-7", "answered_at": AT.format(5), **more})


def tried(ended="ok", sent=1, answered=2, **more):
    return CallTry(ended=ended, sent_at=AT.format(sent), answered_at=AT.format(answered), **more)


def entered(n=0):
    turn = unjudged("structured").proceedings.transcript.turns[n]
    return TurnEntered(turn=turn, address=f"000.{n} {turn.speaker_id} opening")


def test_a_call_is_an_agent_with_a_request_for_each_try():
    failed, sound = tried("overloaded", 1, 2), tried("ok", 4, 5, tokens_in=10, tokens_out=3, tokens=13, price=0.5)
    whole, agent, first, second = told(RoundOpened(round_index=1, label="x"), paid(tries=(failed, sound)), entered())
    assert [whole.name, agent.name, first.name] == ["invoke_workflow structured", "invoke_agent pro", "chat acme-7"]
    assert (agent.parent, first.parent, second.parent) == (whole.id, agent.id, agent.id)
    assert (agent.end - agent.start, first.end - first.start, second.end - second.start) == (4 * SECOND, SECOND, SECOND)
    assert (first.failed, first.attributes["error.type"], second.failed) == (True, "overloaded", False)
    assert "hustings.cost_usd" not in first.attributes
    assert (second.attributes["hustings.tokens"], second.attributes["hustings.cost_usd"]) == (13, 0.5)
    assert (agent.attributes["hustings.turn_id"], agent.attributes["hustings.round"]) == ("r1.t0", 1)


def test_an_answer_off_the_record_has_a_round_and_no_turn():
    _, agent, _ = told(RoundOpened(round_index=3, label="x"), paid("000.0 pro plan", tries=(tried(),)))
    assert agent.attributes["hustings.round"] == 3
    assert "hustings.turn_id" not in agent.attributes


def test_a_person_s_turn_has_no_request():
    _, agent = told(entered())
    assert (agent.name, agent.client, agent.start == agent.end) == ("invoke_agent pro", False, True)


def test_a_model_is_named_as_it_was_asked_for_and_as_it_answered():
    dossier = unjudged("structured")
    transcript = dossier.proceedings.transcript.model_copy(deep=True)
    transcript.participants[0].model_name = "acme/zephyr"
    proceedings = dossier.proceedings.model_copy(update={"transcript": transcript})
    known = dossier.model_copy(update={"proceedings": proceedings})
    request = told(paid(model="a\nname  of\tmany" + "!" * 200, tries=(tried(),)), dossier=known)[-1]
    named = [request.attributes[f"gen_ai.{what}"] for what in ("provider.name", "request.model", "response.model")]
    assert named == ["acme", "zephyr", "a name of many" + "!" * 86]


@pytest.mark.parametrize("at", ["", "yesterday", "0001-01-01T00:00:00+23:59", None])
def test_a_time_that_no_clock_wrote_is_left_to_what_is_known(at):
    spans = told(paid(answered_at=at, tries=(CallTry(ended="ok", sent_at=at or "", answered_at=at),)))
    assert all(span.end >= span.start >= 0 for span in spans if at != "0001-01-01T00:00:00+23:59")


def test_a_debate_that_failed_says_so():
    proceedings = unjudged("structured").proceedings.model_copy(update={"ending": Failed(code="x", reason="secret")})
    (whole,) = spans_of(Dossier(proceedings=proceedings))
    assert (whole.attributes["error.type"], whole.failed) == ("failed", True)
    assert "secret" not in render(Dossier(proceedings=proceedings))


def test_a_protocol_s_own_verdict_is_an_evaluation():
    dossier = unjudged("critique")
    (whole,) = spans_of(dossier)
    (event,) = whole.events
    assert event.attributes["gen_ai.evaluation.score.label"] == dossier.proceedings.result["verdict"]


def test_scores_are_told_by_the_number_of_their_argument():
    dossier = judged("structured")
    logs = (log_of(dossier), log_of(dossier, what="judging"))
    whole, judging = spans_of(dossier.model_copy(update={"logs": logs}))
    names = [event.attributes["gen_ai.evaluation.name"] for event in judging.events]
    assert names[0] == "outcome"
    assert names.count("score") == 2
    numbers = {event.attributes["hustings.argument"] for event in judging.events[3:]}
    assert numbers <= set(range(1, len(dossier.judgement.trace) + 1))
    assert whole.attributes["hustings.outcome"] == dossier.judgement.outcome.kind


def test_what_is_written_is_otlp_in_json():
    dossier = unjudged("structured")
    dossier = dossier.model_copy(update={"logs": (log_of(dossier, paid(tries=(tried("overloaded", price=0.5),))),)})
    (resource,) = json.loads(render(dossier))["resourceSpans"]
    request = resource["scopeSpans"][0]["spans"][-1]
    attributes = {each["key"]: each["value"] for each in request.pop("attributes")}
    assert attributes["hustings.cost_usd"] == {"doubleValue": 0.5}
    assert attributes["hustings.try"] == {"intValue": "1"}
    assert attributes["gen_ai.operation.name"] == {"stringValue": "chat"}
    assert {name: request[name] for name in ("name", "kind", "startTimeUnixNano", "events", "status")} == snapshot(
        {
            "name": "chat acme-7",
            "kind": 3,
            "startTimeUnixNano": "1767225601000000000",
            "events": [],
            "status": {"code": 2},
        }
    )
    assert (len(request["traceId"]), len(request["spanId"]), len(request["parentSpanId"])) == (32, 16, 16)


@pytest.mark.parametrize("name", EVERY)
def test_no_word_of_a_speaker_is_inside(name):
    dossier = judged(name)
    said = {word for turn in dossier.proceedings.transcript.turns for word in turn.said.split() if len(word) > 7}
    written = render(dossier)
    assert not [word for word in said if f'"{word}' in written or f" {word} " in written]


def test_a_text_that_stands_everywhere_does_not_appear():
    written = render(everywhere("hidden-text"))
    assert "hidden-text" not in written
