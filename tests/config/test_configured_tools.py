"""Tools in settings files: described by the user, agreed to once, and started with nothing that was not named."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hustings.config.checkup import check_up
from hustings.config.configured_tools import agreed_file, configured_tools, find_tool, models_for, offers, server_of
from hustings.config.paths import config_folder, user_file
from hustings.config.settings_files import read_settings
from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.llm.model_spec import ModelSpec
from tests.rig.tool_server import tool_server

COMMAND = json.dumps([*tool_server().command])
WEB = f"""\
[tools.web]
command = {COMMAND}
allow = ["search"]
about = "Finds facts about shops"
"""


@pytest.fixture(autouse=True)
def here(machine, tmp_path, monkeypatch):
    """A project folder, with nothing set up."""
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    config_folder().mkdir(parents=True, exist_ok=True)
    return folder


def own(text):
    user_file().write_text(text, encoding="utf-8")


def refused(tmp_path, text):
    path = tmp_path / "config.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BrokenFile) as error:
        read_settings(path, shared=False)
    return str(error.value).replace(str(path), "FILE")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("allow", "alow"), "FILE, line 1, tools.web.allow: a tool needs this: set it in [tools.web]: names of what"),
        (("about =", "price = -1\nabout ="), "FILE, line 4, tools.web.price: invalid value: must be at least 0"),
        (("about =", "abuot = 1\nabout ="), "FILE, line 4, tools.web.abuot: unknown setting of a tool: did you mean"),
        (("command =", "url = 'http://127.0.0.1:1/mcp'\ncommand ="), "name either a command, as a list, or a url"),
        (("command =", "key = 'A'\ncommand ="), "a command gets its keys as variables"),
        ((f"command = {COMMAND}", "url = 'http://127.0.0.1:1/mcp'\nvariables = ['A']"), "a url gets no variables"),
        (("command =", "# command ="), "name either a command, as a list, or a url"),
    ],
)
def test_a_tool_that_is_described_wrongly_is_refused_with_its_line(tmp_path, change, said):
    assert said in refused(tmp_path, WEB.replace(*change))


def test_a_project_adds_tools_and_replaces_none(here):
    own(WEB)
    other = WEB.replace("shops", "nothing")
    (here / "hustings.toml").write_text(other + other.replace("tools.web", "tools.wiki"), encoding="utf-8")
    found = configured_tools()
    assert {name: (tool.shared, tool.table.about) for name, tool in found.items()} == {
        "web": (False, "Finds facts about shops"),
        "wiki": (True, "Finds facts about nothing"),
    }


def test_an_unknown_tool_is_answered_with_the_known_ones():
    with pytest.raises(NotFound, match=r"describe it in config.toml as \[tools.web\]"):
        find_tool("web")
    own(WEB)
    with pytest.raises(NotFound, match="web"):
        find_tool("wep")


def test_nothing_is_started_before_the_user_agrees_and_nobody_is_asked_twice():
    own(WEB)
    asked = []
    with pytest.raises(Unsuitable, match="the tool web was not allowed"):
        offers(["web"], {}, asked.append)
    assert not agreed_file().exists()
    (offer,) = offers(["web"], {}, lambda said: not asked.append(said))
    assert offers(["web"], {}, lambda said: not asked.append(said)) == (offer,)
    assert len(asked) == 2
    assert asked[0].startswith("The tool web (config.toml) runs env -C ")
    assert asked[0].endswith("Allowed: search.")
    assert (offer.terms.about, [use.name for use in offer.terms.uses]) == ("Finds facts about shops", ["search"])


def test_another_command_is_asked_about_again():
    own(WEB)
    offers(["web"], {}, lambda _: True)
    own(WEB.replace('["search"]', '["search", "wipe"]'))
    with pytest.raises(Unsuitable, match="was not allowed"):
        offers(["web"], {}, lambda _: False)


def test_a_damaged_list_of_agreements_is_named():
    own(WEB)
    agreed_file().write_text("[", encoding="utf-8")
    with pytest.raises(BrokenFile, match="was changed or damaged"):
        offers(["web"], {}, lambda _: True)


@pytest.mark.parametrize(
    ("allow", "said"),
    [
        ("nothing", "offers no 'nothing'.*it offers 'asks', 'search', 'tree', 'wipe'"),
        ("tree", "needs the input 'nodes'"),
    ],
)
def test_what_a_server_does_not_offer_soundly_is_refused_at_the_start(allow, said):
    own(WEB.replace('["search"]', f'["{allow}"]'))
    with pytest.raises(Unsuitable, match=said):
        offers(["web"], {}, lambda _: True)


def test_a_command_gets_the_variables_that_are_named_and_must_be_set():
    own(WEB + 'variables = ["SHOP_API_KEY"]\n')
    tool = find_tool("web")
    assert "which gets SHOP_API_KEY" in tool.sentence
    with pytest.raises(Unsuitable, match="needs the variable SHOP_API_KEY, which is not set"):
        server_of(tool, {})
    server = server_of(tool, {"SHOP_API_KEY": "secret", "OTHER_API_KEY": "other"})
    assert {name: value.get_secret_value() for name, value in server.variables.items()} == {"SHOP_API_KEY": "secret"}
    assert "secret" not in repr(server)


def test_a_url_gets_its_token():
    own('[tools.web]\nurl = "http://127.0.0.1:9/mcp"\nallow = ["search"]\nabout = "x"\nkey = "SHOP_API_KEY"\n')
    server = server_of(find_tool("web"), {"SHOP_API_KEY": "secret"})
    assert (server.url, server.key.get_secret_value(), server.command) == ("http://127.0.0.1:9/mcp", "secret", ())


def test_a_worker_starts_no_tool_of_a_project_that_nobody_agreed_to(here):
    (here / "hustings.toml").write_text(WEB, encoding="utf-8")
    spec = ModelSpec(provider="tool", model="web", local=True)
    with pytest.raises(Unsuitable, match="nobody has agreed to the tool web of hustings"):
        models_for({})(spec)
    offers(["web"], {}, lambda _: True)
    assert models_for({})(spec)


def found(about="tool"):
    return [(one.state, one.said) for one in check_up("sqlite:///none.db", ()) if one.about == about]


def test_doctor_tries_each_tool_and_starts_none_of_a_project_unasked(here):
    own(WEB + WEB.replace("tools.web", "tools.gone").replace(sys.executable, "/no/such/python"))
    (here / "hustings.toml").write_text(WEB.replace("tools.web", "tools.theirs"), encoding="utf-8")
    assert found() == [
        ("ok", "web: search (config.toml)"),
        ("FAIL", "the tool gone does not answer (its server could not be started or reached, or ended too early)"),
        ("warn", "theirs (hustings.toml) was not tried: nobody has agreed to it"),
    ]


def test_without_the_package_the_cure_is_said(monkeypatch, here):
    own(WEB)
    monkeypatch.setitem(sys.modules, "mcp", None)  # as Python knows a package that is not there
    assert found() == [("FAIL", "tools need an optional package")]
    with pytest.raises(Unsuitable, match=r"pip install .*'mcp>=2'"):
        offers(["web"], {}, lambda _: True)


def test_the_package_is_loaded_when_a_tool_is_used_and_not_before():
    code = "import sys, hustings.cli.commands.run, hustings.cli.commands.worker; sys.exit('mcp' in sys.modules)"
    root = Path(__file__).parents[2]
    assert (
        subprocess.run([sys.executable, "-c", code], cwd=root, env={"PYTHONPATH": "src"}, check=False).returncode == 0
    )
