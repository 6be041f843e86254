"""Events tell everything; folding them gives the record back."""

import pytest

from hustings.errors import BrokenFile
from hustings.llm.improviser import Improviser, clock
from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan, rehearse
from hustings.script.calls import Reply
from hustings.transcript.canonical import digest
from hustings.transcript.events import EVENT, RoundOpened, TextStreamed, TurnEntered
from hustings.transcript.models import Round
from hustings.transcript.record import fold


def played(protocol="competition"):
    return rehearse(plan(find_protocol(protocol), "Is it so?"), Improviser())


def test_events_are_numbered_from_zero_without_gaps():
    assert [event.seq for event in played().events] == list(range(len(played().events)))


def test_a_beginning_of_the_log_gives_a_beginning_of_the_record():
    run = played()
    for cut in range(1, len(run.events), 25):
        part = fold(run.events[:cut])
        whole = run.proceedings
        assert [t.said for t in part.transcript.turns] == [t.said for t in whole.transcript.turns][
            : len(part.transcript.turns)
        ]
        assert tuple(part.notes) == whole.notes[: len(part.notes)]


def test_a_log_without_its_beginning_is_refused():
    for events in (played("structured").events[1:], []):
        with pytest.raises(BrokenFile, match="begins with 'debate_started'"):
            fold(events)


def test_an_event_is_read_by_its_kind():
    event = TextStreamed(address="000.0 pro opening", attempt=0, text="Well")
    assert EVENT.validate_json(EVENT.dump_json(event)) == event


def long_winded(call):
    """Opens with more words than the rules allow, and improvises the rest."""
    return Reply("word " * 751, clock(call)) if call.brief.name == "opening" else Improviser()(call)


def test_scores_and_penalties_are_events_of_their_own():
    debate = plan(find_protocol("competition"), "Is it so?")
    kinds = {event.kind for event in rehearse(debate, long_winded).events}
    assert {"score_given", "penalty_given", "note_taken", "turn_begun", "turn_entered", "round_closed"} <= kinds


def test_every_turn_is_announced_before_it_is_entered():
    begun = {}
    for event in played().events:
        if event.kind == "turn_begun" and event.on_record:
            begun[event.address] = event.seat, event.brief, event.words
        if event.kind == "turn_entered":
            assert begun.pop(event.address) == (event.turn.speaker_id, event.turn.metadata.kind, event.words)
    assert begun == {}


def test_what_is_written_is_sealed_and_the_notes_are_bound_to_it():
    found = played("structured").proceedings
    bare = found.transcript.document()
    notes = found.notes_document()
    assert found.document()["integrity"]["digest"] == notes["transcript_digest"] == digest(bare)
    assert (notes["run_id"], len(notes["notes"])) == (found.transcript.run_id, len(found.notes))


def test_an_imported_round_says_no_more_than_its_file():
    first, theirs = played("structured").events[0], Round(round_index=1, turns=[], round_notes="theirs")
    opened = RoundOpened(round_index=1, label="round 1", imported=theirs)
    entered = next(event for event in played("structured").events if isinstance(event, TurnEntered))
    (found,) = fold([first, opened, entered]).transcript.rounds
    assert (found.label, found.round_notes, len(found.turns), theirs.turns) == (None, "theirs", 1, [])
