"""The skill for coding agents: installed without harm, valid, and every command in it can be typed."""

import json
import re
import shlex
import tomllib
from pathlib import Path

import pytest
from skills_ref import read_properties, validate

from hustings.cli.commands.skill import signed
from hustings.cli.lazy_commands import COMMANDS
from hustings.errors import BrokenFile, Unsuitable

from .console import run

ROOT = Path(__file__).parents[2]
SHIPPED = ROOT / "src" / "hustings" / "data" / "skill"
PLUGIN = ROOT / "integrations" / "plugin"
SKILL = (SHIPPED / "debate" / "SKILL.md").read_text("utf-8")


def install(folder, *options):
    run("skill", "install", "--to", folder, *options)
    return folder / "debate" / "SKILL.md"


def test_the_skill_is_installed_below_the_folder_of_skills(tmp_path):
    done = run("skill", "install", "--to", tmp_path / "skills")
    written = tmp_path / "skills" / "debate" / "SKILL.md"
    assert written.read_text("utf-8").startswith(SKILL)
    assert f"Installed the skill 'debate' to {written.parent}. Say: debate whether …" in done.output
    assert [path.name for path in written.parent.iterdir()] == ["SKILL.md"]


def test_without_a_folder_it_goes_where_claude_code_looks(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("skill", "install")
    assert (tmp_path / ".claude" / "skills" / "debate" / "SKILL.md").is_file()


def test_a_tilde_is_the_home_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    run("skill", "install", "--to", "~/skills")
    assert (tmp_path / "skills" / "debate" / "SKILL.md").is_file()


def test_what_another_release_wrote_is_overwritten(tmp_path):
    written = install(tmp_path)
    written.write_text(signed("an older skill\n"), "utf-8")
    assert install(tmp_path).read_text("utf-8") == signed(SKILL)


@pytest.mark.parametrize(
    "text",
    [
        "my own skill\n",
        "",
        SKILL,
        signed(SKILL).replace("Every caveat", "Some caveats"),
        f"{signed(SKILL)}One more line.\n",
        signed(SKILL).replace("sha256: ", "sha256: 0"),
    ],
    ids=["another", "empty", "unsigned", "changed", "longer", "another hash"],
)
def test_what_a_person_changed_is_kept(tmp_path, text):
    written = install(tmp_path)
    written.write_text(text, "utf-8")
    with pytest.raises(Unsuitable, match=r"holds a changed SKILL\.md: keep yours, or overwrite it with --force"):
        install(tmp_path)
    assert written.read_text("utf-8") == text
    assert install(tmp_path, "--force").read_text("utf-8") == signed(SKILL)


def test_bytes_that_are_no_text_are_kept(tmp_path):
    written = install(tmp_path)
    written.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Unsuitable):
        install(tmp_path)
    assert written.read_bytes() == b"\xff\xfe\x00"


def test_a_link_is_replaced_not_followed(tmp_path):
    (tmp_path / "mine.md").write_text("mine", "utf-8")
    (tmp_path / "debate").mkdir()
    (tmp_path / "debate" / "SKILL.md").symlink_to(tmp_path / "mine.md")
    install(tmp_path, "--force")
    assert (tmp_path / "mine.md").read_text("utf-8") == "mine"


def test_a_place_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "debate").write_text("a file", "utf-8")
    with pytest.raises(BrokenFile, match="choose another folder: --to"):
        install(tmp_path, "--force")
    assert [path.name for path in tmp_path.iterdir()] == ["debate"]


def test_the_skill_and_a_paragraph_for_other_programs_are_shown():
    assert run("skill", "show").stdout.strip() == SKILL.strip()
    assert run("skill", "show", "--as", "agents").stdout.strip() == (SHIPPED / "agents.md").read_text("utf-8").strip()


def test_the_paragraph_has_the_duty_to_keep_caveats():
    assert "every caveat word for word" in (SHIPPED / "agents.md").read_text("utf-8")


def test_the_skill_is_valid_as_shipped_and_as_installed(tmp_path):
    assert validate(SHIPPED / "debate") == []
    assert validate(install(tmp_path).parent) == []
    assert validate(PLUGIN / "skills" / "debate") == []
    assert read_properties(SHIPPED / "debate").name == "debate"


def test_the_validator_notices_a_fault(tmp_path):
    written = install(tmp_path)
    written.write_text(SKILL.replace("name: debate", "name: Debate!"), "utf-8")
    assert validate(written.parent) != []


def test_the_skill_takes_little_of_what_a_model_can_read():
    assert len(SKILL.partition("\n# Debate")[2].split()) <= 450


def test_the_plugin_carries_the_same_skill():
    assert (PLUGIN / "skills" / "debate" / "SKILL.md").read_text("utf-8") == SKILL
    assert (PLUGIN / "AGENTS.md").read_text("utf-8") == (SHIPPED / "agents.md").read_text("utf-8")


MANIFESTS = (".claude-plugin/plugin.json", ".codex-plugin/plugin.json", "gemini-extension.json")
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_has_the_name_and_the_version_of_the_package(name):
    said = json.loads((PLUGIN / name).read_text("utf-8"))
    assert (said["name"], said["version"]) == ("hustings", VERSION)


def test_files_that_manifests_name_are_there():
    codex, gemini = (json.loads((PLUGIN / name).read_text("utf-8")) for name in MANIFESTS[1:])
    for name in (codex["skills"], codex["mcpServers"], gemini["contextFileName"]):
        assert (PLUGIN / name).exists()
    market = json.loads((PLUGIN / ".claude-plugin" / "marketplace.json").read_text("utf-8"))
    assert [(PLUGIN / one["source"] / ".claude-plugin" / "plugin.json").is_file() for one in market["plugins"]] == [
        True
    ]


def test_every_host_starts_the_server_that_is_installed():
    ours = json.loads((PLUGIN / ".mcp.json").read_text("utf-8"))["mcpServers"]
    assert ours == json.loads((PLUGIN / "gemini-extension.json").read_text("utf-8"))["mcpServers"]
    assert ours == {"hustings": {"command": "hustings", "args": ["mcp"]}}


TOLD = sorted(set(re.findall(r"`(hustings [^`]+)`", SKILL)))
"""Those that the skill tells an agent to type."""


@pytest.mark.parametrize("told", TOLD)
def test_every_command_of_the_skill_can_be_typed(told):
    _, name, *rest = shlex.split(told)
    COMMANDS[name].load(name).make_context(name, rest)
