"""Turns of two debates stand side by side where they stand in the same place."""

from hypothesis import given
from hypothesis import strategies as st

from hustings.judging.comparison import aligned
from hustings.judging.dossier import Dossier
from hustings.transcript.models import Attempt, Round, Turn

from .judgings import THEN, debated

PLAYED = debated("structured").proceedings
PARTS = st.lists(
    st.tuples(st.sampled_from(["opening", "rebuttal", None]), st.lists(st.sampled_from(["pro", "con"]), max_size=3)),
    max_size=4,
)


def of(parts, words="said"):
    """A debate of labelled rounds in which these seats speak."""
    rounds = [
        Round(
            round_index=n,
            label=label,
            turns=[
                Turn(
                    turn_id=f"r{n}.t{place}",
                    round_index=n,
                    turn_index_in_round=place,
                    speaker_id=seat,
                    attempts=[Attempt(attempt_index=0, timestamp=THEN, status="ok", content=words)],
                )
                for place, seat in enumerate(seats)
            ],
        )
        for n, (label, seats) in enumerate(parts, 1)
    ]
    transcript = PLAYED.transcript.model_copy(update={"rounds": rounds})
    return Dossier(proceedings=PLAYED.model_copy(update={"transcript": transcript}))


def test_a_debate_is_aligned_with_itself_turn_by_turn():
    turns = [turn.turn_id for turn in PLAYED.transcript.turns]
    itself = Dossier(proceedings=PLAYED)
    assert [row.turns for row in aligned(itself, itself)] == [(turn, turn) for turn in turns]


def test_words_stand_beside_their_turns():
    (row,) = aligned(of([("opening", ["pro"])], "ours"), of([("opening", ["pro"])], "theirs"))
    assert (row.label, row.seat, row.words) == ("opening", "pro", ("ours", "theirs"))


def test_the_second_turn_of_a_seat_in_a_part_is_aligned_with_the_second():
    rows = aligned(of([("free", ["pro", "con", "pro"])]), of([("free", ["con", "pro", "pro"])]))
    assert [row.turns for row in rows] == [("r1.t0", "r1.t1"), ("r1.t1", "r1.t0"), ("r1.t2", "r1.t2")]


def test_what_one_of_them_lacks_stands_alone_where_it_was_said():
    rows = aligned(
        of([("opening", ["pro"]), ("end", ["pro"])]), of([("opening", ["pro"]), ("more", ["con"]), ("end", ["pro"])])
    )
    assert [(row.label, row.turns) for row in rows] == [
        ("opening", ("r1.t0", "r1.t0")),
        ("more", (None, "r2.t0")),
        ("end", ("r2.t0", "r3.t0")),
    ]


@given(PARTS, PARTS)
def test_every_turn_of_either_stands_in_one_row(first, second):
    ours, theirs = of(first), of(second)
    rows = aligned(ours, theirs)
    for side, dossier in enumerate((ours, theirs)):
        named = [row.turns[side] for row in rows if row.turns[side]]
        assert sorted(named) == sorted(turn.turn_id for turn in dossier.proceedings.transcript.turns)


@given(PARTS, PARTS)
def test_turning_them_round_turns_the_rows_round(first, second):
    there, back = aligned(of(first), of(second)), aligned(of(second), of(first))
    assert {row.turns for row in there} == {row.turns[::-1] for row in back}
