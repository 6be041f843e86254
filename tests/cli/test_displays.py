"""Which display is chosen, and what the live one paints: finished words for good, a footer that says who speaks."""

import pytest
from inline_snapshot import snapshot

from hustings.cli.display import mode_of, repaints
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
            "PRO pro_1 speaks · opening · 161/750 words · 0:12/3:00",
            "    hides a second question unless the question is put differently. A careful",
            "    reader is cheaper to undo than to argue about before anything else is",
            "    decided. A careful reader asks for evidence before anything else is",
            "    decided. What was measured last year a",
            "1. opening · stage 1 of 4 · ^C pause",
        ]
    )


def test_two_who_speak_at_once_share_the_footer():
    assert speaking("structured", "closing", 80).terminal.below == snapshot(
        [
            "───────────────────────────────────────────────────────────────────────────────",
            "PRO speaks · closing · 81/200 words · 0:12",
            "        why: Every exception gains more than it costs unless the question is",
            "    put diff",
            "CON speaks · closing · 86/200 words · 0:12",
            "      - claim: PRO-2",
            "        why: What was measured last year hides a seco",
            "3. closing · free · 4 calls · ^C pause",
        ]
    )


def test_a_person_is_waited_for_in_the_footer():
    stand = speaking("structured", "closing", 80)
    con = next(address for address in stand.display.floor.open if " con " in address)
    stand.show(HumanAwaited(address=con, seat="con", key="k", task="Close."))
    stand.paint()
    assert "CON is waited for · closing · 86/200 words · 0:12" in stand.terminal.below


def test_a_narrow_footer_leaves_out_what_matters_least():
    assert speaking("competition", "free debate", 40).terminal.below == snapshot(
        [
            "───────────────────────────────────────",
            "PRO pro_1 speaks · 20/125 words",
            "    What was measured last year looks",
            "    simple at first before anything",
            "    else is decided. Whoever pays for",
            "    it asks f",
            "7. free debate 1 · free · ^C pause",
        ]
    )


def test_a_wide_footer_has_room_for_all_of_it():
    _, speaker, *words, status = speaking("moderated", "answer", 120, nth=1).terminal.below
    assert (speaker, status) == snapshot(
        (
            "CONTRARIAN backfire speaks · answer · 45 words · 0:12",
            "3. exchange 2 · docket: D-1 open, D-2 open · free · 8 calls · ^C pause",
        )
    )
    assert max(map(len, words)) > 100


def test_thoughts_are_counted_and_not_shown():
    stand = speaking("competition", "plan", 80)
    assert stand.terminal.below == snapshot(
        [
            "───────────────────────────────────────────────────────────────────────────────",
            "PRO pro_1 thinks · plan · 6 words · 0:12",
            "JUDGE thinks · score · 50 words · 0:12",
            "JUDGE thinks · summary of the cross-examination · 0:12",
            "7. free debate 1 · stage 3 of 4 · free · 24 calls · ^C pause",
        ]
    )


def test_whoever_speaks_past_the_allowance_is_told_so():
    events, (address, *_) = until("competition", "opening")
    stand = Stand(80)
    stand.show(*events, TextStreamed(address=address, attempt=0, text="word " * 751))
    stand.paint()
    assert stand.terminal.below[1] == snapshot("PRO pro_1 speaks · opening · 751/750 words · 0:00/3:00 OVER")


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
    assert "$0.0045 + unpriced · 2 calls" in stand.terminal.below[-1]


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
    assert not [line for line in stand.terminal.lines if "^C pause" in line or "speaks" in line or "──" in line]


# -- what stays ----------------------------------------------------------------------------


LATER = pytest.mark.nightly("seconds for a competition; every other protocol is shown on every change")


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("protocol", [pytest.param(p, marks=LATER) if p == "competition" else p for p in PROTOCOLS])
def test_every_word_of_a_debate_stays_and_no_footer_does(protocol, columns):
    lines = played(protocol, columns).terminal.lines
    text = " ".join(" ".join(lines).split())
    turns = [event.turn for event in context(protocol)[0] if event.kind == "turn_entered"]
    assert all(" ".join(turn.said.split()) in text for turn in turns)
    assert not [line for line in lines if "^C pause" in line or "speaks ·" in line]


def test_words_stand_under_the_name_and_side_of_their_speaker():
    assert played("structured", 80).terminal.lines[:8] == snapshot(
        [
            "structured/1: Should a town close its centre to cars?",
            "",
            "== 1. opening",
            "PRO (r1.t0, 124 words):",
            "    [PRO-1] Whoever pays for it gains more than it costs unless the question is",
            "    (000.0)",
            "    Reasoning: Every exception is cheaper to undo (000.0)",
            "    Evidence: Every exception is cheaper to undo than to argue about (000.0)",
        ]
    )


def test_a_competition_ends_with_its_board_and_the_best_debater():
    lines = played("competition", 80).terminal.lines
    assert lines[lines.index("-- final board, by the judge at the table; provisional") :] == snapshot(
        [
            "-- final board, by the judge at the table; provisional",
            "  CON          115.3  speeches 115.3, penalties 0",
            "  PRO          115.1  speeches 115.1, penalties 0",
            "    pro_1       41.5  5.9 a speech, 7 speeches",
            "    con_3       39.2  6.5 a speech, 6 speeches",
            "    con_2       38.9  5.6 a speech, 7 speeches",
            "    pro_3       29.5  5.9 a speech, 5 speeches",
            "    pro_4       26.1  5.2 a speech, 5 speeches",
            "    con_1       21.9  5.5 a speech, 4 speeches",
            "    pro_2       18.1  6.0 a speech, 3 speeches",
            "    con_4       15.3  5.1 a speech, 3 speeches",
            "  Best debater: pro_1",
        ]
    )


def test_a_board_stands_after_every_stage():
    lines = played("competition", 80).terminal.lines
    assert len([line for line in lines if line.startswith("-- board after")]) == 3


def test_a_docket_is_told_when_it_changes():
    lines = [line for line in played("moderated", 80).terminal.lines if "docket:" in line]
    assert lines == snapshot(["  docket: D-1 open, D-2 open"])


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
