"""What goes on in a run, by its events."""

from hustings.transcript.events import CallPaid, HumanAwaited, Paused, Resumed, TurnBegun
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
