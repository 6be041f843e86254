"""Conformance suite for audits: what protocols must do, but off the record and blind to who debated.

@pytest.mark.parametrize("check", CHECKS)
def test_my_audit_conforms(check):
    check(find_script("appeal"))
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from hustings.errors import SeatError, UserError
from hustings.llm.improviser import Improviser
from hustings.runs.judging_spec import usual_rubric
from hustings.runs.registry import protocols
from hustings.runs.staging import REHEARSED, START, Rehearsal, plan, play_out, rehearse, set_stage
from hustings.script.calls import Call, Reply
from hustings.script.debate import DebateSpec, Proceedings
from hustings.script.prompt import prompt_of
from hustings.script.protocol import Protocol
from hustings.transcript.models import RunMetadata
from hustings.transcript.notes import Note

from .cases import TOPIC, USUAL, identities, late, malformed, record_of
from .protocol_suite import (
    Check,
    debates,
    improvised,
    keeps_secrets,
    lets_seats_share_what_all_may_read,
    must_be_off_the_record,
    must_end_well,
    prompts,
    required,
    settings_of,
    variants,
    writes_a_valid_record,
)
from .protocol_suite import checks as checks_of_protocols

RECORDS = (*USUAL, "competition")
"""The last one has teams, and its speeches are marked one by one."""


def needs_a_record(audit: Protocol) -> None:
    """An audit without a debate is refused."""
    try:
        rehearse(plan(audit, TOPIC, settings=required(audit)), Improviser())
    except UserError:
        return
    raise AssertionError("an audit of nothing was performed")


def leaves_the_record_as_it_is(audit: Protocol) -> None:
    """It takes notes of its own, lets no seat speak, and does not change the record it is about."""
    for debate in debates(audit):
        before = _written(debate)
        must_be_off_the_record(rehearse(debate, Improviser()))
        assert _written(debate) == before, "the audited record has changed"


def asks_the_same_in_every_run(audit: Protocol) -> None:
    """A fork has another name, and reuses only answers to questions asked in the same words."""
    for debate in debates(audit):
        keys = [_keys(debate, run_id) for run_id in ("run", "run-again")]
        assert keys[0] == keys[1], "what is asked depends on the name of the run"


def _keys(debate: DebateSpec, run_id: str) -> list[str]:
    """Keys of all calls of a run with that name."""
    driver, _ = set_stage(debate, run_id, START, RunMetadata(), fence=REHEARSED)
    return [call.key for wave in play_out(driver, Improviser()) for call in wave]


def shows_what_it_asks_about(audit: Protocol) -> None:
    """Every item that an answer may name was shown to the seat under that name."""
    for record in map(record_of, RECORDS):
        for call in (call for wave in rehearse(_about(record, audit, {}), Improviser()).waves for call in wave):
            shown = {exhibit.name for group in call.brief.exhibits for exhibit in group}
            unseen = set(call.brief.choices.get("item", ())) - shown
            assert not unseen, f"{call.key} asks about {min(unseen)!r}, which it does not show"


def reads_once_what_it_is_shown_often(audit: Protocol) -> None:
    """What several calls of a wave show to one seat comes first in all of them, so that it is paid once."""
    for played in improvised(audit):
        for wave in played.waves:
            shown = [(call.seat.id, prompt_of(call, played.debate.cast[call.seat.id]).waves) for call in wave]
            for (seat, one), (other, two) in combinations(shown, 2):
                assert seat != other or _in_common(one, two), f"{seat} is shown the same behind something else"


def keeps_judges_apart(audit: Protocol) -> None:
    """Whatever a seat answers, the others are asked the same, and so is the judge itself; a clerk works for all."""
    for debate in max((debates(audit, settings=values) for values in settings_of(audit)), key=_seated):
        usual = rehearse(debate, Improviser())
        for seat in (seat for seat in debate.seats if seat.role != "clerk"):
            other = rehearse(debate, lambda call, me=seat.id: Improviser(int(call.seat.id == me))(call))
            assert _answers(other, seat.id) != _answers(usual, seat.id), f"{seat} cannot answer in any other way"
            asked, asked_then = _asked(usual), _asked(other)
            blind = [each.id for each in debate.seats if each != seat or seat.role == "judge"]
            assert all(asked[each] == asked_then[each] for each in blind), f"a seat is told what {seat} has answered"


def hides_who_debated(audit: Protocol) -> None:
    """No prompt contains a seat, name, team or model of the debate, although its speakers call each other by name."""
    for record in map(record_of, RECORDS):
        who = re.compile("|".join(rf"(?<!\w){re.escape(each)}(?!\w)" for each in sorted(identities(record.transcript))))
        for part, key in _parts(rehearse(_about(record, audit, {}), Improviser())).items():
            found = who.search(part)
            assert found is None, f"{key} names {found.group()!r}"


def ends_on_any_record(audit: Protocol) -> None:
    """Also on the record of a debate that failed, or in which some or all said nothing, or nothing legible."""
    settings, _ = variants(audit)[0]
    for record in _poor_records():
        must_end_well(rehearse(_about(record, audit, settings), Improviser()))


OWN: tuple[Check, ...] = (
    needs_a_record,
    leaves_the_record_as_it_is,
    asks_the_same_in_every_run,
    shows_what_it_asks_about,
    reads_once_what_it_is_shown_often,
    keeps_judges_apart,
    hides_who_debated,
    ends_on_any_record,
)
OF_DEBATES_ALONE: tuple[Check, ...] = (
    writes_a_valid_record,
    lets_seats_share_what_all_may_read,
    keeps_secrets,
)
"""Checks that do not fit an audit: it has no turns, no shared record, and no notes but those kept apart above."""


def checks(places: int | None = None) -> tuple[Check, ...]:
    """All checks. `places` is the number of calls that get each kind of bad answer; None: every call."""
    return (*(check for check in checks_of_protocols(places) if check not in OF_DEBATES_ALONE), *OWN)


CHECKS = checks()


def _about(record: Proceedings, audit: Protocol, settings: dict[str, Any]) -> DebateSpec:
    """An audit of a record, by the rubric of the debate's own protocol."""
    chosen = {**required(audit), **settings}
    return plan(audit, TOPIC, settings=chosen, judged=record).model_copy(update={"rubric": usual_rubric(record)})


def _poor_records() -> Iterator[Proceedings]:
    for protocol in protocols().values():
        debate = plan(protocol, TOPIC)
        for gone in (debate.seats[0].id, debate.seats[-1].id):

            def actor(call: Call, gone: str = gone) -> Reply | SeatError:
                return late(call) if call.seat.id == gone else Improviser()(call)

            yield rehearse(debate, actor).proceedings
        yield rehearse(debate, late).proceedings
        yield rehearse(debate, malformed).proceedings


def _seated(several: Sequence[DebateSpec]) -> int:
    return sum(len(debate.seats) for debate in several)


def _written(debate: DebateSpec) -> str:
    assert debate.judged is not None
    return debate.judged.model_dump_json()


def _parts(played: Rehearsal) -> dict[str, str]:
    """Every text that occurs in a prompt, once, with the call it occurs in."""
    return {part: key for key, prompt in prompts(played) for part in (prompt.rules, *prompt.waves, prompt.tail)}


def _in_common(one: tuple[str, ...], two: tuple[str, ...]) -> bool:
    """Whether two lists share their beginning, and nothing after it."""
    alike = 0
    while alike < min(len(one), len(two)) and one[alike] == two[alike]:
        alike += 1
    return not set(one[alike:]) & set(two[alike:])


def _answers(played: Rehearsal, seat: str) -> list[Note]:
    return [note for note in played.proceedings.notes if note.by == seat]


def _asked(played: Rehearsal) -> defaultdict[str, list[str]]:
    """Seat to what it was asked, without repeated attempts."""
    found = defaultdict[str, list[str]](list)
    for call in (call for wave in played.waves for call in wave if not call.complaints):
        found[call.seat.id].append(prompt_of(call, played.debate.cast[call.seat.id]).text)
    return found
