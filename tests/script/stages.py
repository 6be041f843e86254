"""A bare stage with three seats, for scripts of a few lines."""

from hustings.llm.improviser import Improviser, clock
from hustings.runs.staging import play_out
from hustings.script.calls import DebateContext, Reply
from hustings.script.debate import DebateSpec, header
from hustings.script.driver import Driver
from hustings.script.forms import Speech
from hustings.script.moves import Brief
from hustings.script.recorder import Recorder
from hustings.script.seats import Player, Seat
from hustings.script.stage import Settings, Stage
from hustings.transcript.models import RunMetadata

SPEAK = Brief("speech", Speech, "Speak.")
THINK = Brief("thought", Speech, "Think.")
SEATS = (Seat("a", "left"), Seat("b", "right"), Seat("c", "right"))
START = "2026-01-01T00:00:00.000Z"
improvise = Improviser()


def put_on(script, *, retries=0):
    debate = DebateSpec(
        debate_id="d",
        topic="t",
        protocol="p",
        version=1,
        seats=SEATS,
        cast={s.id: Player() for s in SEATS},
        retries=retries,
    )
    recorder = Recorder(header(debate, "run", START, RunMetadata()))
    stage = Stage(DebateContext("p", "t", "Be brief.", SEATS, run_id="run"), recorder, Settings())
    return Driver(script(stage, *SEATS), stage, retries=retries), stage


def play(script, actor=improvise, *, retries=0):
    """The performance, its stage, and the addresses of every wave."""
    driver, stage = put_on(script, retries=retries)
    waves = play_out(driver, actor)
    return driver, stage, [[call.address for call in wave] for wave in waves]


def saying(*words):
    """An actor with these lines, whoever is asked."""
    lines = iter(words)

    def say(call):
        line = next(lines)
        return Reply(line, clock(call)) if isinstance(line, str) else line

    return say


def turns(stage):
    return stage.recorder.record.transcript.turns


def speakers(stage):
    return [turn.speaker_id for turn in turns(stage)]


def rounds(stage):
    return stage.recorder.record.transcript.rounds
