"""Dossiers of debates that were rehearsed and judged, each made once."""

from functools import cache

from hustings.judging.dossier import Dossier, Expense
from hustings.text.figures import STEERING
from hustings.transcript.notes import Played
from tests.judging.judgings import debated, judgement_of

from . import test_briefing, test_markdown


@cache
def judged(protocol):
    played = debated(protocol)
    run = played.proceedings.transcript.run_id
    bill = Expense(what="debate", run_id=run, calls=6, tokens=1234, spent=0.0123)
    return Dossier(proceedings=played.proceedings, judgement=judgement_of(protocol), expenses=(bill,))


def unjudged(protocol):
    return judged(protocol).model_copy(update={"judgement": None})


def everywhere(word, *, ending=None):
    """A dossier with one text wherever a text can stand."""
    proceedings = test_markdown.everywhere(word)
    bill = Expense(what=word, run_id=word, calls=1, tokens=1, spent=0.5)
    update = {"ending": ending or Played()}
    return Dossier(
        proceedings=proceedings.model_copy(update=update), judgement=test_briefing.everywhere(word), expenses=(bill,)
    )


def steering(text):
    """Signs that a screen or page would act on."""
    return STEERING.findall(text.replace("\r\n", "\n"))
