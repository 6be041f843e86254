"""The suite can fail: each check finds the protocol that deserves it."""

import pytest

from hustings.errors import RoundError
from hustings.runs.registry import find_protocol
from hustings.testing import protocol_suite as suite

SOUND = '''"""Two speak, twice each."""
from itertools import count
from pydantic import Field
from hustings.protocol import Brief, Form, Seat, Settings as Nothing, Speech, Stage, or_none

CALLS = count()

class Settings(Nothing):
    rounds: int = Field(default=3, ge=1, le=4)
    """How many rounds."""

async def play(stage: Stage[Settings]) -> None:
    a, b, *_ = stage.seats
    for n in range(stage.settings.rounds):
        with stage.round(f"{n}"):
            await or_none(stage.ask(a, SPEAK))
            await or_none(stage.ask(b, SPEAK))
        plan = await or_none(stage.consult(a, PLAN))

class Plan(Form):
    idea: str

SEATS = (Seat("a", duty="You speak for it."), Seat("b", duty="You speak against it."))
RULES = "Both speak in turn, and the first one plans."
SPEAK = Brief("speech", Speech, "Speak.")
PLAN = Brief("plan", Plan, "Plan.")
'''

CHANGES = {
    "says_what_it_is": ('    """How many rounds."""\n', ""),
    "repeats_itself": ("stage.ask(b, SPEAK)", "stage.ask(b, Brief('speech', Speech, f'Speak, {next(CALLS)}.'))"),
    "writes_a_valid_record": ("await or_none(stage.ask(b, SPEAK))", r"stage.say(b, 'hear me \x1b[2J')"),
    "lets_seats_share_what_all_may_read": ('stage.round(f"{n}")', 'stage.round(f"{n}", only_previous=True)'),
    "keeps_secrets": (
        "        plan = await or_none(stage.consult(a, PLAN))",
        """        plan = await or_none(stage.consult(a, PLAN))
        if plan: await or_none(stage.consult(b, Brief('spied', Speech, plan.idea)))""",
    ),
    "ends_under_any_settings": (
        "    a, b, *_ = stage.seats",
        "    a, b, *_ = stage.seats\n    if stage.settings.rounds == 4: await stage.ask(a, SPEAK)",
    ),
    "ends_without_a_seat": ("await or_none(stage.ask(b, SPEAK))", "(await or_none(stage.ask(b, SPEAK))).text"),
    "ends_when_an_answer_is_malformed": (
        "await or_none(stage.consult(a, PLAN))",
        "(await or_none(stage.consult(a, PLAN))).idea",
    ),
}


def check_of(name):
    return next(check for check in suite.CHECKS if check.__name__ == name)


@pytest.mark.parametrize("name", CHANGES)
def test_the_check_finds_what_it_is_for(name, installed):
    before, after = CHANGES[name]
    assert before in SOUND
    installed("duo", SOUND.replace(before, after), module=f"naughty_{name}")
    with pytest.raises((AssertionError, AttributeError, RoundError)):
        check_of(name)(find_protocol("duo"))


@pytest.mark.nightly("every check at every call; our own protocols are checked on every change")
def test_the_sound_one_passes_them_all(installed):
    installed("duo", SOUND, module="sound_duo")
    for check in suite.CHECKS:
        check(find_protocol("duo"))


def test_a_sample_of_places_has_the_first_and_the_last():
    assert suite.spread(range(100), 4) == [0, 33, 66, 99]
    assert [*suite.spread(range(3), 4)] == [*suite.spread(range(3), None)] == [0, 1, 2]


def test_a_sample_of_one_place_is_refused():
    with pytest.raises(ValueError, match="give 2 or more"):
        suite.spread(range(3), 1)


def test_as_many_places_of_a_protocol_are_tried_as_are_asked_for():
    protocol = find_protocol("structured")
    assert len([*suite.spoilt(protocol, "late", 5)]) == 5
    assert len([*suite.spoilt(protocol, "late")]) == 18
