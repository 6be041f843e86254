"""A bare stage with three seats, for scripts of a few lines."""

from hustings.core.books import Books
from hustings.core.calls import Reply, Scene
from hustings.core.debate import Debate, header
from hustings.core.forms import Speech
from hustings.core.moves import Brief
from hustings.core.performance import Performance
from hustings.core.seats import Player, Seat
from hustings.core.settings import Settings
from hustings.core.stage import Stage
from hustings.core.transcript import RunMetadata
from hustings.llm.improviser import Improviser, clock
from hustings.run.rehearse import play_out

SPEAK = Brief("speech", Speech, "Speak.")
THINK = Brief("thought", Speech, "Think.")
SEATS = (Seat("a", "left"), Seat("b", "right"), Seat("c", "right"))
START = "2026-01-01T00:00:00.000Z"
improvise = Improviser()


def put_on(script, *, retries=0):
    debate = Debate(
        debate_id="d",
        topic="t",
        protocol="p",
        version=1,
        seats=SEATS,
        cast={s.id: Player() for s in SEATS},
        retries=retries,
    )
    books = Books(header(debate, "run", START, RunMetadata()))
    stage = Stage(Scene("p", "t", "Be brief.", SEATS, run_id="run"), books, Settings())
    return Performance(script(stage, *SEATS), stage, retries=retries), stage


def play(script, actor=improvise, *, retries=0):
    """The performance, its stage, and the addresses of every wave."""
    performance, stage = put_on(script, retries=retries)
    waves = play_out(performance, actor)
    return performance, stage, [[call.address for call in wave] for wave in waves]


def saying(*words):
    """An actor with these lines, whoever is asked."""
    lines = iter(words)

    def say(call):
        line = next(lines)
        return Reply(line, clock(call)) if isinstance(line, str) else line

    return say


def turns(stage):
    return stage.books.record.transcript.turns


def speakers(stage):
    return [turn.speaker_id for turn in turns(stage)]


def rounds(stage):
    return stage.books.record.transcript.rounds
