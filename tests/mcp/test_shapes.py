"""The list of tools: short, frozen, and there without the database or the engine."""

import json
import subprocess
import sys
from hashlib import sha256

import pytest

from hustings.mcp.shapes import ARGUMENTS, tools

MOST_CHARACTERS = 8_500
MOST_WITHOUT_ANSWERS = 4_500
"""Of the list without the schemas of answers, which hosts show to their models: about 1,100 tokens."""
FROZEN = {
    "debate_start": "e6cfc13142759a30",
    "debate_wait": "b615cd31f6d0059c",
    "debate_next": "b6a57027dc493846",
    "debate_answer": "f28045ea9e9a7d8e",
    "debate_result": "8de1f0d67f94bad3",
    "debate_find": "f3fad9363255818b",
    "debate_steer": "0cfba17be25b6e0c",
}
"""Digests of the schemas of what a tool takes and answers. Within a major version, fields are only added."""
HEAVY = {
    "dbos",
    "sqlalchemy",
    "fastapi",
    "pydantic_ai",
    "openai",
    "hustings.engine",
    "hustings.db",
    "hustings.runs.queries",
}
LOADED = """
import sys
import hustings.cli.commands.mcp, hustings.mcp.local
sys.stdout.write(" ".join(sys.modules))
"""


def listed():
    return [tool.model_dump(mode="json", by_alias=True, exclude_none=True) for tool in tools()]


def test_the_tools_are_those_that_can_be_called():
    assert [tool["name"] for tool in listed()] == list(ARGUMENTS)


def test_the_list_is_short():
    assert len(json.dumps(listed())) <= MOST_CHARACTERS


def test_what_a_host_shows_its_model_is_shorter_still():
    shown = [{name: value for name, value in tool.items() if name != "outputSchema"} for tool in listed()]
    assert len(json.dumps(shown)) <= MOST_WITHOUT_ANSWERS


@pytest.mark.parametrize("name", list(ARGUMENTS))
def test_the_schemas_are_frozen(name):
    (tool,) = (tool for tool in listed() if tool["name"] == name)
    schemas = json.dumps([tool["inputSchema"], tool.get("outputSchema")], sort_keys=True)
    assert sha256(schemas.encode()).hexdigest()[:16] == FROZEN[name]


def test_every_answer_ends_in_what_to_do_next():
    shapes = [tool["outputSchema"] for tool in listed() if "outputSchema" in tool]
    assert {[*shape["properties"]][-1] for shape in shapes} == {"next"}
    assert all("next" in shape["required"] for shape in shapes)


def test_tools_that_read_say_so():
    reading = {tool["name"] for tool in listed() if tool["annotations"]["readOnlyHint"]}
    assert reading == {"debate_wait", "debate_result", "debate_find"}


def test_listing_loads_neither_the_engine_nor_the_database():
    loaded = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout
    assert HEAVY & set(loaded.split()) <= {"hustings.db"}  # its package holds the types of options
