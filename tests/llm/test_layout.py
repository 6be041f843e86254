"""What all seats share only ever grows at its end, so that a provider's cache reads a debate once for everybody."""

import json
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hustings.llm.improviser import Improviser
from hustings.runs.registry import protocols
from hustings.runs.staging import plan, rehearse
from hustings.script.prompt import MARKS, prompt_of

PROTOCOLS = protocols()
TOPIC = "Should a town close its centre to cars?"
every_protocol = pytest.mark.parametrize("name", PROTOCOLS)


@every_protocol
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_of_two_prompts_one_shares_all_that_the_other_shares(name, seed):
    shared = sorted((prompt.shared for prompt in prompts(name, seed)), key=len)
    assert all(longer.startswith(shorter) for shorter, longer in pairwise(shared))


@every_protocol
@settings(max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_every_prompt_but_the_first_repeats_a_mark_of_an_earlier_one(name, seed):
    """A provider reads its cache only where a mark stands again."""
    seen = set()
    for wave in played(name, seed):
        marks = [set(marked(prompt)) for prompt in wave]
        assert not seen or all(seen & own for own in marks)
        seen.update(*marks)


@every_protocol
def test_marks_are_few_enough_for_every_provider(name):
    assert max(len(prompt.marks) for prompt in prompts(name, 0)) <= MARKS < 4


@every_protocol
def test_what_one_seat_alone_is_told_comes_after_what_all_share(name):
    for call, prompt in asked(name):
        assert f"On the record you are {call.seat.id}." in prompt.tail
        assert "Your task:" not in prompt.shared


@every_protocol
def test_a_form_has_one_schema_whatever_is_offered_in_a_call(name):
    """A schema belongs to the cached beginning, so what one call may choose from stands in its words."""
    schemas = {}
    for call, prompt in asked(name):
        schemas.setdefault(call.brief.form, set()).add(json.dumps(prompt.schema))
    assert all(len(versions) == 1 for versions in schemas.values())


def rehearsed(name, seed):
    return rehearse(plan(PROTOCOLS[name], TOPIC), Improviser(seed), seed=seed)


def asked(name):
    """Every call of one debate with its prompt."""
    done = rehearsed(name, 0)
    return [(call, prompt_of(call, done.debate.cast[call.seat.id])) for wave in done.waves for call in wave]


def played(name, seed):
    """The prompts of every wave, but for those of a seat that is shown one round alone."""
    done = rehearsed(name, seed)
    for wave in done.waves:
        calls = [call for call in wave if call.knowledge.only_round is None]
        yield [prompt_of(call, done.debate.cast[call.seat.id]) for call in calls]


def prompts(name, seed):
    return [prompt for wave in played(name, seed) for prompt in wave]


def marked(prompt):
    """The text before each mark."""
    return [prompt.rules + "".join(prompt.waves[:mark]) for mark in prompt.marks]
