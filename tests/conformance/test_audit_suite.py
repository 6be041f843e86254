"""The suite can fail: each check finds the audit that deserves it."""

import pytest

from hustings.runs.registry import find_script
from hustings.testing import AUDIT_CHECKS

SOUND = '''"""Two judges count what is left of a debate."""
from pydantic import Field
from hustings.protocol import Brief, Form, Seat, Settings as Nothing, Speech, Stage, or_none
from hustings.errors import Unsuitable
from hustings.script.moves import Exhibit
from hustings.judging.anonymise import mask
from hustings.judging.arguments import sides, speeches

class Settings(Nothing):
    counts: int = Field(default=2, ge=1, le=3)
    """How often each counts."""

async def play(stage: Stage[Settings]) -> None:
    if stage.subject is None: raise Unsuitable("there is nothing to count: name a debate that is over")
    transcript = stage.subject.judged.transcript
    turns = speeches(transcript)
    hidden = mask(transcript, {t.turn_id: sides(transcript)[t.speaker_id] for t in turns}, transcript.run_id)
    shown = [Exhibit(hidden.labels[t.turn_id], "a turn", hidden.words(t.said)) for t in turns]
    asked = COUNT.showing(*shown).offering(item=[e.name for e in shown])
    briefs = [asked.about(n=n).showing(Exhibit("part", "a part", f"{n}")) for n in range(stage.settings.counts)]
    calls = [or_none(stage.consult(seat, brief)) for seat in stage.seats for brief in briefs]
    counted = await stage.together(*calls)

class Count(Form):
    left: int = Field(ge=0, le=100)

SEATS = (
    Seat("one", role="judge", duty="You count."),
    Seat("two", role="judge", duty="You count as well."),
)
RULES = "Each counts alone, as often as is asked."
COUNT = Brief("count {n}", Count, "How much is left of it?", afresh=True)
'''

CHANGES = {
    "says_what_it_is": ('    """How often each counts."""\n', ""),
    "plays_to_its_end": ("    counted = await stage.together(*calls)", "    for call in calls: call.close()"),
    "ends_under_any_settings": ("    asked = ", "    if stage.settings.counts == 3: turns[len(turns)]\n    asked = "),
    "ends_without_a_seat": ("(*calls)", "(*calls)\n    counted[-1].left"),
    "ends_when_an_answer_is_malformed": ("(*calls)", "(*calls)\n    counted[0].left"),
    "needs_a_record": ("raise Unsuitable", "return str"),
    "leaves_the_record_as_it_is": ("    asked = ", "    transcript.rounds[0].label = 'seen'\n    asked = "),
    "asks_the_same_in_every_run": ("turns}, transcript.run_id)", "turns}, stage.context.run_id)"),
    "shows_what_it_asks_about": ("item=[e.name for e in shown]", "item=['the whole']"),
    "reads_once_what_it_is_shown_often": (
        'asked.about(n=n).showing(Exhibit("part", "a part", f"{n}"))',
        'COUNT.about(n=n).showing(Exhibit("part", "a part", f"{n}")).showing(*shown)',
    ),
    "keeps_judges_apart": (
        "(*calls)",
        "(*calls)\n    await or_none(stage.consult(stage.seats[1], Brief('sum', Count, f'{counted[0]}')))",
    ),
    "hides_who_debated": ("hidden.words(t.said)", "t.said"),
    "ends_on_any_record": ("    asked = ", "    turns[0]\n    asked = "),
}


def check_of(name):
    return next(check for check in AUDIT_CHECKS if check.__name__ == name)


@pytest.mark.parametrize("name", CHANGES)
def test_the_check_finds_what_it_is_for(name, installed):
    before, after = CHANGES[name]
    assert before in SOUND
    installed("count", SOUND.replace(before, after), module=f"naughty_audit_{name}", group=AUDITS)
    with pytest.raises((AssertionError, AttributeError, IndexError)):
        check_of(name)(find_script("count"))


def test_an_audit_that_has_somebody_speak_is_found(installed):
    loud = "    with stage.round('speech'): await or_none(stage.ask(stage.seats[0], SPEAK))\n    counted = "
    speak = "SPEAK = Brief('speech', Speech, 'Speak.')\n"
    installed("count", SOUND.replace("    counted = ", loud) + speak, module="loud_audit", group=AUDITS)
    with pytest.raises(AssertionError, match="opens no round"):
        check_of("leaves_the_record_as_it_is")(find_script("count"))


@pytest.mark.parametrize("check", AUDIT_CHECKS, ids=lambda check: check.__name__)
def test_the_sound_one_passes(check, installed):
    installed("count", SOUND, module="sound_audit", group=AUDITS)
    check(find_script("count"))


AUDITS = "audits"
