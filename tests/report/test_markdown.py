"""Proceedings read well as Markdown, and nothing that was said can be more than words."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_snapshot import snapshot
from markdown_it import MarkdownIt

from hustings.errors import SeatFailed
from hustings.llm.improviser import Improviser, Scripted
from hustings.report.markdown import plain, quoted, render, unescape
from hustings.runs.registry import find_protocol, protocols
from hustings.runs.staging import plan, rehearse
from hustings.script.debate import Proceedings
from hustings.transcript.models import (
    Address,
    Attempt,
    DebateMetadata,
    Participant,
    ParticipantState,
    Round,
    RunMetadata,
    Transcript,
    Turn,
    TurnMetadata,
)
from hustings.transcript.notes import Failed, Note, Subject

HOSTILE = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<!-- hidden -->", "<?php ?>", "&lt;b&gt; &#60;",
    "![image](http://evil.example/x.png)", "[link](http://evil.example)", "<http://evil.example>", "[a]: http://evil.example",
    "[^1]: note", "# heading", "###### heading #", "| a | b |", "|---|---|", ":--", "a | b", "```", "~~~", "``code``",
    "`code`", "    indented code", "\tindented code", "1. one", "1.", "12) twelve", "- dash", "-", "+ plus", "+",
    "* star", "===", "---", "- - -", "***", "___", "> quote", "*emphasis* __strong__ ~~struck~~", "a backslash \\",
    "\\", "\\[not\\](escaped)", "two spaces  ", "$x$ $$y$$", "{{ x }}", "\x1b[31mred", "bell\x07", "nul\x00",
    "right\u202eleft", "isolate\u2066d\u2069", "mark\u200e\u200f", "tag\U000e0041", "no\u00a0break", "日本語",
]  # fmt: skip

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ue000-\uf8ff\ufeff\ufff9-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f\U000f0000-\U0010ffff]"
)


def tokens(text):
    """Every token, those inside of a line after the line."""
    return [t for token in READER.parse(text) for t in (token, *(token.children or []))]


def skeleton(text):
    return [(token.type, token.tag) for token in tokens(text)]


def words(text):
    """The words a reader sees, with the signs that are shown instead of hidden ones."""
    lines = [line.replace("\t", " ") for line in text.splitlines() if line.strip()]
    return [word for line in lines for word in HIDDEN.sub(lambda m: f"\\u{ord(m.group()):04x}", line).split()]


def seen(text):
    return [word for token in tokens(text) if token.type == "text" for word in token.content.split()]


def everywhere(word):
    """Proceedings with one text wherever a text can stand, as a forged file might have it."""
    spoken = Attempt(attempt_index=0, timestamp=word, status="ok", content=word)
    address = Address(target_agent_id=word, target_claim_id=word, move="refute")
    where = {"round_index": 1, "turn_index_in_round": 0, "speaker_id": word}
    turn = Turn(turn_id=word, **where, attempts=[spoken], addresses=[address], metadata=TurnMetadata(kind=word))
    seat = Participant(agent_id=word, role=word, team=word, display_name=word, model_name=word)
    missing = ParticipantState(timestamp=word, agent_id=word, event_type="timeout", reason=word)
    transcript = Transcript(
        schema_version="2.0.0", debate_id=word, run_id=word, mode="posthoc", created_at=word,
        run_metadata=RunMetadata(protocol=word, generation_mode=word), debate_metadata=DebateMetadata(topic=word),
        participants=[seat], rounds=[Round(round_index=1, label=word, turns=[turn])], participant_state_log=[missing],
    )  # fmt: skip
    note = Note(note_id=word, kind=word, by=word, about=(Subject(turn_id=word),), created_at=word, body={"why": word})
    return Proceedings(
        transcript=transcript, notes=(note,), result={"who": [word]}, ending=Failed(code="x", reason=word)
    )


def test_a_round_of_which_no_status_is_known_is_told_without_one():
    heads = re.findall(r"^## .*", render(everywhere("word")), re.MULTILINE)
    assert [head for head in heads if head.startswith("## 1.")] == ["## 1. word"]


def table_of_two(lines, retries=0):
    debate = plan(find_protocol("roundtable"), "Tea?", settings={"seats": 2, "rounds": 1}, retries=retries)
    return render(rehearse(debate, Scripted(lines)).proceedings)


# -- what it looks like ------------------------------------------------------------------


def test_a_turn_tells_how_many_of_its_quotes_hold_and_which_is_false():
    done = everywhere("x")
    true = {"named": "DOC-2", "quote": "not safe", "verdict": "verbatim", "why": ""}
    false = {"named": "DOC-2", "quote": "safe", "verdict": "altered", "why": "leaves out 'not'"}
    note = done.notes[0].model_copy(update={"kind": "citations", "body": {"each": [true, false]}})
    told = render(done.model_copy(update={"notes": (note,)}))
    turn = told.partition("### ")[2]
    assert "*quotes: 1 of 2 found in the documents*\n\n- **false quote, DOC-2: “safe” leaves out 'not'**" in turn
    assert "## Working notes" not in told


def test_a_note_about_quotes_that_tells_of_none_adds_nothing():
    done = everywhere("x")
    notes = (done.notes[0].model_copy(update={"kind": "citations"}),)
    assert render(done.model_copy(update={"notes": notes})) == render(done.model_copy(update={"notes": ()}))


def test_a_small_debate_reads_well():
    assert table_of_two({"ada": ["Tea.\n\nIt is warm."], "ben": ["Ada forgets coffee."]}) == snapshot("""\
# Tea?

- Protocol: roundtable/1
- Run: rehearsal-roundtable-tea, posthoc, begun 2026-01-01T00:00:00.000Z
- How it was made: improvised
- Ending: **played**

| Speaker | Role | Team | Model |
| --- | --- | --- | --- |
| Ada (ada) | panelist |  |  |
| Ben (ben) | panelist |  |  |

## 1. round 1

### Ada, contribution (r1.t0)

> Tea.  \n\
>
> It is warm.  \n\

### Ben, contribution (r1.t1)

> Ada forgets coffee.  \n\

Addresses: speaks to ada
""")


def test_a_structured_debate_reads_well():
    debate = plan(find_protocol("structured"), "Tea?", model="improviser")
    golden = (Path(__file__).parent / "structured.md").read_text("utf-8")
    assert render(rehearse(debate, Improviser(5)).proceedings) == golden


@pytest.mark.parametrize("name", list(protocols()))
def test_all_that_was_said_can_be_found_again(name):
    proceedings = rehearse(plan(find_protocol(name), "Tea?"), Improviser()).proceedings
    read = " ".join(seen(render(proceedings)))
    assert all(" ".join(words(turn.said)) in read for turn in proceedings.transcript.turns)


@pytest.mark.parametrize("name", list(protocols()))
def test_the_same_proceedings_have_the_same_bytes(name):
    first, second = (rehearse(plan(find_protocol(name), "Tea?"), Improviser()).proceedings for _ in range(2))
    assert render(first) == render(Proceedings.model_validate_json(second.model_dump_json()))


def test_a_turn_that_was_lost_is_told():
    told = table_of_two({"ada": ["", " "], "ben": ["Coffee."]}, retries=1)
    assert "### Ada, contribution (r1.t0)\n\n*no usable answer*\n\n*2 attempts*\n" in told
    assert "## 1. round 1 (partial)\n" in told


def test_an_absence_is_told():
    told = table_of_two({"ada": ["Tea."], "ben": [SeatFailed("gone *for* tea")]})
    assert "- ben: timeout, round 1: gone \\*for\\* tea\n" in told


def test_a_failure_is_told_with_its_reason():
    debate = plan(find_protocol("structured"), "Tea?", retries=0)
    told = render(rehearse(debate, lambda call: SeatFailed("nobody is there")).proceedings)
    assert "- Ending: **failed**: nobody is there\n" in told


# -- words stay words --------------------------------------------------------------------


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_text_changes_nothing_but_the_words_wherever_it_stands(text):
    assert skeleton(render(everywhere(text))) == skeleton(render(everywhere("word")))


def test_hostile_texts_of_many_lines_change_nothing_but_the_lines():
    hostile, plain = (Counter(skeleton(render(everywhere(text)))) for text in ("\n".join(HOSTILE), "word"))
    assert {kind for kind, _ in hostile - plain} <= LINES | {"list_item_open", "list_item_close"}


@pytest.mark.parametrize("before", ["", "A line before.\n", "A line before.\n\n"], ids=["alone", "below", "apart"])
@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_a_hostile_line_is_a_line_like_any_other(text, before):
    assert {kind for kind, _ in skeleton(quoted(f"{before}{text}\nA line after."))} <= LINES


@given(st.lists(st.sampled_from(HOSTILE) | st.text(), max_size=6).map("\n".join))
def test_whatever_is_said_stays_words_and_loses_none(text):
    assert {kind for kind, _ in skeleton(quoted(text))} <= LINES
    assert seen(quoted(text)) == words(text)


@given(st.sampled_from(HOSTILE) | st.text(min_size=1))
def test_no_sign_that_steers_a_reader_is_left(text):
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", render(everywhere(text)))


LINES = {"blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close", "inline", "text", "hardbreak"}
"""All that somebody's words may consist of."""


def test_the_lens_of_a_panelist_is_told_beside_its_name():
    debate = plan(find_protocol("moderated"), "Should towns close their centres to cars?")
    heads, _, *seats = re.findall(r"^\| .*", render(rehearse(debate, Improviser()).proceedings), re.MULTILINE)
    lenses = [" ".join(player.manners).replace("_", " ") for player in debate.cast.values()]
    assert heads.endswith("| Model | Lens or style |")
    assert [line.split(" | ")[-1].removesuffix(" |") for line in seats[: len(lenses)]] == lenses


def test_without_a_lens_there_is_no_column_for_it():
    assert "Lens or style" not in table_of_two({"ada": ["Tea."], "ben": ["Coffee."]})


@given(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1).map(lambda text: f"a{text}"))
def test_plain_text_has_the_words_as_they_were(text):
    assert unescape(plain(text)) == text
    assert unescape(f"> {plain(text)}") == f"> {text}"


@pytest.mark.parametrize("text", ["# Verdict", "| yes | 3 |", "> said", "- item", "```"])
def test_words_in_plain_text_begin_no_block(text):
    assert unescape(plain(text)).startswith("\\")


def test_a_sign_that_parts_cells_stays_escaped_in_a_table():
    assert unescape("| a\\|b | c\\_d |") == "| a\\|b | c_d |"
