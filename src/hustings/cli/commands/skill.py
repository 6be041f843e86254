"""`hustings skill`: install the skill for coding agents, or show it."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Literal

import typer

from hustings.cli.terminal import show, talk
from hustings.errors import BrokenFile, Unsuitable

NAME, FILE = "debate", "SKILL.md"
USUAL = Path(".claude") / "skills"
MARK = re.compile(r"\n<!-- Written by hustings skill install\. sha256: ([0-9a-f]{64}) -->\n\Z")


def install_skill(
    *,
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="DIR",
            help="Folder of skills, such as ~/.claude/skills or .agents/skills.",
            show_default=True,
        ),
    ] = USUAL,
    force: Annotated[bool, typer.Option("--force", help="Overwrite a skill that was changed.")] = False,
) -> None:
    """Install the skill `debate` for coding agents. It overwrites only what it wrote itself."""
    folder = to.expanduser() / NAME
    if not force and _is_changed(folder / FILE):
        raise Unsuitable(f"{folder} holds a changed {FILE}", fix="keep yours, or overwrite it with --force")
    _write(folder / FILE, signed(_shipped(NAME, FILE)))
    show(str(folder / FILE))
    talk(f"Installed the skill '{NAME}' to {folder}. Say: debate whether …")


Form = Literal["skill", "agents"]


def show_skill(
    *, form: Annotated[Form, typer.Option("--as", help="The whole skill, or a paragraph for AGENTS.md.")] = "skill"
) -> None:
    """Show the skill, or a paragraph to paste into AGENTS.md."""
    show((_shipped(NAME, FILE) if form == "skill" else _shipped("agents.md")).rstrip("\n"))


def signed(text: str) -> str:
    """The text with a comment behind it that holds its hash, by which a later release knows it again."""
    return f"{text}\n<!-- Written by hustings skill install. sha256: {_hash(text)} -->\n"


def _is_changed(path: Path) -> bool:
    """Whether a file is there that is not as this command, of any release, wrote it."""
    try:
        there = path.read_text("utf-8")
    except FileNotFoundError:
        return False
    except (OSError, UnicodeDecodeError):
        return True
    mark = MARK.search(there)
    return not mark or _hash(there[: mark.start()]) != mark[1]


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _shipped(*path: str) -> str:
    return files("hustings").joinpath("data", "skill", *path).read_text("utf-8")


def _write(path: Path, text: str) -> None:
    """Write a whole file or nothing; a link in its place is replaced, not followed."""
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft.write_text(text, "utf-8")
        draft.replace(path)
    except OSError as error:
        raise BrokenFile(f"can't write {path}", why=error.strerror or "", fix="choose another folder: --to") from None
    finally:
        with suppress(OSError):
            draft.unlink()
