"""`hustings rehearse` and `hustings protocols`: data on stdout, talk on stderr, and the same bytes every time."""

import json
import os
import subprocess
import sys

import pytest

from hustings.cli.options import setting
from hustings.errors import NotFound, Unsuitable
from hustings.runs.registry import protocols
from hustings.transcript.rules import check_document

from .console import ENTRY, hustings, run

ALL = """
from hustings.main import app
from hustings.runs.registry import protocols
for name in protocols():
    app(["rehearse", name, "--json", "--prompts"], standalone_mode=False)
"""


# -- protocols ---------------------------------------------------------------------------


def test_every_protocol_is_listed_with_its_settings():
    listed = run("protocols").stdout
    for name, protocol in protocols().items():
        assert f"{name}  (version {protocol.version}, about " in listed
        assert f"    {protocol.summary}\n" in listed
        assert all(f"      {setting} = " in listed for setting in protocol.settings.model_fields)


def test_protocols_are_told_as_json():
    told = json.loads(run("protocols", "--json").stdout)
    assert [protocol["name"] for protocol in told] == list(protocols())
    keys = "name version summary description seats calls retries rubric order settings"
    assert all(list(protocol) == keys.split() for protocol in told)
    assert {protocol["name"]: protocol["calls"] for protocol in told}["structured"] == 6


# -- rehearse ----------------------------------------------------------------------------


def test_a_rehearsal_shows_choreography_and_transcript():
    result = run("rehearse", "structured", "--topic", "Tea?")
    assert result.exit_code == 0
    assert result.stdout.startswith("structured/1: Tea?\n6 calls in 3 steps, 3 rounds. Ending: finished.\n")
    assert "  000  pro opening | con opening\n" in result.stdout
    assert "\n# Tea?\n" in result.stdout
    assert result.stderr.startswith("The order of turns is real")


def test_a_rehearsal_is_told_as_json():
    result = run("rehearse", "structured", "--json")
    told = json.loads(result.stdout)
    assert list(told) == ["debate", "waves", "calls", "ending", "result", "transcript", "notes"]
    assert (told["calls"], told["ending"]) == (6, {"kind": "played"})
    assert check_document(told["transcript"]) == []


def test_prompts_are_told_as_json():
    told = json.loads(run("rehearse", "structured", "--json", "--prompts").stdout)
    assert [prompt["key"].split(" #")[0] for prompt in told["prompts"]] == [a for wave in told["waves"] for a in wave]
    assert all(list(prompt) == ["key", "rules", "waves", "marks", "tail", "schema"] for prompt in told["prompts"])


def test_prompts_are_shown_as_they_are_sent():
    shown = run("rehearse", "structured", "--prompts").stdout
    assert shown.startswith(
        "==================== 000.0 pro opening ====================\nYou take part in a recorded debate."
    )
    assert shown.count("-- cache mark --") == 2 * (1 + 2 + 3)


def test_settings_topic_and_seed_are_taken():
    told = json.loads(
        run(
            "rehearse", "roundtable", "--set", "seats=2", "--set", "rounds=1", "--topic", "Tea?", "--seed", 7, "--json"
        ).stdout
    )
    assert (told["calls"], told["debate"]["topic"], told["transcript"]["run_metadata"]["seed"]) == (2, "Tea?", 7)


def test_another_seed_has_other_words():
    first, second = (run("rehearse", "structured", "--seed", seed).stdout for seed in (1, 2))
    assert first != second


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("rounds=2", ("rounds", 2)),
        ("regime=structured", ("regime", "structured")),
        ('panel=["Ada: nurse"]', ("panel", ["Ada: nurse"])),
        ("topic=a=b", ("topic", "a=b")),
        ("empty=", ("empty", "")),
        ("broken=[1", ("broken", "[1")),
        ("deep=" + "[" * 100_000, ("deep", "[" * 100_000)),
    ],
    ids=["number", "text", "list", "equals", "empty", "broken", "deep"],
)
def test_a_setting_is_json_where_it_can_be_and_text_elsewhere(text, pair):
    assert setting(text) == pair


@pytest.mark.parametrize("text", ["rounds", "=2", ""])
def test_a_setting_without_key_or_value_is_refused_with_an_example(text):
    with pytest.raises(Unsuitable, match=f"--set '{text}' has no value: write it like --set rounds=2"):
        run("rehearse", "roundtable", "--set", text)


def test_a_setting_out_of_bounds_is_refused():
    with pytest.raises(Unsuitable, match="rounds: must be at most 10"):
        run("rehearse", "roundtable", "--set", "rounds=11")


def test_an_unknown_protocol_is_refused():
    with pytest.raises(NotFound, match="did you mean 'roundtable'"):
        run("rehearse", "roundtabel")


@pytest.mark.parametrize("topic", ["\x1b[2J\x1b]0;owned\x07", "\u202egnp.exe", "a\x08b\x9b31m"], ids=ascii)
@pytest.mark.parametrize("how", [[], ["--prompts"], ["--json", "--prompts"]], ids=["plain", "prompts", "json"])
def test_a_topic_cannot_steer_the_terminal(topic, how):
    shown = run("rehearse", "roundtable", "--set", "rounds=1", "--topic", topic, *how)
    assert shown.exit_code == 0
    assert all(line.replace("\xa0", " ").isprintable() for line in shown.output.split("\n"))


def test_a_topic_with_nul_is_refused_before_anything_is_played():
    with pytest.raises(Unsuitable, match="the question contains the character NUL: remove it"):
        run("rehearse", "roundtable", "--topic", "a\x00b")


# -- in a process of its own -------------------------------------------------------------


def test_an_error_is_what_and_a_fix_on_stderr_and_ends_in_2():
    code, out, err = hustings("rehearse", "structred")
    assert (code, out) == (2, b"")
    assert err.startswith(b"Error: no protocol 'structred'\nFix:   did you mean 'structured'? ")
    assert err.count(b"\n") == 3


@pytest.mark.nightly("every protocol in two processes")
def test_rehearsals_are_the_same_whatever_the_hash_seed():
    command = [sys.executable, "-c", ALL]
    environments = ({**os.environ, "PYTHONHASHSEED": seed} for seed in ("1", "2"))
    first, second = (subprocess.run(command, stdout=subprocess.PIPE, env=e, check=True).stdout for e in environments)
    assert first.count(b'"prompts": [') == len(protocols())
    assert first == second


@pytest.mark.nightly("a process of its own")
def test_a_terminal_that_lacks_a_letter_is_shown_its_number():
    code, out, err = hustings("rehearse", "roundtable", "--topic", "日本", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert code == 0
    assert out.splitlines()[0] == f"roundtable/{protocols()['roundtable'].version}: \\u65e5\\u672c".encode()
    assert b"Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(("rehearse", "competition"), id="long", marks=pytest.mark.nightly("the short one is cut too")),
        pytest.param(("protocols",), id="short"),
    ],
)
def test_a_reader_who_goes_away_is_no_reason_for_a_traceback(arguments):
    command = [sys.executable, "-c", ENTRY, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
