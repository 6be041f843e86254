"""From what somebody asks for to a debate on record, or to a forecast of it; only offered models are seated."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from hashlib import sha256

from pydantic import JsonValue, ValidationError

from hustings.core.errors import NotFound, Unsuitable
from hustings.home.arranging import estimate_follow_ups, estimate_request, must_answer, prepare, prepare_audit
from hustings.home.caution import affordable
from hustings.run.commission import Commission
from hustings.run.estimate import AT_WORST, EXPECTED, Estimate, Part
from hustings.run.forking import fork
from hustings.run.judging import JudgingWish, panel
from hustings.run.programme import Programme
from hustings.run.registry import find_protocol
from hustings.run.wish import Wish
from hustings.store.caps import MICRO, Caps
from hustings.store.requests import Claim, Conflict

from .guests import Guest
from .offers import Offers
from .problems import Refused
from .shapes import Asked, EstimateRow, Forecast, NewDebate, NewFork, NewVerdict


def begin(guest: Guest, asked: NewDebate, key: str) -> str:
    """Put a debate on record with what follows it, and hand it to the workers; its id."""
    offers = guest.house.offers
    wish, programme = _wish(asked, offers), _programme(asked, offers)
    commission, _ = prepare(wish, programme, guest.house.known, _say_nothing)
    must_answer(commission)
    return _enter(guest, commission, programme, _claim(key, asked))


def again(guest: Guest, run_id: str, asked: NewFork, key: str) -> str:
    """A debate once more from a turn on; judged as usual, if anybody can judge it."""
    debate, known = guest.runs.commission(run_id).debate, guest.house.known
    _must_fit(debate.protocol, {**debate.settings, **asked.settings})
    try:
        commission = affordable(fork(guest.runs, run_id, turn=asked.turn or "", settings=asked.settings), known)
    except NotFound as error:
        raise Refused(422, error.what, fix=error.fix, fields=("turn",)) from None
    judging: JudgingWish | None = JudgingWish()
    try:
        panel(commission, JudgingWish(), known)
    except Unsuitable:
        judging = None
    return _enter(guest, commission, Programme(judging), _claim(key, asked, run_id))


def judge(guest: Guest, run_id: str, asked: NewVerdict, key: str) -> str:
    """A debate that is over, judged anew; the id of the judging, or of the control before it."""
    programme = _programme(asked, guest.house.offers)
    commission = prepare_audit(guest.runs, run_id, programme, guest.house.known)
    return _enter(guest, commission, programme, _claim(key, asked, run_id))


def forecast(guest: Guest, asked: NewDebate) -> Forecast:
    """What it would take, as expected and at worst; nobody is called."""
    offers = guest.house.offers
    wish, programme = _wish(asked, offers), _programme(asked, offers)
    return _told(estimate_request(wish, programme, guest.house.known, _say_nothing))


def forecast_verdict(guest: Guest, run_id: str, asked: NewVerdict) -> Forecast:
    """What judging it once more would take."""
    programme = _programme(asked, guest.house.offers)
    return _told(estimate_follow_ups(guest.runs, run_id, programme, guest.house.known))


def _told(found: Estimate) -> Forecast:
    total = _row("all of it", found)
    cap = None if found.cap is None else found.cap / MICRO
    within = found.free or (cap is not None and total.dollars is not None and total.dollars[1] <= cap)
    return Forecast(
        rows=tuple(_row(part.script, part) for part in found.parts),
        total=total,
        budget=cap,
        within=within,
        remarks=tuple(_remarks(found, within=within)),
    )


def _enter(guest: Guest, commission: Commission, programme: Programme, claim: Claim | None) -> str:
    service = guest.service
    commission = service.budgets.apply(commission.model_copy(update={"owner": guest.owner}))
    try:
        earlier = service.control.enter(commission, programme=programme, claim=claim)
    except Conflict as error:
        raise Refused(409, error.what, fix=error.fix) from None
    if earlier is None:
        service.control.enqueue(commission)
    return earlier or commission.run_id


def _wish(asked: NewDebate, offers: Offers) -> Wish:
    offers.must_hold([asked.model], "model", people=True)
    offers.must_hold(asked.seats.values(), "seats", people=True)
    _must_fit(asked.protocol, asked.settings)
    return Wish(
        protocol=asked.protocol,
        topic=asked.motion,
        settings=asked.settings,
        language=asked.language,
        model=asked.model,
        seats=asked.seats,
        caps=Caps.of(dollars=asked.budget),
        seed=asked.seed,
    )


def _programme(asked: NewDebate | NewVerdict, offers: Offers) -> Programme:
    if isinstance(asked.judges, tuple):
        offers.must_hold(asked.judges, "judges")
    try:
        return Programme.of(asked.judges, control=asked.control)
    except Unsuitable as error:
        raise Refused(422, error.what, fix=error.fix, fields=("judges",)) from None


def _must_fit(name: str, settings: Mapping[str, JsonValue]) -> None:
    """What is wrong is told by the names of the settings, which are ours, and not by what was in them."""
    try:
        protocol = find_protocol(name)
    except NotFound as error:
        raise Refused(422, "There is no such protocol.", fix=error.fix, fields=("protocol",)) from None
    try:
        protocol.settings.model_validate(settings)
    except ValidationError as error:
        wrong = {str(one["loc"][0]): one["msg"] for one in error.errors(include_input=False) if one["loc"]}
        known = {name: said for name, said in wrong.items() if name in protocol.settings.model_fields}
        raise Refused(
            422,
            "These settings cannot be used.",
            why="; ".join(f"{name}: {said}" for name, said in known.items()),
            fix=f"Set {', '.join(protocol.settings.model_fields) or 'nothing'}.",
            fields=tuple(f"settings.{name}" for name in known) or ("settings",),
        ) from None


def _claim(key: str, asked: Asked, about: str = "") -> Claim | None:
    text = json.dumps([type(asked).__name__, about, asked.model_dump(mode="json")], sort_keys=True)
    return Claim(key, sha256(text.encode()).hexdigest()) if key else None


def _say_nothing(_: str) -> None:
    """Which model speaks is said by what the server offers."""


def _row(what: str, found: Estimate | Part) -> EstimateRow:
    expected, worst = found.expected, found.worst or found.expected
    unknown = expected.unpriced or worst.unpriced
    return EstimateRow(
        what=what,
        calls=(expected.calls, worst.calls),
        tokens=(expected.tokens, worst.tokens),
        dollars=None if unknown else (expected.money / MICRO, worst.money / MICRO),
    )


def _remarks(found: Estimate, *, within: bool) -> Iterator[str]:
    yield f"No call was made. {EXPECTED}"
    yield AT_WORST
    if found.cap is not None and not within:
        yield f"It cannot cost more than its budget: that ends it at ${found.cap / MICRO:,.2f}."
    rows = [row for part in found.parts for row in part.seats]
    if unknown := sorted({row.model for row in rows if row.paid == "unknown"}):
        yield f"Nobody knows what {', '.join(unknown)} costs; without a price it is not called."
