"""What a controller saw and told stands in the report and on the screen, and is called experimental."""

import pytest

from hustings.cli.narrate import Narrator
from hustings.judging.dossier import Dossier
from hustings.llm.improviser import Improviser
from hustings.report.control_text import EXPERIMENTAL, control_summary, look_line, told_line
from hustings.report.formats import md
from hustings.report.record_view import told
from hustings.runs.request import DebateRequest, laid
from hustings.runs.staging import rehearse
from hustings.transcript.models import ControllerSnapshot, Intervention

TOPIC = "Should towns close their centres to cars?"
LOOK = {"law": "p", "rho": 0.7, "js": 0.2, "ov": 0.1, "alarm": True, "beta": 0.58, "gate": 1, "held": False}


def held(**more):
    return rehearse(laid(DebateRequest(protocol="roundtable", topic=TOPIC, **more)), Improviser())


@pytest.fixture(scope="module")
def controlled():
    return held(controller="p")


def test_the_report_says_that_control_is_experimental(controlled):
    summary = control_summary(controlled.proceedings.transcript, controlled.proceedings.notes)
    assert summary.startswith("A controller (law p) watched this debate; tone 0.50 → ")
    assert summary.endswith(EXPERIMENTAL)
    assert told(controlled.proceedings)[0] == summary
    assert EXPERIMENTAL in md.render(Dossier(proceedings=controlled.proceedings))


def test_a_report_without_a_controller_says_nothing_of_it():
    proceedings = held().proceedings
    assert control_summary(proceedings.transcript, proceedings.notes) == ""
    assert told(proceedings) == ()


def test_the_screen_shows_each_look_and_each_instruction(controlled):
    narrator = Narrator()
    lines = [line.text for event in controlled.events for line in narrator.tell(event)]
    assert sum("the controller looked" in line for line in lines) == 2
    assert any("the controller tells" in line for line in lines)


@pytest.mark.parametrize(
    ("more", "line"),
    [
        (
            {"frozen": False},
            (
                "the controller looked: reasoning 0.70 (target 0.80), divergence 0.20, common ground 0.10, "
                "agreement is hollow, tone 0.58, evidence gate 1"
            ),
        ),
        (
            {"frozen": True, "rho": None, "js": None, "ov": None, "alarm": None},
            "the controller looked: reasoning unknown (target 0.80), tone 0.58 frozen, evidence gate 1",
        ),
        ({"dial": "hold"}, "a person took the dial: hold; tone 0.58"),
    ],
)
def test_a_look_is_one_line(more, line):
    assert look_line({**LOOK, **more}) == line


def test_words_of_a_person_are_told_from_those_of_the_controller():
    def entry(trigger, snapshot=None):
        words = {"intervention_id": "iv0", "timestamp": "t", "instruction_sent": "Press."}
        return Intervention(**words, scope="global", speaker_id="ada", trigger=trigger, controller_snapshot=snapshot)

    assert told_line(entry("human_override")) == "from the chair: Press."
    by_dial = entry("human_override", ControllerSnapshot())
    assert told_line(by_dial) == "the controller tells ada (human_override): Press."
