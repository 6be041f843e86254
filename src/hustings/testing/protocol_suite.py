"""Conformance suite for protocols: a check takes a protocol, and raises `AssertionError` if it fails.

@pytest.mark.parametrize("check", CHECKS)
def test_my_protocol_conforms(check):
    check(find_protocol("oxford"))

`checks(places=24)` spoils 24 answers of the usual debate, spread over its calls, instead of every one, and looks for no
longer debate: seconds, not minutes.
"""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import combinations, islice, pairwise
from typing import Any, TypeVar

from hustings.errors import SeatError
from hustings.llm.fake_values import FakeValues
from hustings.llm.improviser import Improviser
from hustings.runs.judging_spec import judgement_of
from hustings.runs.staging import Actor, Rehearsal, plan, rehearse
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec
from hustings.script.forms import Form, schema_of
from hustings.script.prompt import prompt_of
from hustings.script.protocol import Protocol
from hustings.script.stage import Settings
from hustings.transcript.events import EVENT
from hustings.transcript.notes import RULES
from hustings.transcript.record import fold
from hustings.transcript.rules import check

from .cases import KINDS, TOPIC, USUAL, Fault, Leak, compared, late, record_of

Check = Callable[[Protocol], None]
T = TypeVar("T")
SECRETS = 1_000
"""How many prompts are compared in search of a leak."""
SETTINGS = 40
"""How many random settings are played, beside every bound."""
SETTINGS_OF_AUDITS = 10
MOST_CALLS = 45
"""A debate with more calls gets a bad answer at every call only if it is the usual one."""


def says_what_it_is(protocol: Protocol) -> None:
    """A summary in one line, rules for all, a duty for each seat, and a sentence for each setting."""
    assert protocol.summary.endswith("."), "the docstring's first line is a sentence"
    assert len(protocol.rules.strip()) > 20, "RULES say how the debate goes"
    assert all(seat.duty for debate in debates(protocol) for seat in debate.seats), "each seat has a duty"
    silent = [name for name, field in protocol.settings.model_fields.items() if not field.description]
    assert not silent, f"settings without a docstring: {silent}"


def plays_to_its_end(protocol: Protocol) -> None:
    for played in improvised(protocol):
        assert played.proceedings.ending.kind == "played", played.proceedings.ending
        assert played.proceedings.notes if protocol.audit else played.proceedings.transcript.turns, "a seat is heard"


def repeats_itself(protocol: Protocol) -> None:
    """The same answers give the same calls, prompts and record: a durable engine depends on that."""
    for first, second in zip(improvised(protocol), improvised(protocol), strict=True):
        assert [c.key for w in first.waves for c in w] == [c.key for w in second.waves for c in w]
        assert list(prompts(first)) == list(prompts(second))
        assert first.proceedings == second.proceedings


def writes_a_valid_record(protocol: Protocol) -> None:
    """The record breaks no rule of the transcript, and raises no warning, with and without retries."""
    for retries in (0, 2):
        for played in improvised(protocol, retries=retries):
            must_be_valid(played)


def folds_back_from_its_events(protocol: Protocol) -> None:
    """The events hold everything: transcript, notes and ending can be rebuilt from them, also from JSON."""
    for played in improvised(protocol):
        assert [event.seq for event in played.events] == list(range(len(played.events)))
        record = fold(EVENT.validate_json(EVENT.dump_json(event)) for event in played.events)
        assert record.transcript == played.proceedings.transcript
        assert tuple(record.notes) == played.proceedings.notes
        assert record.ending == played.proceedings.ending


def lets_seats_share_what_all_may_read(protocol: Protocol) -> None:
    """The public part of a prompt only ever grows, so that it is read and paid once."""
    for played in improvised(protocol):
        shared = sorted({prompt.shared for _, prompt in prompts(played)}, key=len)
        for shorter, longer in pairwise(shared):
            assert longer.startswith(shorter), "a public part that is no beginning of the next"


def keeps_secrets(protocol: Protocol) -> None:
    """No prompt changes with words its seat may not read."""
    leaks = list(islice(comparisons(protocol), SECRETS))
    assert len(leaks) == SECRETS, f"only {len(leaks)} prompts could be compared"
    assert not any(leaks), next(leak for leak in leaks if leak)


def comparisons(protocol: Protocol) -> Iterator[Leak | None]:
    """Prompts of many random debates, each compared with those of a twin that has another secret."""
    several = variants(protocol)
    for seed in range(SECRETS):
        values, _ = several[seed % len(several)]
        for debate in debates(protocol, settings=values, retries=1 + seed % 2):
            yield from compared(debate, seed)


def ends_under_any_settings(protocol: Protocol) -> None:
    """At every bound, and anywhere between."""
    for n, values in enumerate(settings_of(protocol)):
        several = debates(protocol, settings=values)
        played = rehearse(several[n % len(several)], Improviser(n))
        assert played.proceedings.ending.kind == "played", f"{values}: {played.proceedings.ending}"
        must_be_sound(played)


def ends_well(kind: str, places: int | None = None) -> Check:
    """One kind of bad answer at every call, with and without retries: a declared ending and a valid record."""

    def ends_whatever_a_seat_does(protocol: Protocol) -> None:
        for played in spoilt(protocol, kind, places):
            must_end_well(played)

    ends_whatever_a_seat_does.__name__ = f"ends_when_an_answer_is_{kind}"
    return ends_whatever_a_seat_does


def spoilt(protocol: Protocol, kind: str, places: int | None = None) -> Iterator[Rehearsal]:
    """A debate for every call that can get that kind of answer, or for `places` of them from the first to the last."""
    for debate, seed, place in spread(every_call(protocol, usual=places is not None), places):
        yield rehearse(debate, Spoiler(Improviser(seed), place, KINDS[kind]))


@cache
def every_call(protocol: Protocol, *, usual: bool = False) -> list[tuple[DebateSpec, int, int]]:
    """Each call that can get a bad answer of any kind: its debate, the seed and its place."""
    several = list[tuple[dict[str, Any], int]]([({}, 0)]) if usual and not protocol.audit else variants(protocol)
    return [
        (debate, seed, place)
        for values, seed in several
        for retries in attempts(protocol)
        for debate, count in told_apart(debates(protocol, settings=values, retries=retries), seed)
        for place in range(count)
    ]


def spread(every: Sequence[T], count: int | None) -> Sequence[T]:
    """`count` of them at even distances, the first and the last included; all if there are no more, or for None."""
    if count is None or len(every) <= count:
        return every
    if count < 2:
        raise ValueError(f"places={count}: the first and the last are always tried, so give 2 or more")
    return [every[n * (len(every) - 1) // (count - 1)] for n in range(count)]


def told_apart(several: Iterable[DebateSpec], seed: int) -> Iterator[tuple[DebateSpec, int]]:
    """Distinct debates with the number of their calls: an audit may ask the same whatever it is about."""
    known = set[tuple[str, ...]]()
    for debate in several:
        asked = tuple(key for key, _ in prompts(rehearse(debate, Improviser(seed))))
        if asked not in known:
            yield debate, len(asked)
        known.add(asked)


@cache
def variants(protocol: Protocol) -> list[tuple[dict[str, Any], int]]:
    """Settings and seed of the usual debate, and of the longest found that can still be tried at every call.

    For an audit, those of the shortest: what goes wrong with one judge of many goes wrong with the only one.
    """
    found, most = list[tuple[int, int, dict[str, Any]]](), math.inf
    for n, values in enumerate(bounds_of(protocol) if protocol.audit else settings_of(protocol)):
        calls = calls_of(debates(protocol, settings=values), n, most)
        if calls is not None:
            found.append((calls, n, values))
            most = calls if protocol.audit else MOST_CALLS
    if protocol.audit:
        chosen = [min(found, key=lambda one: one[:2])]
    else:
        chosen = [found[0], *sorted(found[1:], key=lambda one: one[:2])[-1:]]
        chosen = [one for one in chosen if one is found[0] or one[0] > found[0][0]]
    return [(values, n) for _, n, values in chosen]


class TooLong(Exception):
    """A rehearsal has made more calls than it is worth."""


def calls_of(several: Iterable[DebateSpec], seed: int, most: float) -> int | None:
    """How many calls the debates make together; None as soon as there are more than `most`, and then play stops."""
    count = 0

    def actor(call: Call) -> Reply:
        nonlocal count
        count += 1
        if count > most:
            raise TooLong
        return Improviser(seed)(call)

    try:
        for debate in several:
            rehearse(debate, actor)
    except TooLong:
        return None
    return count


def attempts(protocol: Protocol) -> list[int]:
    """Numbers of retries worth trying. An audit has only notes, and a seat may always correct a note once."""
    return [protocol.retries] if protocol.audit else sorted({0, 1, protocol.retries})


def ends_without_a_seat(protocol: Protocol) -> None:
    """One seat never answers, or no seat does."""
    for retries in attempts(protocol)[:2]:
        for debate in debates(protocol, retries=retries):
            for gone in ({seat.id} for seat in debate.seats):
                must_end_well(rehearse(debate, lambda c, gone=gone: late(c) if c.seat.id in gone else Improviser()(c)))
            must_end_well(rehearse(debate, late))


def must_end_well(played: Rehearsal) -> None:
    assert played.proceedings.ending.kind in {"played", "failed"}
    must_be_sound(played)


class Spoiler:
    """An actor that gives a bad answer to the call at one place, and to every further attempt at it."""

    def __init__(self, actor: Actor, place: int, fault: Fault) -> None:
        self._actor, self._place, self._fault = actor, place, fault
        self._spoilt: Call | None = None
        self._count = 0

    def __call__(self, call: Call) -> Reply | SeatError:
        here, self._count = self._count, self._count + 1
        if here == self._place:
            self._spoilt = call
        spoilt = self._spoilt
        again = bool(spoilt and call.complaints and (call.seat, call.brief) == (spoilt.seat, spoilt.brief))
        return self._fault(call) if here == self._place or again else self._actor(call)


def checks(places: int | None = None) -> tuple[Check, ...]:
    """All checks. `places` is the number of calls that get each kind of bad answer; None: every call."""
    return (
        says_what_it_is,
        plays_to_its_end,
        repeats_itself,
        writes_a_valid_record,
        folds_back_from_its_events,
        lets_seats_share_what_all_may_read,
        keeps_secrets,
        ends_under_any_settings,
        ends_without_a_seat,
        *(ends_well(kind, places) for kind in KINDS),
    )


CHECKS = checks()


def improvised(protocol: Protocol, *, retries: int | None = None) -> list[Rehearsal]:
    return [rehearse(debate, Improviser()) for debate in debates(protocol, retries=retries)]


def debates(
    protocol: Protocol, *, settings: dict[str, Any] | None = None, retries: int | None = None
) -> list[DebateSpec]:
    """Debates to try a protocol on, with its usual settings unless others are given; an audit, on several records."""
    chosen = {**required(protocol), **(settings or {})}
    judged = [record_of(name) for name in USUAL] if protocol.audit else [None]
    return [plan(protocol, TOPIC, settings=chosen, retries=retries, judged=record) for record in judged]


def prompts(played: Rehearsal) -> Iterator[tuple[str, Any]]:
    cast = played.debate.cast
    return ((call.key, prompt_of(call, cast[call.seat.id])) for wave in played.waves for call in wave)


def must_be_sound(played: Rehearsal) -> None:
    """A debate leaves a valid record; an audit leaves no record at all."""
    if played.debate.judged is None:
        must_be_valid(played)
    else:
        must_be_off_the_record(played)
        judgement_of(played.debate, played.proceedings)


def must_be_valid(played: Rehearsal) -> None:
    found = check(json.dumps(played.proceedings.document(), ensure_ascii=False).encode())
    assert not found, f"{found[0].code} at {found[0].pointer}: {found[0].message}"


def must_be_off_the_record(played: Rehearsal) -> None:
    """No seat speaks, and every question leaves a note: the answer, or its failure."""
    calls, notes = [call for wave in played.waves for call in wave], played.proceedings.notes
    assert not played.proceedings.transcript.rounds, "an audit opens no round"
    assert not any(call.on_record for call in calls), "an audit only consults"
    asked = [(call.seat.id, call.brief.name) for call in calls if not call.complaints]
    answered = [(note.by, note.kind) for note in notes if note.by != RULES]
    abstained = [(str(note.body["seat"]), str(note.body["brief"])) for note in notes if note.kind == "failure"]
    if played.proceedings.ending.kind == "played":
        assert sorted(asked) == sorted([*answered, *abstained]), "an abstention is a note"


def settings_of(protocol: Protocol) -> Iterator[dict[str, Any]]:
    """Each bound alone, random pairs of bounds, then random values between them."""
    count = SETTINGS_OF_AUDITS if protocol.audit else SETTINGS
    bounds = [values for values in bounds_of(protocol) if values]
    yield from bounds_of(protocol)
    rng = random.Random(protocol.name)  # noqa: S311
    pairs = [{**a, **b} for a, b in combinations(bounds, 2) if set(a) != set(b)]
    yield from rng.sample(pairs, min(count, len(pairs)))
    fields, fake_values = _resolved_settings(protocol), FakeValues(rng)
    for _ in range(count):
        yield {name: fake_values.value(field) for name, field in fields.items()}


def bounds_of(protocol: Protocol) -> Iterator[dict[str, Any]]:
    """Nothing set, then each bound alone."""
    yield {}
    yield from ({name: value} for name, field in _resolved_settings(protocol).items() for value in _bounds(field))


def required(protocol: Protocol) -> dict[str, Any]:
    """The least value of each setting without a default."""
    fields = _resolved_settings(protocol)
    missing = [name for name, field in protocol.settings.model_fields.items() if field.is_required()]
    fake_values = FakeValues(random.Random(protocol.name))  # noqa: S311
    return {name: [*_bounds(fields[name]), fake_values.value(fields[name])][0] for name in missing}


def least(protocol: Protocol) -> dict[str, Any]:
    """Every setting at its lower bound, if it has one."""
    bounds = {name: _bounds(field) for name, field in _resolved_settings(protocol).items()}
    return {**required(protocol), **{name: some[0] for name, some in bounds.items() if some}}


def _bounds(field: dict[str, Any]) -> list[Any]:
    return list(field.get("enum", [])) + [field[bound] for bound in ("minimum", "maximum") if bound in field]


def _resolved_settings(protocol: Protocol) -> dict[str, dict[str, Any]]:
    """JSON Schema of each setting, resolved like that of a form."""
    return dict(schema_of(_form_of(protocol.settings))["properties"]) if protocol.settings.model_fields else {}


@cache
def _form_of(settings: type[Settings]) -> type[Form]:
    """Made once: Pydantic reads the source of each new model."""
    return type("SettingsForm", (settings, Form), {})
