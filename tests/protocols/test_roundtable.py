"""Rotation, visibility, regimes, and names that become edges."""

from inline_snapshot import snapshot

from hustings.errors import SeatFailed
from hustings.protocols.roundtable import Contribution, Reply

from .playing import play, turns, with_words


def orders(played):
    return [r.planned_speaking_order for r in played.proceedings.transcript.rounds]


def test_the_first_speaker_rotates():
    assert orders(play("roundtable", rounds=4)) == snapshot(
        [["ada", "ben", "chi"], ["ben", "chi", "ada"], ["chi", "ada", "ben"], ["ada", "ben", "chi"]]
    )


def test_everybody_reads_everything_said_so_far():
    played = play("roundtable")
    assert [len(call.knowledge.turns) for wave in played.waves for call in wave] == list(range(9))


def test_under_the_ablation_only_the_round_before_is_read():
    played = play("roundtable", visibility="prior_round_only")
    assert [len(call.knowledge.turns) for wave in played.waves for call in wave] == [0, 0, 0, 3, 3, 3, 3, 3, 3]
    assert {r.transcript_visibility for r in played.proceedings.transcript.rounds} == {"prior_round_only"}


def test_on_the_form_nobody_is_offered_whose_words_cannot_be_read():
    played = play("roundtable", visibility="prior_round_only", regime="structured", rounds=2)
    offered = [call.brief.choices["seat"] for wave in played.waves for call in wave]
    assert offered[:3] == [(), (), ()]
    assert all(len(seats) == 2 for seats in offered[3:])


def test_on_the_form_the_list_tells_who_is_answered():
    reply = Reply(to="chi", claim="buses are late", reply="They are not.")
    given = Contribution(replies=(reply,), position="Close it.", reasons="Fewer accidents happen.")
    played = play("roundtable", with_words({"ben contribution": [given]}), regime="structured")
    (edge,) = turns(played)[1].addresses
    assert (edge.target_agent_id, edge.evidence, edge.target_turn_id) == ("chi", "buses are late", None)


def test_each_seat_has_a_starting_point_of_its_own_and_it_is_recorded():
    played = play("roundtable", seats=12)
    starts = [seat.duty.partition("You always ask first: ")[2] for seat in played.debate.seats]
    assert len({*starts}) == 12
    tags = [p.tags for p in played.proceedings.transcript.participants]
    assert tags == [[f"persona:starting point: {start}"] for start in starts]


def test_a_baseline_has_identical_seats():
    played = play("roundtable", seating="identical")
    assert len({seat.duty for seat in played.debate.seats}) == 1
    assert {p.tags for p in played.proceedings.transcript.participants} == {None}


def test_nobody_answers_themselves():
    reply = Reply(to="ben", claim="buses are late", reply="They are not.")
    given = Contribution(replies=(reply,), position="Close it.", reasons="Fewer accidents happen.")
    played = play("roundtable", with_words({"ben contribution": [given]}), regime="structured", retries=1)
    rejected = [e for e in played.events if e.kind == "attempt_rejected"]
    assert "'ben' is none of the seats" in rejected[0].complaints[0]


def test_a_seat_that_misses_a_round_is_back_in_the_next():
    played = play("roundtable", with_words({"ben contribution": [SeatFailed("ben left")]}))
    spoke = [[t.speaker_id for t in r.turns] for r in played.proceedings.transcript.rounds]
    assert spoke == [["ada", "chi"], ["ben", "chi", "ada"], ["chi", "ada", "ben"]]
    assert [r.round_status for r in played.proceedings.transcript.rounds] == ["partial", "complete", "complete"]


def test_nothing_has_to_be_agreed():
    played = play("roundtable")
    assert played.proceedings.result is None
    assert played.proceedings.transcript.mode == "posthoc"


def test_the_regime_stands_in_the_metadata():
    for regime in ("natural", "structured"):
        assert play("roundtable", regime=regime).proceedings.transcript.run_metadata.prompt_regime == regime
