"""The real command in a pseudo-terminal: what a person sees of every protocol, and of Ctrl-C in the middle."""

import re
from functools import cache
from pathlib import Path

import pytest
from inline_snapshot import external_file

from hustings.runs.registry import find_protocol
from tests.rig.postgres import ready_sqlite_file
from tests.rig.provider import serving

from .display.pseudo import session, staging
from .display.scenes import PROTOCOLS
from .engine import TOPIC

SCREENS = Path(__file__).parent / "display" / "screens"
WIDTHS = {"structured": 40, "competition": 80, "roundtable": 120, "adaptive": 120, "moderated": 80}
LATER = pytest.mark.nightly("a debate under every protocol; `structured` is seen on every change")
CASES = [protocol if protocol == "structured" else pytest.param(protocol, marks=LATER) for protocol in PROTOCOLS]


@pytest.fixture(scope="module")
def stage():
    with staging() as process:
        yield process


@pytest.fixture(scope="module")
def here(tmp_path_factory):
    return ready_sqlite_file(tmp_path_factory.mktemp("live"))


@pytest.fixture(scope="module")
def seen(stage, here):
    """A protocol, once, and the footers that were seen on the way."""

    @cache
    def see(protocol):
        footers = set()
        command = ("run", TOPIC, "-p", protocol, "-m", "improviser", "--judges", "none", "--database", here)
        with session(stage, *command, columns=WIDTHS[protocol]) as terminal:
            terminal.read_until(lambda t: footers.update(t.below[-1:]))
        return terminal, footers

    return see


@pytest.mark.parametrize("protocol", CASES)
def test_a_debate_is_seen_to_its_end(seen, protocol):
    terminal, _ = seen(protocol)
    text = "".join(terminal.lines)
    assert terminal.code == 0
    assert f"{find_protocol(protocol).summary.partition(':')[0]}: " in text
    assert "Finished: " in text
    assert "Next: hustings judge " in " ".join(terminal.lines)


def test_the_first_line_comes_before_anything_is_looked_up(seen):
    terminal, _ = seen("structured")
    assert terminal.lines[0] == "Starting the debate …"


@pytest.mark.parametrize("more", [("--display", "quiet"), ("--display=json",), ("--json",), ("--estimate",)])
def test_where_nobody_watches_no_line_says_that_it_starts(stage, tmp_path, more):
    here = str(tmp_path / "x.db")
    command = ("run", TOPIC, "-m", "improviser", "--judges", "none", "--database", here, *more)
    with session(stage, *command, columns=80) as terminal:
        terminal.read_until()
    assert "Starting" not in terminal.lines[0]


@pytest.mark.parametrize("protocol", CASES)
def test_every_line_that_stays_is_the_one_expected(seen, protocol):
    terminal, _ = seen(protocol)
    # The number of a run is drawn by lot, and a narrow terminal breaks it anywhere.
    text = re.sub(r"(?<=tres-to-)(?:[0-9a-f]\n?){12}", "NUMBER", "\n".join(terminal.lines) + "\n")
    assert text == external_file(SCREENS / f"{protocol}-{WIDTHS[protocol]}.txt")


@pytest.mark.parametrize("protocol", CASES)
def test_the_footer_was_there_and_is_gone(seen, protocol):
    terminal, footers = seen(protocol)
    # At 40 columns the hint may have the last line to itself, and a quick run shows no other footer.
    assert [line for line in footers if re.search(r"(^|· )Ctrl-C to pause$", line)]
    assert not [line for line in terminal.lines if "· Ctrl-C to pause" in line]


@pytest.mark.parametrize("protocol", CASES)
def test_the_terminal_is_left_as_it_was(seen, protocol):
    terminal, _ = seen(protocol)
    assert (terminal.screen.cursor.hidden, terminal.screen.cursor.x) == (False, 0)
    assert not re.search(rb"\x1b(?!\[[0-9;]*[mAJ])", terminal.painted)


def test_plain_lines_have_no_codes(stage, here):
    command = ("run", TOPIC, "-m", "improviser", "--judges", "none", "--display", "plain", "--database", here)
    with session(stage, *command) as terminal:
        terminal.read_until()
    assert b"\x1b" not in terminal.painted
    assert "== 3. closing" in terminal.lines


@pytest.fixture(scope="module")
def provider():
    with serving() as running:
        running.plan(delay=1.5)
        yield running


def slow(stage, here, provider):
    command = ("run", TOPIC, "-m", f"openai_compatible/m@{provider.base_url}", "--judges", "none", "--database", here)
    return session(stage, *command)


def test_ctrl_c_finishes_the_turn_and_says_how_to_go_on(stage, here, provider):
    with slow(stage, here, provider) as terminal:
        assert terminal.read_until(lambda t: any("waiting" in line for line in t.below))
        terminal.interrupt()
        terminal.read_until()
    text = "".join(terminal.lines)
    assert terminal.code == 130
    assert "Pausing when current answers arrive" in text
    assert "Paused. Continue: hustings resume" in " ".join(terminal.lines)
    assert "PRO (r1.t0" in text
    assert "· Ctrl-C to pause" not in text


def test_the_second_ctrl_c_leaves_at_once_and_leaves_no_footer(stage, here, provider):
    with slow(stage, here, provider) as terminal:
        assert terminal.read_until(lambda t: any("waiting" in line for line in t.below))
        terminal.interrupt()
        assert terminal.read_until(lambda t: any("Ctrl-C again" in line for line in t.lines))
        terminal.interrupt()
        terminal.read_until()
    text = "".join(terminal.lines)
    assert terminal.code == 130
    assert "Left at once" in text
    assert "· Ctrl-C to pause" not in text
