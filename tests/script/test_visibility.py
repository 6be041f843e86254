"""Who may read what, as laws."""

from hypothesis import given
from hypothesis import strategies as st

from hustings.script.visibility import Entered, Standpoint, knowledge, may_follow
from hustings.transcript.events import EVENT, NoteTaken, PenaltyGiven, RoundOpened, ScoreGiven, TurnEntered
from hustings.transcript.models import Attempt, Turn, TurnMetadata
from hustings.transcript.notes import Note

SEATS = ("a", "b", "c")
READERS = st.none() | st.frozensets(st.sampled_from(SEATS))


@st.composite
def recorder(draw):
    """Some turns and notes, and a line that set out after some of them with words of its own since."""
    turns = [
        Entered(turn(n, draw(st.sampled_from(SEATS)), lost=draw(st.booleans())), n // 2, draw(READERS))
        for n in range(draw(st.integers(0, 8)))
    ]
    notes = [note(n, draw(st.sampled_from(SEATS)), draw(READERS) or ()) for n in range(draw(st.integers(0, 6)))]
    ids = [e.turn.turn_id for e in turns] + [n.note_id for n in notes]
    own = draw(st.frozensets(st.sampled_from(ids))) if ids else frozenset()
    line = draw(
        st.just(Standpoint())
        | st.builds(Standpoint, st.integers(0, len(turns)), st.integers(0, len(notes)), st.just(own))
    )
    return turns, notes, line


def turn(n, speaker, *, lost):
    status = "failed" if lost else "ok"
    attempt = Attempt(attempt_index=0, timestamp="2026-01-01T00:00:00.000Z", status=status, content=f"words {n}")
    return Turn(
        turn_id=f"t{n}", round_index=1 + n // 3, turn_index_in_round=n % 3, speaker_id=speaker, attempts=[attempt]
    )


def note(n, by, readers):
    at = "2026-01-01T00:00:00.000Z"
    return Note(note_id=f"n{n}", kind=f"kind {n % 2}", by=by, visible_to=tuple(readers), created_at=at, body={"n": n})


@given(recorder(), st.sampled_from(SEATS))
def test_nobody_reads_what_was_not_meant_for_them(some, seat):
    turns, notes, line = some
    known = knowledge(seat, turns, notes, line)
    readers = {e.turn.turn_id: e.readers for e in turns}
    for shown in known.turns:
        may = readers[shown.turn_id]
        assert may is None or seat in may
    for item in known.private:
        if isinstance(item, Note):
            assert seat == item.by or seat in item.visible_to


@given(recorder(), st.sampled_from(SEATS))
def test_a_line_knows_nothing_that_came_after_it_set_out_but_its_own(some, seat):
    turns, notes, line = some
    if line.turns is None:
        return
    later = {e.turn.turn_id for e in turns[line.turns :]} | {n.note_id for n in notes[line.notes :]}
    known = knowledge(seat, turns, notes, line)
    shown = {t.turn_id for t in known.turns} | {n.note_id for n in known.private if isinstance(n, Note)}
    assert shown & later <= line.own


@given(recorder())
def test_the_public_part_is_the_same_for_every_seat(some):
    turns, notes, line = some
    first, *rest = (knowledge(seat, turns, notes, line).public for seat in SEATS)
    assert all(other == first for other in rest)


@given(recorder(), st.sampled_from(SEATS))
def test_a_lost_turn_is_never_read(some, seat):
    turns, notes, line = some
    assert all(shown.said for shown in knowledge(seat, turns, notes, line).turns)


@given(recorder(), st.sampled_from(SEATS))
def test_everything_public_is_read_from_the_main_line(some, seat):
    turns, notes, _ = some
    public = [e.turn for e in turns if e.readers is None and e.turn.said]
    assert [t for wave in knowledge(seat, turns, notes, Standpoint()).public for t in wave] == public


@given(recorder(), st.sampled_from(SEATS), st.integers(1, 3))
def test_with_one_round_alone_no_other_is_read(some, seat, only):
    turns, notes, line = some
    assert {t.round_index for t in knowledge(seat, turns, notes, line, only_round=only).turns} <= {only}


def logged(event, **fields):
    return EVENT.validate_python({"kind": event, **fields})


AT = {"address": "w0", "seat": "b"}
ATTEMPT = {"attempt_index": 0, "timestamp": "2026-01-01T00:00:00.000Z", "status": "failed", "content": "no"}
PUBLIC = (
    RoundOpened(round_index=1, label="opening"),
    TurnEntered(turn=turn(0, "b", lost=False)),
    logged("human_awaited", address="w0", seat="a"),
    NoteTaken(note=note(0, "a", ())),
    ScoreGiven(note=note(0, "b", ("a",))),
)
PRIVATE = (
    TurnEntered(turn=turn(0, "b", lost=False).model_copy(update={"metadata": TurnMetadata(readers=["b", "c"])})),
    logged("human_awaited", **AT),
    logged("attempt_rejected", **AT, brief="x", on_record=True, attempt=ATTEMPT, complaints=()),
    NoteTaken(note=note(0, "b", ("c",))),
    PenaltyGiven(note=note(0, "b", ())),
    logged("call_paid", address="w0", model="m"),
    logged("call_delayed", **AT, model="m", endpoint="127.0.0.1:9", at="2026-01-01T00:00:00.000Z", reason="fault"),
    logged("budget_changed", spent=1, held=0, cap=2),
    logged("text_streamed", address="w0", attempt=0, text="half a th"),
)


def test_a_person_follows_what_everyone_may_read_and_what_is_meant_for_the_seat():
    assert [may_follow("a", event) for event in PUBLIC] == [True] * len(PUBLIC)


def test_a_person_does_not_follow_what_is_meant_for_others():
    assert [may_follow("a", event) for event in PRIVATE] == [False] * len(PRIVATE)
