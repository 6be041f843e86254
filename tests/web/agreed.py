"""A recorded competition, event by event: score, benches and speaking time as the record has them.

The pages fold the same events on their own; `python -m tests.web.agreed` writes down what they must come to.
"""

import gzip
import json
from collections import Counter
from itertools import pairwise
from pathlib import Path

from hustings.judging.score_board import board
from hustings.rubrics.speech import SpeechScore
from hustings.text.words import count_words
from hustings.transcript.events import EVENT, ScoreGiven, SeatMissed, TurnBegun, TurnEntered
from hustings.transcript.record import Record

ROOT = Path(__file__).parents[2]
RECORDING = ROOT / "src/hustings/data/recordings/5-phones.jsonl.gz"
FILE = Path(__file__).with_suffix(".json")


def log():
    lines = gzip.decompress(RECORDING.read_bytes()).decode().splitlines()[1:]
    return [EVENT.validate_python(told["event"]) for told in map(json.loads, lines) if "event" in told]


def rows(events):
    """What the record says after each event, as far as it differs from the event before."""
    told = [*stands(events)]
    changed = [told[0], *(row for before, row in pairwise(told) if row[1:] != before[1:])]
    return [[seq, said] for seq, *said in changed]


def stands(events):
    first, *rest = events
    record, marks, open_, last, left = Record(first.header), {}, {}, {}, {}
    times = Counter()
    yield first.seq, *figures(record, marks, open_, last, times, left)
    for event in rest:
        record.apply(event)
        match event:
            case TurnBegun(on_record=True):
                open_[event.seat] = event
            case TurnEntered():
                seat, said = event.turn.speaker_id, event.turn.said
                asked = open_.pop(seat)
                times[seat] += bool(said)
                last[seat] = "spoke" if said else "missed"
                if said == event.turn.attempts[-1].content and asked.words:
                    used = round_half_up(count_words(said) * asked.seconds / asked.words)
                    left[event.turn.turn_id] = asked.seconds - used
            case SeatMissed():
                last[event.state.agent_id] = "missed"
            case ScoreGiven():
                note = event.note
                marks[note.about[0].turn_id] = SpeechScore.model_validate_json(json.dumps(note.body)).total
            case _:
                pass
        yield event.seq, *figures(record, marks, open_, last, times, left)


def figures(record, marks, open_, last, times, left):
    found = board(record.transcript, record.notes, marks, (), SpeechScore)
    seats = {
        one.seat: [one.total, times[one.seat], "asked" if one.seat in open_ else last.get(one.seat, "waits")]
        for one in found.individuals
    }
    return {team.team: [team.total, team.penalties] for team in found.teams}, seats, dict(left)


def round_half_up(figure):
    return int(figure + 0.5)


def main():
    lines = ",\n".join(json.dumps(row) for row in rows(log()))
    FILE.write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
