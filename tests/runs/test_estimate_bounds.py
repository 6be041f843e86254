"""The worst case is one: whatever seats answer, and however often it is sent back, no debate takes more.

python -m tests.runs.test_estimate_bounds [N]      N times three debates of each protocol; JSON on the last line
"""

import json
import random
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import count

import pytest

from hustings.db.instants import instant
from hustings.llm.improviser import Improviser, clock
from hustings.llm.model import Usage
from hustings.llm.model_spec import ModelSpec, Price
from hustings.llm.prices import most_tokens, price, room_for
from hustings.runs.estimate import TERSE, estimate
from hustings.runs.estimate_tokens import EstimateActor, Figures, Style, total
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.registry import find_protocol, protocols
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan, rehearse
from hustings.script.attempts import REPAIRS
from hustings.script.calls import Reply
from hustings.script.forms import schema_of
from hustings.script.prompt import Prompt, prompt_of
from hustings.testing.cases import KINDS, changed
from hustings.testing.protocol_suite import settings_of

TOPIC = "Should towns close their centres to cars?"
HERE = {"provider": "openai_compatible", "base_url": "http://127.0.0.1:1/v1"}
USUAL = ModelSpec(**HERE, model="usual", price=Price(input=1, output=2))
MODEL_SPECS = (
    USUAL,
    ModelSpec(**HERE, model="dear", price=Price(input=20, output=80)),
    ModelSpec(**HERE, model="short", price=Price(input=3, output=1), max_tokens=700),
)
SIGNS = ("x", "word ", "é", "9", "{", "\n")
EMPTY = most_tokens(Prompt("", (), "", None))
SHORTER = {"competition": {"free_words": 200}}
LATER = pytest.mark.nightly("a competition, and more debates of every other protocol")
COUNTED = ("calls", "tokens_in", "tokens_out", "money")


class Anybody:
    """Answers each call in one of many ways, good and bad."""

    def __init__(self, seed, mischief, room):
        self.rng, self.mischief, self.room = random.Random(seed), mischief, room
        self.actors = [Improviser(seed), EstimateActor(Style()), leaning(self.rng)]
        self.actor = self.rng.choice(self.actors)

    def __call__(self, call):
        if self.rng.random() >= self.mischief:
            return self.actor(call)
        kind = self.rng.choice([*KINDS, "flood", "flood", "other"])
        if kind == "flood":
            spare = self.rng.choice((0.9, 1.5)) * self.room(call)
            return Reply(flooded(call, self.actor(call).text, self.rng.choice(SIGNS), spare), clock(call))
        return self.rng.choice(self.actors)(call) if kind == "other" else KINDS[kind](call)


class Stubborn:
    """Spends every attempt it has on a long answer that will not do, and the last one on a long answer that will."""

    def __init__(self, seed, retries, room):
        self.retries, self.room, self.tried = retries, room, Counter()
        self.actor = leaning(random.Random(seed))

    def __call__(self, call):
        question, room = (call.seat.id, call.brief.name, id(call.knowledge)), 0.95 * self.room(call)
        self.tried[question] += 1
        if self.tried[question] > (self.retries if call.on_record else max(self.retries, REPAIRS)):
            return Reply(flooded(call, self.actor(call).text, "x", room), clock(call))
        if call.brief.form.prose:
            return Reply(flooded(call, "", "x", room), clock(call), fault="truncated")
        return Reply(flooded(call, KINDS["rule_breaking"](call).text, "x", room), clock(call))


def leaning(rng):
    """Also in ways that an estimate does not try."""
    entries, first = rng.choice([(12, None), (0, None), (12, 0)])
    ends = {"choice": rng.choice((0, -1)), "numbers": rng.choice(("minimum", "maximum"))}
    return EstimateActor(
        replace(rng.choice((TERSE, Style(share=1, text=2))), entries=entries, first_entries=first, **ends)
    )


def flooded(call, words, sign, tokens):
    """The same, filled up to so many tokens in one place."""
    much = sign * max(0, int((tokens - tokens_of(words)) / tokens_of(sign * 100) * 100))
    if call.brief.form.prose:
        return words + much
    schema, value, places, at = schema_of(call.brief.form), json.loads(words), [], count()
    changed(schema, value, lambda of, text: places.append(of) or text)
    free = [n for n, of in enumerate(places) if not {"x-choice", "x-quote", "enum", "maxLength"} & of.keys()]
    return json.dumps(changed(schema, value, lambda of, text: text + much if next(at) in free[-1:] else text))


def tokens_of(text):
    return most_tokens(Prompt("", (), text, None)) - EMPTY


def held(spec, actor):
    """A debate and its answers; one that has no room breaks off, as at any provider."""
    model_specs, answers = spec.model_specs, {}

    def answer(call):
        reply, room = actor(call), room_for(call, model_specs[call.seat.id])
        if isinstance(reply, Reply) and tokens_of(reply.text) > room:
            text = reply.text
            while tokens_of(text) > room:
                text = text[: int(len(text) * 0.9)]
            reply = Reply(text, reply.at, fault="truncated")
        answers[call.address] = reply
        return reply

    return rehearse(spec.debate, answer), answers


def taken(spec, actor):
    """What a debate took, all counted at the most."""
    played, answers = held(spec, actor)
    some = [call for wave in played.waves for call in wave]
    return total(cost(spec.debate, spec.model_specs, call, answers[call.address]) for call in some)


def cost(debate, model_specs, call, reply):
    read = most_tokens(prompt_of(call, debate.cast[call.seat.id]))
    written = tokens_of(reply.text) if isinstance(reply, Reply) else 0
    paid = price(model_specs[call.seat.id], Usage(input=read, output=written))
    return Figures(calls=1, tokens_in=read, tokens_out=written, money=paid)


def spec_of(protocol, settings, retries=None, model_specs=lambda seat: USUAL):
    debate = plan(find_protocol(protocol), TOPIC, settings=settings, retries=retries)
    seated = {seat.id: model_specs(seat) for seat in debate.seats}
    return RunSpec(run_id="r", lineage="r", debate=debate, model_specs=seated, created_at=instant(), fence="secret")


def rooms_of(spec):
    return lambda call: room_for(call, spec.model_specs[call.seat.id])


@cache
def some_settings(protocol):
    return list(settings_of(find_protocol(protocol)))


def some_debates(protocol, seed):
    """What random debates took under random settings, each with the worst that was said before."""
    rng = random.Random(f"{protocol} {seed}")
    settings, retries = rng.choice(some_settings(protocol)), rng.choice([None, 0, 1, 2])
    spec = spec_of(protocol, settings, retries, lambda _: rng.choice(MODEL_SPECS))
    worst, room, often = estimate(spec).worst, rooms_of(spec), spec.debate.retries
    actors = (Anybody(seed, 0, room), Anybody(seed, rng.choice((0.1, 0.5, 1)), room), Stubborn(seed, often, room))
    took = [taken(spec, actor) for actor in actors]
    return [{name: getattr(one, name) / getattr(worst, name) for name in COUNTED} for one in took]


@pytest.mark.parametrize(
    ("protocol", "seed"),
    [
        pytest.param(name, seed, marks=LATER if name == "competition" or seed else ())
        for name in protocols()
        for seed in range(1 if name == "competition" else 2)
    ],
)
def test_no_debate_takes_more_than_the_worst(protocol, seed):
    for shares in some_debates(protocol, seed):
        assert max(shares.values()) <= 1, shares


@pytest.mark.parametrize("protocol", protocols())
def test_a_debate_in_which_all_answer_has_at_least_as_many_calls_as_were_named(protocol):
    spec = spec_of(protocol, SHORTER.get(protocol, {}))
    least = estimate(spec).least_calls
    assert all(taken(spec, Improviser(seed)).calls >= least for seed in range(2))


@pytest.mark.parametrize("protocol", ["structured", "roundtable"])
def test_no_judging_takes_more_than_the_worst_however_long_the_debate_was(protocol):
    spec = spec_of(protocol, {})
    worst = estimate(spec, audits=("judging",)).parts[1].worst
    debate, _ = held(spec, Stubborn(0, spec.debate.retries, rooms_of(spec)))
    judging = judging_spec(spec, debate.proceedings, JudgingRequest(), {})
    took = taken(judging, Stubborn(1, 0, rooms_of(judging)))
    assert all(getattr(took, name) <= getattr(worst, name) for name in COUNTED), (took, worst)


def main(many):
    seen = {}
    for protocol in protocols():
        shares = [share for seed in range(many) for share in some_debates(protocol, seed)]
        most = {name: round(max(share[name] for share in shares), 3) for name in COUNTED}
        exceeded = sum(max(share.values()) > 1 for share in shares)
        seen[protocol] = {"debates": len(shares), "exceeded": exceeded, **most}
        sys.stdout.write(f"{protocol}: {seen[protocol]}\n")
        sys.stdout.flush()
    sys.stdout.write(json.dumps(seen) + "\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
