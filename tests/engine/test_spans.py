"""Spans of real runs: one root, no orphan, the sums of the ledger, the same bytes again, and none of the words."""

import json

import pytest

from hustings.report.formats import otlp
from hustings.report.spans import spans_of
from hustings.runs.dossiers import dossier, rendered
from hustings.runs.follow_ups import FollowUps, next_run
from tests.rig.traces import added, faults_of_spans

UNKNOWN = ("gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens", "hustings.cost_usd")


def spans(rig, run_id):
    return spans_of(dossier(rig.runs, run_id, logs=True))


@pytest.mark.both_databases
@pytest.mark.timeout(90)
@pytest.mark.parametrize("fault", ["", "usage_tiny", "stream_cut"])
def test_a_run_is_one_trace_with_the_sums_of_the_ledger(rig, fault):
    """A cut stream is tried again: its tokens are booked, but how many they were is unknown."""
    rig.provider.plan(rate=1.0 if fault == "stream_cut" else 0.0, faults=["stream_cut"], patience=1)
    seen = rig.play(rig.model_spec(fault if fault == "usage_tiny" else ""), seconds=60)
    found = spans(rig, seen.run_id)
    assert faults_of_spans(rig.runs, seen.run_id) == []
    assert [span.name for span in found if not span.parent] == ["invoke_workflow structured"]
    if not fault:
        assert added(found, "hustings.cost_usd") == pytest.approx(seen.report.spent)


@pytest.mark.timeout(90)
def test_tokens_that_nobody_counted_are_absent(rig):
    seen = rig.play(rig.model_spec("no_usage"), seconds=60)
    requests = [span for span in spans(rig, seen.run_id) if span.client]
    assert requests
    assert not any(name in span.attributes for span in requests for name in UNKNOWN[:2])


@pytest.mark.timeout(90)
def test_exporting_twice_gives_equal_bytes_and_none_of_the_words(rig):
    seen = rig.play(rig.model_spec(), seconds=60)
    first, second = (rendered(rig.runs, seen.run_id, otlp) for _ in range(2))
    assert first == second
    topic = rig.runs.read(seen.run_id).topic
    said = " ".join(turn.said for turn in rig.runs.finished(seen.run_id).transcript.turns)
    secret = {word for word in f"{topic} {said}".split() if len(word) > 6 and word.isalpha()}
    assert len(secret) > 20
    values = {text for text in strings(json.loads(first)) if not text.startswith(("gen_ai.", "hustings."))}
    assert not [text for text in values if secret & set(text.replace("-", " ").split())]


def strings(node):
    if isinstance(node, dict):
        yield from (text for value in node.values() for text in strings(value))
    elif isinstance(node, list):
        yield from (text for value in node for text in strings(value))
    elif isinstance(node, str):
        yield node


@pytest.mark.timeout(90)
def test_a_judging_stands_below_its_debate_and_tells_its_scores(rig):
    follow_ups = FollowUps.of("improviser")
    seen = rig.play(rig.model_spec(), follow_ups=follow_ups, seconds=60)
    made = next_run(rig.runs, rig.runs.spec(seen.run_id), follow_ups, {}, lambda made: made)
    rig.control.enter(made)
    rig.ended(made.run_id)
    debate, judging = [span for span in spans(rig, seen.run_id) if span.name.startswith("invoke_workflow")]
    assert (judging.name, judging.parent) == ("invoke_workflow judging", debate.id)
    told = {event.attributes["gen_ai.evaluation.name"] for event in judging.events}
    assert {"outcome", "score", "logic"} <= told
    assert debate.end >= judging.end
