"""What goes on in a run, by its events."""

from hustings.llm.improviser import Improviser
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.transcript.events import CallPaid, HumanAwaited, Paused, Resumed, SeatMissed, TurnBegun
from hustings.transcript.models import ParticipantState
from hustings.transcript.record import progress_after


def asked(address, *, on_record=True):
    _, seat, brief = address.split(" ", 2)
    return TurnBegun(address=address, seat=seat, brief=brief, on_record=on_record, attempt=0)


def paid(address, price=0.5):
    return CallPaid(address=address, model="m", price=price)


PRO, CON = "000.0 pro opening", "000.1 con opening"


def test_whoever_was_asked_and_has_no_answer_is_speaking():
    progress = progress_after([asked(PRO), asked(CON), paid(PRO)])
    assert (progress.speaking, progress.answered, [*progress.open]) == (("con",), {PRO}, [PRO, CON])


def test_a_thought_is_over_when_it_is_paid():
    assert progress_after([asked(PRO, on_record=False), paid(PRO)]).open == {}


def test_the_next_wave_closes_what_is_answered_and_leaves_who_still_speaks():
    progress = progress_after([asked(PRO), asked(CON), paid(PRO), asked("001.0 ann question")])
    assert [*progress.open] == [CON, "001.0 ann question"]
    assert (progress.speaking, progress.wave) == (("ann",), ("001.0 ann question",))


def test_a_person_is_awaited_until_the_next_wave():
    waiting = HumanAwaited(address=CON, seat="con", key="k")
    progress = progress_after([asked(PRO), asked(CON), waiting])
    later = progress_after([asked("001.0 pro opening")], progress)
    assert ([*progress.awaited], [*later.awaited], [*later.people]) == ([CON], [], [CON])


def test_a_price_that_nobody_knows_is_no_price_of_nothing():
    progress = progress_after([asked(PRO), paid(PRO), asked(CON), paid(CON, None)])
    assert (progress.calls, progress.spent, progress.unpriced) == (2, 0.5, True)


def test_what_went_on_before_stays_as_it_was():
    before = progress_after([asked(PRO), Paused(by="ann")])
    after = progress_after([Resumed(by="bob"), asked(CON), paid(PRO)], before)
    assert (before.paused_by, [*before.open], before.calls) == ("ann", [PRO], 0)
    assert (after.paused, after.calls) == (False, 1)


def test_nothing_is_open_when_a_debate_has_ended():
    events = rehearse(plan(find_protocol("roundtable"), "Is it so?"), Improviser()).events
    progress = progress_after(events)
    assert (progress.open, progress.wave, progress.ending) == ({}, (), events[-1].ending)


def test_each_round_has_its_label_while_it_lasts():
    events = rehearse(plan(find_protocol("roundtable"), "Is it so?"), Improviser()).events
    rounds = [event for event in events if event.kind == "round_opened"]
    assert [progress_after(events[: event.seq + 1]).round for event in rounds] == rounds


def test_a_seat_that_did_not_answer_is_asked_nothing_any_more():
    state = ParticipantState(timestamp="2026-01-01T00:00:00.000Z", agent_id="pro", event_type="timeout")
    assert [*progress_after([asked(PRO), asked(CON), SeatMissed(state=state)]).open] == [CON]
