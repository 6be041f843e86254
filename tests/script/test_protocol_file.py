"""A debate under a file of the user's tells so on record, and keeps the loaded protocol out of it."""

from hustings.runs.registry import find_protocol
from hustings.runs.staging import plan
from hustings.script.debate import DebateSpec, ProtocolFile

FILE = ProtocolFile(path="/home/ann/duel.py", digest="0123456789abcdef" * 4)


def debate():
    return plan(find_protocol("structured"), "Tea?").model_copy(update={"protocol_file": FILE})


def test_the_version_on_record_ends_with_the_beginning_of_the_digest():
    spec = debate()
    assert spec.script_version == f"structured/{spec.version}+0123456789ab"


def test_a_loaded_protocol_is_never_part_of_the_stored_debate():
    spec, script = debate(), find_protocol("structured")
    loaded = spec.with_script(script)
    assert (spec.script, loaded.script) == (None, script)
    stored = DebateSpec.model_validate_json(loaded.model_dump_json())
    assert (stored.script, stored.protocol_file) == (None, FILE)
