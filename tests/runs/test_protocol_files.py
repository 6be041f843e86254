"""A protocol in a file of the user's: what loading it says, and that a name or a record never runs one."""

import json
import os
from hashlib import sha256
from inspect import unwrap
from pathlib import Path

import pytest

from hustings.errors import NotFound, ScriptError, Unsuitable
from hustings.llm.improviser import Improviser
from hustings.runs.protocol_files import find_or_load, load_protocol, with_protocol
from hustings.runs.registry import find_protocol, protocols
from hustings.runs.request import DebateRequest, build_spec
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan, rehearse, set_stage
from hustings.script.debate import DebateSpec
from hustings.transcript.models import RunMetadata
from hustings.transcript.rules import check_document
from tests.rig.protocol_file import DUEL, own_file

TOPIC = "Tabs or spaces?"


@pytest.fixture
def file(tmp_path):
    return own_file(tmp_path)


def saved(tmp_path, text, name="duel.py"):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


def spec_of(file):
    loaded = load_protocol(file.path)
    return build_spec(DebateRequest(protocol=loaded.name, own_protocol=loaded, question=TOPIC, model="improviser"), {})


# -- a file that is right ----------------------------------------------------------------


def test_it_is_named_by_its_file_and_rehearsed(file):
    played = rehearse(plan(load_protocol(file.path), TOPIC), Improviser())
    assert (played.debate.protocol, played.choreography) == (
        "duel",
        [["000.0 pro opening", "000.1 con opening"], ["001.0 pro rebuttal"], ["002.0 con rebuttal"]],
    )


def test_its_digest_is_in_the_spec_and_in_the_transcript(file):
    digest = sha256(file.path.read_bytes()).hexdigest()
    played = rehearse(plan(load_protocol(file.path), TOPIC), Improviser())
    told, kept = played.proceedings.document()["run_metadata"], played.debate.protocol_file
    assert (kept.path, kept.digest) == (str(file.path), digest)
    assert (told["protocol"], told["notes"]) == (
        f"duel/1+{digest[:12]}",
        f"protocol from a file of its own, sha256:{digest}",
    )
    assert [found for found in check_document(played.proceedings.document()) if found.severity == "error"] == []


def test_a_protocol_of_a_package_tells_of_no_file():
    played = rehearse(plan(find_protocol("structured"), TOPIC), Improviser())
    assert played.proceedings.document()["run_metadata"]["notes"] is None
    assert "protocol_file" not in played.debate.model_dump()


def test_annotations_that_are_texts_are_understood(tmp_path):
    form = "class Hands(Form):\n    points: tuple[Point, ...]\n\n\nclass Point(Form):\n    wording: str\n"
    text = DUEL.replace("from pydantic import Field", "from __future__ import annotations") + form
    play = load_protocol(saved(tmp_path, text)).play
    assert sorted(unwrap(play).__globals__["Hands"].model_json_schema()["$defs"]) == ["Point"]


def test_code_is_run_once_in_a_process(file):
    load_protocol(file.path)
    file.was_run()
    load_protocol(file.path)
    assert not file.was_run()


# -- a file that is wrong ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"""D."""\n\ndef play(:\n', "duel.py line 3: SyntaxError: invalid syntax"),
        ('"""D."""\n1 / 0\n', "duel.py line 2: ZeroDivisionError: division by zero"),
        ('"""D."""\nimport not_installed\n', "duel.py line 2: ModuleNotFoundError: No module named 'not_installed'"),
        ('"""D."""\nraise SystemExit(3)\n', "duel.py line 2: SystemExit: 3"),
        (DUEL.replace("async def play", "async def plays"), "duel.py lacks `async def play(stage)`"),
        (DUEL.replace("SEATS = ", "CHAIRS = "), "duel.py lacks `SEATS`, or `seating(occasion)`"),
        ("x = 1", "duel.py lacks a docstring whose first line sums it up; `async def play(stage)`; `SEATS`, or"),
        (DUEL.replace('RULES = "Both', 'RULES = 3, "Both'), "duel.py line 17: RULES is not a text"),
        (DUEL.replace("SEATS = (", 'SEATS = ("judge", '), "duel.py line 16: SEATS is not a tuple of `Seat`"),
        (DUEL + "VERSION = '2'\n", "duel.py line 21: VERSION is not a whole number"),
        (DUEL + "VERDICTS = 'go'\n", "duel.py line 21: VERDICTS is not a tuple of texts"),
        (DUEL + "judge_result = 1\n", "duel.py line 21: judge_result is not a function"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path, text, said):
    with pytest.raises(ScriptError) as told:
        load_protocol(saved(tmp_path, text))
    assert said in str(told.value)


def test_an_error_while_it_is_played_is_said_with_its_line(tmp_path):
    loaded = load_protocol(saved(tmp_path, DUEL.replace("stage.ask(seat, REBUT)", "stage.asks(seat)")))
    with pytest.raises(ScriptError, match=r"duel\.py line 13: AttributeError: 'Stage' object has no attribute 'asks'"):
        rehearse(plan(loaded, TOPIC), Improviser())


def test_an_error_in_its_seating_is_said_with_its_line(tmp_path):
    loaded = load_protocol(saved(tmp_path, DUEL + "def seating(context):\n    return context.chairs\n"))
    with pytest.raises(ScriptError, match=r"duel\.py line 22: AttributeError"):
        plan(loaded, TOPIC)


def test_a_file_that_is_not_there_is_said_with_its_path(tmp_path):
    with pytest.raises(NotFound) as told:
        load_protocol(tmp_path / "duel.py")
    assert told.value.what == f"no protocol '{tmp_path}/duel.py'"
    assert told.value.why == f"there is no such file: {tmp_path}/duel.py"


def test_a_pipe_is_no_protocol(tmp_path):
    os.mkfifo(tmp_path / "duel.py")
    with pytest.raises(NotFound, match="it is not a regular file"):
        load_protocol(tmp_path / "duel.py")


def test_a_file_beyond_all_measure_is_refused(tmp_path):
    with pytest.raises(Unsuitable, match="longer than 1,048,576 bytes"):
        load_protocol(saved(tmp_path, DUEL + "#" * 2**20))


@pytest.mark.parametrize("name", ["structured", "judging", "imported"])
def test_a_name_that_is_taken_is_refused(tmp_path, name):
    with pytest.raises(Unsuitable, match=f"'{name}' is a protocol already: rename the file, for example my_{name}.py"):
        load_protocol(saved(tmp_path, DUEL, f"{name}.py"))


def test_a_name_of_an_installed_package_is_refused(tmp_path, installed):
    installed("duel", DUEL, module="duel_of_a_package")
    with pytest.raises(Unsuitable, match="'duel' is a protocol already"):
        load_protocol(saved(tmp_path, DUEL))


@pytest.mark.parametrize("name", ["My Duel.py", "duel.txt", "2.py", "a-b.py", "d" * 41 + ".py"])
def test_a_name_that_can_stand_for_no_protocol_is_refused(tmp_path, name):
    with pytest.raises(Unsuitable, match="can't name a protocol"):
        load_protocol(saved(tmp_path, DUEL, name))


# -- nothing is run for a name or a record ---------------------------------------------------


def test_a_file_that_was_loaded_is_no_protocol_of_the_registry(file):
    load_protocol(file.path)
    assert "duel" not in protocols()
    for name in ("duel", "duel.py", str(file.path)):
        with pytest.raises(NotFound):
            find_protocol(name)


def test_a_request_in_words_names_no_file(file):
    with pytest.raises(NotFound):
        build_spec(DebateRequest(protocol=str(file.path), question=TOPIC, model="improviser"), {})
    assert not file.was_run()


@pytest.mark.parametrize("loaded", ["duel.py", {"name": "duel"}, {"file": {"path": "/duel.py"}}])
def test_a_request_in_json_brings_no_protocol(loaded):
    with pytest.raises(ValueError, match="own_protocol"):
        DebateRequest.model_validate_json(json.dumps({"protocol": "duel", "question": TOPIC, "own_protocol": loaded}))


def test_a_stored_spec_is_read_without_running_the_file_and_cannot_be_played(file):
    kept = spec_of(file).model_dump_json()
    file.was_run()
    read = RunSpec.model_validate_json(kept)
    with pytest.raises(Unsuitable, match="'duel' is a file, which only its own user may run"):
        set_stage(read.debate, "run", read.created_at, RunMetadata(), fence="secret")
    assert not file.was_run()


def test_a_stored_spec_cannot_bring_a_script(file):
    kept = json.loads(spec_of(file).debate.model_dump_json())
    assert DebateSpec.model_validate({**kept, "script": "x", "_script": "x"}).script is None


def test_a_stored_spec_is_played_with_the_protocol_of_its_file(file):
    spec = with_protocol(RunSpec.model_validate_json(spec_of(file).model_dump_json()))
    assert rehearse(spec.debate, Improviser()).proceedings.ending.kind == "played"


def test_a_file_that_changed_is_not_run(file):
    spec = RunSpec.model_validate_json(spec_of(file).model_dump_json())
    file.write(DUEL.replace("two points", "three points"))
    file.was_run()
    with pytest.raises(Unsuitable) as told:
        with_protocol(spec)
    assert str(told.value) == (f"{file.path} changed since this debate began: put the old version back, or start anew")
    assert not file.was_run()


def test_a_file_that_is_gone_is_told(file):
    spec = RunSpec.model_validate_json(spec_of(file).model_dump_json())
    file.path.unlink()
    with pytest.raises(Unsuitable, match=f"{file.path}, the protocol of this debate, is not on this machine"):
        with_protocol(spec)


@pytest.fixture
def of_another_user(tmp_path):
    """Only who may do everything can make one; any other user finds one."""
    if os.getuid():
        return Path("/etc/hostname")
    path = own_file(tmp_path, "of_another.py").path
    os.chown(path, 1, 1)
    return path


def test_a_file_of_another_user_is_not_run_for_a_record(file, of_another_user):
    """A record names any file that can be read, and who can write records is not always who owns the process."""
    spec, digest = spec_of(file), sha256(of_another_user.read_bytes()).hexdigest()
    kept = spec.debate.protocol_file.model_copy(update={"path": str(of_another_user), "digest": digest})
    stored = spec.model_copy(update={"debate": spec.debate.model_copy(update={"protocol_file": kept})})
    with pytest.raises(Unsuitable, match="belongs to another user"):
        with_protocol(RunSpec.model_validate_json(stored.model_dump_json()))


@pytest.mark.parametrize("who", ["human", "host"])
def test_people_and_hosts_have_no_seat_under_a_file(file, who):
    loaded = load_protocol(file.path)
    request = DebateRequest(
        protocol="duel", own_protocol=loaded, question=TOPIC, model="improviser", seats={"pro": who}
    )
    with pytest.raises(Unsuitable, match="in its debates only models can speak"):
        build_spec(request, {})


def test_a_name_is_no_path():
    assert find_or_load("structured").file is None
