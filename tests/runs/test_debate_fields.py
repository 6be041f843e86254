"""Every field of a debate is given in the same words, wherever it is given."""

from dataclasses import MISSING, fields

import pytest

from hustings import Debate
from hustings.config.batch_file import BatchLine
from hustings.config.settings_files import File
from hustings.mcp.shapes import StartArguments
from hustings.runs.debate_fields import OPTIONS, DebateFields
from hustings.runs.request import DebateRequest
from hustings.web.own_schemas import NewPanel
from hustings.web.schemas import NewDebate

OF_A_PROGRAM = {"model", "pro", "con", "keys", "timeout", "database", "background", "documents"}
IN_PYTHON = {field.name: field for field in fields(Debate)}


@pytest.mark.parametrize("shape", [DebateRequest, BatchLine, NewDebate, NewPanel])
def test_a_request_a_line_a_body_and_a_panel_have_every_field(shape):
    assert shape.model_fields.keys() >= DebateFields.model_fields.keys()


def test_a_program_has_every_field_but_that_which_is_a_method_there():
    assert IN_PYTHON.keys() - OF_A_PROGRAM == DebateFields.model_fields.keys() - {"evaluate", "model"}


@pytest.mark.parametrize("name", sorted(IN_PYTHON.keys() & DebateFields.model_fields.keys() - {"model", "meta"}))
def test_a_program_has_the_same_defaults(name):
    field = IN_PYTHON[name]
    default = field.default_factory() if field.default is MISSING else field.default
    assert default == DebateFields.model_fields[name].default


def test_settings_files_and_assistants_give_those_that_say_so():
    settings = {name for name, option in OPTIONS.items() if option.setting}
    assert {"display", "database"} | settings <= File.model_fields.keys()
    assert StartArguments.model_fields.keys() == {"brain"} | {name for name, option in OPTIONS.items() if option.tool}
