"""Reads the documents of a folder: what it takes and what it leaves out, in words, and never a file of keys."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from hustings.errors import BrokenFile
from hustings.script.documents import MOST_DOCUMENTS, DocumentText

from .document import read_document

MOST_ENTRIES = 20_000
"""Files and folders that are looked at."""
GIT_SECONDS = 10.0
KEYS = (
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "*.asc", "*.gpg"),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.env", "*credentials*", "*secret*", "*password*"),
)
"""Names of files that look like keys."""


@dataclass(frozen=True)
class FolderDocuments:
    documents: tuple[DocumentText, ...]
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    """File and why it was left out."""


def documents_in_folder(folder: str, seats: tuple[str, ...] = ()) -> FolderDocuments:
    """Every file of a folder and those below it that can be read, in the order of their names."""
    root = Path(folder).expanduser()
    if not root.is_dir():
        raise BrokenFile(f"there is no folder {folder!r}", fix="check the name; a single document is named with --file")
    left_out: dict[str, str] = {}
    try:
        files = [*_files(root.resolve(), left_out)]
    except OSError as error:
        fix = "name single files with --file"
        raise BrokenFile(f"can't look into {error.filename!r}", why=error.strerror or "", fix=fix) from None
    documents: list[DocumentText] = []
    for file in files:
        if len(documents) == MOST_DOCUMENTS:
            raise BrokenFile(
                f"{folder!r} has more than {MOST_DOCUMENTS} documents",
                fix="name a smaller folder, or single files with --file",
            )
        name = file.relative_to(root.resolve()).as_posix()
        try:
            documents.append(read_document(file, seats=seats, title=name))
        except BrokenFile as error:
            left_out[name] = error.why or error.what.rpartition("' ")[2]
    if not documents:
        raise BrokenFile(f"{folder!r} holds no document that can be read", fix="name files with --file")
    return FolderDocuments(tuple(documents), left_out)


def _files(root: Path, left_out: dict[str, str]) -> list[Path]:
    """Files of a folder, level by level, but for those that are hidden, ignored, keys, or not inside it."""
    found, level, seen = list[Path](), [root], 0
    while level:
        entries = [Path(entry) for folder in level for entry in os.scandir(folder)]
        seen += len(entries)
        if seen > MOST_ENTRIES:
            raise BrokenFile(f"{str(root)!r} has more than {MOST_ENTRIES:,} files", fix="name a smaller folder")
        ignored, level = _ignored(root, entries), []
        for entry in entries:
            if why := ".gitignore" if entry in ignored else _unfit(root, entry):
                left_out[entry.relative_to(root).as_posix()] = why
            else:
                (level if entry.is_dir() else found).append(entry)
    return sorted(found)


def _unfit(root: Path, entry: Path) -> str:
    """Why an entry is left out; empty if it is not."""
    if entry.name.startswith("."):
        return "hidden"
    if any(fnmatch(entry.name.lower(), pattern) for pattern in KEYS):
        return "looks like a key"
    if entry.is_symlink() and (entry.is_dir() or not entry.resolve().is_relative_to(root)):
        return "a link to elsewhere"
    return "" if entry.is_dir() or entry.is_file() else "no regular file"


# -- .gitignore ----------------------------------------------------------------------------


def _ignored(root: Path, entries: Sequence[Path]) -> set[Path]:
    """Entries that `.gitignore` leaves out: as git says, else by a plain reading of the file in the folder itself."""
    told = _asked_git(root, entries)
    return {*_by_patterns(root, entries)} if told is None else told


def _asked_git(root: Path, entries: Sequence[Path]) -> set[Path] | None:
    """None where git is not installed, or the folder is in no repository."""
    git = shutil.which("git")
    if git is None or not entries:
        return None if entries else set()
    # The folder may be anyone's: its settings must not start a program.
    command = [git, "-c", "core.fsmonitor=false", "-C", str(root), "check-ignore", "--no-index", "-z", "--stdin"]
    asked = b"\0".join(os.fsencode(entry) for entry in entries) + b"\0"
    try:
        done = subprocess.run(command, input=asked, capture_output=True, timeout=GIT_SECONDS, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    return {Path(os.fsdecode(name)) for name in done.stdout.split(b"\0") if name} if done.returncode in {0, 1} else None


def _by_patterns(root: Path, entries: Iterable[Path]) -> Iterable[Path]:
    try:
        lines = (root / ".gitignore").read_text("utf-8").splitlines() if (root / ".gitignore").is_file() else []
    except (OSError, ValueError):
        return
    patterns = [line.strip() for line in lines if line.strip() and not line.startswith(("#", "!"))]
    for entry in entries:
        path = entry.relative_to(root).as_posix()
        for pattern in patterns:
            name = pattern.strip("/")
            if fnmatch(path, name) or ("/" not in name and not pattern.startswith("/") and fnmatch(entry.name, name)):
                if entry.is_dir() or not pattern.endswith("/"):
                    yield entry
                break
