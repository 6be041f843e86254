"""Playing a protocol with given words where they matter, and improvised ones elsewhere."""

from hustings.errors import SeatError
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.script.forms import Form

TOPIC = "Should a town close its centre to cars?"


def play(protocol, actor=None, *, retries=None, topic=TOPIC, **settings):
    return rehearse(plan(find_protocol(protocol), topic, settings=settings, retries=retries), actor or Improviser())


def with_words(lines, seed=0):
    """An actor that improvises but where `lines` has a word: by "seat brief", one answer or one per asking."""
    waiting = {key: list(value) if isinstance(value, list) else None for key, value in lines.items()}

    def answer(call):
        key = f"{call.seat} {call.brief.name}"
        line = lines.get(key)
        if isinstance(line, list):
            line = waiting[key].pop(0) if waiting[key] else None
        if callable(line) and not isinstance(line, Form):
            line = line(call)
        match line:
            case None:
                return Improviser(seed)(call)
            case Form():
                return Reply(line.model_dump_json(), clock(call))
            case str():
                return Reply(line, clock(call))
            case SeatError():
                return line

    return answer


def notes(played, kind):
    return [note for note in played.proceedings.notes if note.kind == kind]


def turns(played):
    return played.proceedings.transcript.turns


def labels(played):
    return [r.label for r in played.proceedings.transcript.rounds]
