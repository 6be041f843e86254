"""The law stays within its bounds whatever its gains, acts on what was observed alone, and follows from the record."""

from dataclasses import replace
from random import Random
from statistics import fmean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.evaluation.controller import (
    ALARM,
    LAWS,
    ControllerState,
    Law,
    instructions,
    next_gate,
    replay,
    step,
)
from hustings.lab.signals import Look
from tests.lab.evaluated import no, yes
from tests.rig.lanes import examples

P, PID = LAWS["p"], LAWS["pid"]
BEGIN = ControllerState()


def test_a_proportional_step():
    after = step(P, BEGIN, 0.70)
    assert (after.error, after.output, after.beta) == pytest.approx((0.10, 0.08, 0.58))
    assert step(P, after, 0.70).beta == pytest.approx(0.652)


@pytest.mark.parametrize(
    ("beta", "rho", "after"), [(0.5, 0.76, 0.5), (0.5, 0.0, 0.75), (0.9, 0.0, 1.0), (0.5, 1.0, 0.34)]
)
def test_dead_band_and_bounds(beta, rho, after):
    assert step(P, ControllerState(beta=beta), rho).beta == pytest.approx(after)


unit = st.floats(0, 1)
rounds = st.lists(st.tuples(st.none() | unit, st.none() | unit, st.none() | st.booleans()), min_size=1, max_size=10)


@settings(max_examples=examples(2000))
@given(st.builds(Law, kp=st.floats(0, 5), ki=st.floats(0, 5), kd=st.floats(0, 5)), rounds)
def test_no_law_leaves_its_bounds(law, seen):
    state = BEGIN
    for rho, evidence, hollow in seen:
        after = step(law, state, rho, evidence, hollow=hollow)
        assert 0 <= after.beta <= 1
        assert after.gate in (0, 1, 2)
        assert abs(after.integral) <= 0.5
        assert abs(after.beta - state.beta) <= 0.25 + 1e-9 or after.frozen
        state = after


def test_the_sum_does_not_grow_while_the_dial_cannot_follow():
    law, state = replace(PID, guard=0), BEGIN
    for _ in range(10):
        state = step(law, state, 0.2)
    assert (state.integral, state.beta) == pytest.approx((0.0, 1.0))
    assert step(law, state, 1.0).beta < 1.0


def test_no_observation_no_action():
    assert step(P, step(P, BEGIN, 0.70), None).beta == pytest.approx(0.58)


def test_quality_that_falls_after_tone_rose_freezes_the_dial_at_neutral():
    state = step(P, BEGIN, 0.70)
    harmed = step(P, state, 0.65)
    assert (harmed.frozen, harmed.beta) == (True, 0.5)
    assert step(P, harmed, 0.3).beta == 0.5
    assert not step(P, state, 0.67).frozen


@pytest.mark.parametrize(
    ("gate", "evidence", "hollow", "after"),
    [
        (0, 0.5, False, 1),
        (2, 0.5, False, 2),
        (1, 0.6, False, 1),
        (1, 0.7, False, 0),
        (0, 0.9, True, 1),
        (1, None, None, 1),
    ],
)
def test_the_evidence_gate(gate, evidence, hollow, after):
    assert next_gate(gate, evidence, hollow=hollow) == after


def test_seats_are_told_when_tone_or_gate_changes_and_of_hollow_agreement():
    told = [one.trigger for one in instructions(BEGIN, ControllerState(beta=0.7, gate=1))]
    assert told == ["pid_escalation", "evidence_gate"]
    assert instructions(BEGIN, ControllerState(beta=0.6)) == []
    assert [(one.trigger, one.words) for one in instructions(BEGIN, ControllerState(alarm=True))] == [
        ("sycophancy_alarm", ALARM)
    ]


def test_the_whole_trace_follows_from_the_record():
    one = Look({"a": yes("holds"), "b": no("holds")}, {"a": frozenset("12"), "b": frozenset("23")}, rho=0.6)
    two = Look({"a": yes("holds"), "b": yes("leans")}, {"a": frozenset("1"), "b": frozenset("3")}, rho=0.65)
    trace = replay(P, [one, two], [0.5, 0.6])
    assert trace == replay(P, [one, two], [0.5, 0.6])
    assert [state.beta for state in trace] == pytest.approx([0.5, 0.66, 0.91])
    assert [state.gate for state in trace] == [0, 1, 1]
    assert [state.tone for state in trace] == ["neutral", "neutral", "adversarial"]


def test_the_published_constants_drift_to_zero_where_nothing_is_wrong():
    state = BEGIN
    for _ in range(20):
        state = step(LAWS["raudit_literal"], state, 0.8)
    assert state.beta < 0.1


def last_quality(law, gain, rounds, rnd):
    """A toy debate: quality .70 at neutral, moved by tone times gain, seen with noise; its true quality in the end."""
    state = BEGIN
    for _ in range(rounds - 1):
        state = step(law, state, 0.70 + gain * (state.beta - 0.5) + rnd.gauss(0, 0.025))
    return 0.70 + gain * (state.beta - 0.5)


@pytest.mark.parametrize(
    ("law", "helped", "harmed"),
    [
        (P, 0.753, 0.671),
        (replace(P, guard=0), 0.755, 0.582),
        (PID, 0.773, 0.689),
        (replace(PID, guard=0), 0.775, 0.517),
    ],
    ids=["P", "P without guard", "PID", "PID without guard"],
)
def test_in_a_toy_debate_of_four_rounds_the_guard_saves_more_where_critique_harms_than_it_costs(law, helped, harmed):
    found = [fmean(last_quality(law, gain, 4, Random(seed)) for seed in range(2000)) for gain in (0.4, -0.4)]
    assert found == pytest.approx([helped, harmed], abs=5e-4)
