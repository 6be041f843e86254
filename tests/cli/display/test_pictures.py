"""The pictures in the docs are of the demo in a terminal, as it is today."""

import re
from html import unescape
from pathlib import Path

import pytest
from tools.pictures import COLUMNS, MOMENTS, SPEED

from .pseudo import session, staging

FOLDER = Path(__file__).parents[3] / "docs" / "pictures"


@pytest.fixture(scope="module")
def demos():
    """Every line that each recording prints for good."""
    printed = {}
    with staging() as stage:
        for protocol in MOMENTS:
            with session(stage, "demo", protocol, "--full", "--speed", 1000, columns=COLUMNS) as terminal:
                terminal.read_until()
            printed[protocol] = {line.strip().replace("1000x", f"{SPEED}x") for line in terminal.lines}
    return printed


def lines_of(svg):
    """What a picture shows, line by line: its words stand in pieces, each with its place."""
    lines = {}
    for top, words in re.findall(r'<text class="live-[^"]*-r\d+" x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>', svg):
        lines[float(top)] = lines.get(float(top), "") + unescape(words).replace("\N{NO-BREAK SPACE}", " ")
    return [line for top in sorted(lines) if (line := lines[top].strip())]


@pytest.mark.nightly("plays every recording, for twenty seconds")
@pytest.mark.parametrize("protocol", MOMENTS)
def test_what_a_picture_shows_above_the_footer_is_printed_today(demos, protocol):
    shown = lines_of((FOLDER / f"{protocol}.svg").read_text("utf-8"))
    [footer] = (place for place, line in enumerate(shown) if set(line) == {"─"})
    assert footer > 10
    assert set(shown[:footer]) <= demos[protocol]


@pytest.mark.parametrize("protocol", MOMENTS)
def test_the_footer_in_a_picture_says_who_speaks_and_the_keys(protocol):
    shown = lines_of((FOLDER / f"{protocol}.svg").read_text("utf-8"))
    brief, _ = MOMENTS[protocol]
    assert any(f" speaking · {brief} · " in line for line in shown)
    assert shown[-1].endswith("q to quit")


@pytest.mark.parametrize("protocol", MOMENTS)
def test_a_picture_loads_nothing_from_elsewhere(protocol):
    text = (FOLDER / f"{protocol}.svg").read_text("utf-8")
    assert not re.search(r"url\((?!#)|href=|https?://(?!www\.w3\.org/|www\.textualize\.io)", text)
