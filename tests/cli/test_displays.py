"""Which display is chosen, and what the live one paints: finished words for good, a footer that says who speaks."""

import pytest
from inline_snapshot import snapshot

from hustings.cli.display import mode_of, repaints
from hustings.cli.display.live_state import Patience
from hustings.transcript.events import CallPaid, HumanAwaited, Paused, TextStreamed

from .display.scenes import PROTOCOLS, Stand, context, played, speaking, until

WIDTHS = (40, 80, 120)

# -- choosing ------------------------------------------------------------------------------


def test_without_a_terminal_it_is_plain():
    assert not repaints({"TERM": "xterm"}, terminal=False)


@pytest.mark.parametrize("more", [{"TERM": "dumb"}, {"TERM": ""}, {"CI": "true"}])
def test_a_terminal_that_cannot_repaint_gets_plain_lines(more):
    assert not repaints({"TERM": "xterm", **more}, terminal=True)


def test_a_terminal_gets_the_live_view():
    assert repaints({"TERM": "xterm"}, terminal=True)


def test_json_wins_over_a_display():
    assert mode_of("plain", as_json=True) == "json"


def test_what_was_asked_for_is_what_one_gets():
    assert mode_of("quiet") == "quiet"


# -- the footer ----------------------------------------------------------------------------


def test_the_footer_says_who_speaks_how_long_and_what_it_costs():
    assert speaking("competition", "opening", 80).terminal.below == snapshot(
        [
            "───────────────────────────────────────────────────────────────────────────────",
            "PRO pro_1 speaking · opening · 161/750 words · 0:12/3:00",
            "    hides a second question unless the question is put differently. A careful",
            "    reader is cheaper to undo than to argue about before anything else is",
            "    decided. A careful reader asks for evidence before anything else is",
            "    decided. What was measured last year a",
            "1. opening · stage 1 of 4 · Ctrl-C to pause",
        ]
    )


def test_two_who_speak_at_once_share_the_footer():
    assert speaking("structured", "closing", 80).terminal.below == snapshot(
        [
            "───────────────────────────────────────────────────────────────────────────────",
            "PRO speaking · closing · 32/200 words · 0:12",
            "    (002.0)",
            "    I concede CON-2, “Every exception is cheaper to undo than to argue a”: …",
            "CON speaking · closing · 18/200 words · 0:12",
            "    that pays hides a (002.1)",
            "    I concede PRO-3, “An honest estimate moves the risk elsewh”: …",
            "3. closing · free · 4 calls · Ctrl-C to pause",
        ]
    )


def test_a_person_is_waited_for_in_the_footer():
    stand = Stand(80)
    stand.show(*until("structured", "closing")[0])
    stand.now = 12.0
    con = next(address for address in stand.display.floor.open if " con " in address)
    stand.show(HumanAwaited(address=con, seat="con", key="k", task="Close."))
    stand.paint()
    assert [line for line in stand.terminal.below if line.startswith("CON waiting 0:12 for a person · closing")]


def test_who_has_not_begun_shows_how_long_how_often_and_until_when():
    events, addresses = until("structured", "opening")
    stand = Stand(80)
    stand.display.floor.patience = Patience(2, {"pro": 120.0, "con": 60.0})
    again = [event.model_copy(update={"attempt": 1}) if event.kind == "turn_begun" else event for event in events]
    stand.show(*again)
    stand.now = 12.4
    stand.show(TextStreamed(address=addresses[1], attempt=0, text='{"arguments": [{"id": "CON-1", "claim": "Some'))
    stand.paint()
    assert stand.terminal.below[1:-1] == snapshot(
        [
            "CON speaking · opening · try 2 · 2 words · 0:12",
            "    [CON-1] Some",
            "PRO waiting 12 s, try 2 of 3, limit 120 s · opening",
        ]
    )


def test_a_replay_knows_no_limit():
    stand = Stand(80)
    stand.show(*until("structured", "opening")[0])
    stand.now = 3.0
    stand.paint()
    assert "PRO waiting 3 s · opening" in stand.terminal.below


def test_while_a_person_is_asked_nothing_is_painted():
    stand = speaking("structured", "closing", 80)
    with stand.display.aside():
        stand.fed()
        stand.show(*context("structured")[0][-3:])
        assert (stand.fed(), stand.terminal.below) == ("", [])


def test_a_person_who_has_answered_is_no_longer_waited_for():
    stand = speaking("structured", "closing", 80)
    con = next(address for address in stand.display.floor.open if " con " in address)
    stand.display.heard(con)
    stand.paint()
    assert not [line for line in stand.terminal.below if line.startswith("CON")]


def test_an_answer_stays_in_sight_until_its_turn_is_entered():
    stand = speaking("structured", "opening", 80, share=1.0)
    pro = next(address for address in stand.display.floor.open if " pro " in address)
    words = stand.terminal.below[2]
    stand.show(CallPaid(address=pro, model="improviser", price=0.0))
    stand.now = 40.0
    stand.paint()
    assert [line for line in stand.terminal.below if line.startswith("PRO") or line == words] == [
        "PRO has answered; waiting for CON · opening · 124 words",
        words,
    ]
    stand.show(*context("structured")[0][len(until("structured", "opening")[0]) :])
    assert stand.display.floor.open == {}


def test_whoever_still_speaks_is_not_pushed_out_by_the_next_wave():
    stand = speaking("structured", "opening", 80)
    words = stand.terminal.below[2]
    asked = next(one for one in stand.display.floor.open.values() if one.asked.seat == "con").asked
    stand.show(asked.model_copy(update={"address": asked.address.replace("000", "001"), "attempt": 1, "seq": None}))
    stand.paint()
    assert words in stand.terminal.below


def test_a_narrow_footer_leaves_out_what_matters_least():
    assert speaking("competition", "free debate", 40).terminal.below == snapshot(
        [
            "───────────────────────────────────────",
            "PRO pro_1 speaking · 20/125 words",
            "    What was measured last year looks",
            "    simple at first before anything",
            "    else is decided. The team that pays",
            "    asks f",
            "7. free debate 1 · Ctrl-C to pause",
        ]
    )


def test_a_wide_footer_has_room_for_all_of_it():
    _, speaker, *words, status = speaking("moderated", "answer", 120, nth=1).terminal.below
    assert (speaker, status) == snapshot(
        (
            "CONTRARIAN backfire speaking · answer · 44 words · 0:12",
            "3. exchange 2 · issues: D-1 open, D-2 open · free · 8 calls · Ctrl-C to pause",
        )
    )
    assert max(map(len, words)) > 100


def test_thoughts_are_counted_and_not_shown():
    stand = speaking("competition", "plan", 80)
    assert stand.terminal.below == snapshot(
        [
            "───────────────────────────────────────────────────────────────────────────────",
            "PRO pro_1 thinking · plan · 4 words · 0:12",
            "JUDGE thinking · score · 75 words · 0:12",
            "JUDGE waiting 12 s · summary of the cross-examination",
            "7. free debate 1 · stage 3 of 4 · free · 24 calls · Ctrl-C to pause",
        ]
    )


def test_whoever_speaks_past_the_allowance_is_told_so():
    events, (address, *_) = until("competition", "opening")
    stand = Stand(80)
    stand.show(*events, TextStreamed(address=address, attempt=0, text="word " * 751))
    stand.paint()
    assert stand.terminal.below[1] == snapshot("PRO pro_1 speaking · opening · 751/750 words · 0:00/3:00 OVER")


def test_words_that_come_before_they_were_asked_for_are_not_lost():
    events, (address, *_) = until("competition", "opening")
    stand = Stand(80)
    stand.show(events[0], TextStreamed(address=address, attempt=0, text="Early words."), *events[1:])
    stand.paint()
    assert "    Early words." in stand.terminal.below


def test_a_call_made_again_begins_its_words_anew():
    events, (address, *_) = until("competition", "opening")
    stand = Stand(80)
    stand.show(*events, *(TextStreamed(address=address, attempt=n, text=f"Words {n}.") for n in range(2)))
    stand.paint()
    assert "    Words 1." in stand.terminal.below


def test_a_price_nobody_knows_is_not_nothing():
    stand = Stand(80)
    stand.show(*until("structured", "opening")[0], *(CallPaid(address="x", model="m", price=p) for p in (0.0045, None)))
    stand.paint()
    assert "$0.0045 plus unknown · 2 calls" in stand.terminal.below[-1]


def test_a_pause_shows():
    stand = Stand(80)
    stand.show(*until("structured", "opening")[0], Paused(by="user"))
    stand.paint()
    assert stand.terminal.below[-1].startswith("paused")


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_footer_is_narrower_than_the_terminal(columns):
    briefs = {"structured": "opening", "moderated": "reading", "adaptive": "position", "roundtable": "contribution"}
    for protocol, brief in briefs.items():
        assert max(map(len, speaking(protocol, brief, columns).terminal.below)) < columns


def test_a_terminal_that_grows_narrow_keeps_no_rest_of_the_footer():
    stand = speaking("structured", "closing", 80)
    stand.display.console.width = 40
    stand.terminal.screen.resize(columns=40)
    stand.paint()
    footer = list(stand.terminal.below)
    stand.close()
    assert max(map(len, footer)) < 40
    assert not [line for line in stand.terminal.lines if "^C pause" in line or "speaking" in line or "──" in line]


# -- what stays ----------------------------------------------------------------------------


LATER = pytest.mark.nightly("seconds for a competition; every other protocol is shown on every change")


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("protocol", [pytest.param(p, marks=LATER) if p == "competition" else p for p in PROTOCOLS])
def test_every_word_of_a_debate_stays_and_no_footer_does(protocol, columns):
    lines = played(protocol, columns).terminal.lines
    text = " ".join(" ".join(lines).split())
    turns = [event.turn for event in context(protocol)[0] if event.kind == "turn_entered"]
    assert all(" ".join(turn.said.split()) in text for turn in turns)
    assert not [line for line in lines if "^C pause" in line or "speaking ·" in line]


def test_words_stand_under_the_name_and_side_of_their_speaker():
    assert played("structured", 80).terminal.lines[:8] == snapshot(
        [
            "Pro and con, three rounds: Should a town close its centre to cars?",
            "",
            "== 1. opening",
            "PRO (r1.t0, 124 words):",
            "    [PRO-1] The team that pays gains more than it costs unless the question is",
            "    (000.0)",
            "    Reasoning: Every exception is cheaper to undo (000.0)",
            "    Evidence: Every exception is cheaper to undo than to argue about (000.0)",
        ]
    )


def test_a_competition_ends_with_its_board_and_the_best_debater():
    lines = played("competition", 80).terminal.lines
    assert lines[lines.index("-- final scoreboard (final scores come from the judges)") :] == snapshot(
        [
            "-- final scoreboard (final scores come from the judges)",
            "  CON          114.7  speeches 114.7, penalties 0",
            "  PRO          104.5  speeches 104.5, penalties 0",
            "    con_2       41.5  5.9 per speech, 7 speeches",
            "    con_3       34.0  5.7 per speech, 6 speeches",
            "    pro_3       31.1  6.2 per speech, 5 speeches",
            "    pro_4       30.6  6.1 per speech, 5 speeches",
            "    pro_1       29.4  4.2 per speech, 7 speeches",
            "    con_1       20.9  5.2 per speech, 4 speeches",
            "    con_4       18.2  6.1 per speech, 3 speeches",
            "    pro_2       13.4  4.5 per speech, 3 speeches",
            "  Best debater: con_2",
        ]
    )


def test_a_board_stands_after_every_stage():
    lines = played("competition", 80).terminal.lines
    assert len([line for line in lines if line.startswith("-- scoreboard after")]) == 3


def test_a_docket_is_told_when_it_changes():
    lines = [line for line in played("moderated", 80).terminal.lines if "issues:" in line]
    assert lines
    assert all(line.startswith("  issues: D-1 ") for line in lines)


def test_colours_are_those_of_the_sides_and_come_with_their_words():
    rows = [row for row in played("structured", 80).terminal.cells if row[0].data in "PC" and row[4].data == "("]
    named = [("".join(row[n].data for n in range(3)), row[0].fg) for row in rows]
    assert named[:2] == [("PRO", "blue"), ("CON", "red")]


def test_without_colour_the_words_are_the_same():
    plain = Stand(80, no_color=True)
    plain.show(*context("structured")[0])
    painted = plain.paint() + plain.close()
    assert plain.terminal.lines == played("structured", 80).terminal.lines
    assert "\x1b[34m" not in painted
