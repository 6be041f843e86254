"""A speaker of another program whose name gives orders is refused, or evaluated like one whose name does not."""

import json

import pytest

from hustings.errors import Unsuitable
from hustings.script.debate import Proceedings
from hustings.script.prompt import prompt_of
from hustings.transcript.notes import Played
from tests.judging.debaters import INJECTIONS, SIGN, injection
from tests.transcript.imports.foreign import imported

from .held_evaluations import TOPIC, FairEvaluator, evaluated

SAID = ("Trams are quieter than cars.", "Buses cost less than trams.") * 2


def talk(name):
    """A debate of four messages, as another program wrote it down."""
    speakers = (name, "Ben") * 2
    messages = [{"name": who, "role": "assistant", "content": said} for who, said in zip(speakers, SAID, strict=True)]
    (found,) = imported(json.dumps({"topic": TOPIC, "messages": messages}))
    return Proceedings(transcript=found.transcript, notes=(), result=None, ending=Played())


NAMES = {kind: injection(kind, "roundtable") for kind in INJECTIONS}
LONG = [kind for kind, name in NAMES.items() if "\n" in name]


@pytest.mark.parametrize("kind", LONG)
def test_a_name_of_several_lines_is_refused(kind):
    with pytest.raises(Unsuitable, match="can't be the name"):
        talk(NAMES[kind])


@pytest.mark.parametrize("kind", [kind for kind in NAMES if kind not in LONG])
def test_a_name_that_gives_orders_reaches_no_judge_and_changes_no_figure(kind):
    record = talk(NAMES[kind])
    made, calm = evaluated(record, FairEvaluator()), evaluated(talk("Ada"), FairEvaluator())
    debate = made.rehearsal.debate
    calls = [call for wave in made.rehearsal.waves for call in wave]
    prompts = [prompt_of(call, debate.cast[call.seat.id]) for call in calls]
    assert [prompt for prompt in prompts if SIGN in repr(prompt)] == []
    assert made.figures.run_summary == calm.figures.run_summary
