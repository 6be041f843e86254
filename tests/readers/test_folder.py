"""A folder of documents: what it takes, what it leaves out and why, and nothing from outside of it."""

import os
import shutil
import subprocess

import pytest

from hustings.errors import BrokenFile
from hustings.readers import folder as folders
from hustings.readers.folder import documents_in_folder
from tests.readers.made import SMALL


@pytest.fixture
def docs(tmp_path):
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    for name in ("b.md", "a.txt", "sub/c.py"):
        (tmp_path / "docs" / name).write_text(f"Words of {name}.")
    return tmp_path / "docs"


def taken(docs):
    return [one.title for one in documents_in_folder(str(docs)).documents]


def test_a_folder_may_hold_every_format(tmp_path):
    for name, content in SMALL.items():
        (tmp_path / name).write_bytes(content)
    assert taken(tmp_path) == sorted(SMALL)


def test_documents_come_in_the_order_of_their_names(docs):
    assert taken(docs) == ["a.txt", "b.md", "sub/c.py"]


@pytest.mark.parametrize(
    ("name", "why"),
    [
        (".env", "hidden"),
        ("prod.env", "looks like a key"),
        ("server.pem", "looks like a key"),
        ("id_rsa", "looks like a key"),
        ("my-secrets.txt", "looks like a key"),
        ("plan.doc", "it is no plain text"),
        ("plan.pdf", "is empty"),
        ("empty.txt", "is empty"),
    ],
)
def test_what_is_hidden_a_key_or_no_text_is_left_out_with_the_reason(docs, name, why):
    (docs / name).write_text("")
    found = documents_in_folder(str(docs))
    assert (found.left_out, len(found.documents)) == ({name: why}, 3)


def test_links_out_of_the_folder_pipes_and_linked_folders_are_left_out(docs, tmp_path):
    (tmp_path / "outside.txt").write_text("Not yours.")
    (docs / "out.txt").symlink_to(tmp_path / "outside.txt")
    (docs / "loop").symlink_to(docs)
    (docs / "again.txt").symlink_to(docs / "a.txt")
    os.mkfifo(docs / "pipe.txt")
    found = documents_in_folder(str(docs))
    assert found.left_out == {
        "out.txt": "a link to elsewhere",
        "loop": "a link to elsewhere",
        "pipe.txt": "no regular file",
    }
    assert "again.txt" in [one.title for one in found.documents]


IGNORED = "# build\n*.md\n/sub/\n!kept\n"


@pytest.mark.parametrize("git", [True, False], ids=["by git", "by patterns"])
def test_what_gitignore_names_is_left_out(docs, git, monkeypatch):
    (docs / ".gitignore").write_text(IGNORED)
    if git and shutil.which("git"):
        subprocess.run(["git", "init", "-q", str(docs)], check=True)
    else:
        monkeypatch.setenv("PATH", "")
    found = documents_in_folder(str(docs))
    assert [one.title for one in found.documents] == ["a.txt"]
    assert (found.left_out["b.md"], found.left_out["sub"]) == (".gitignore", ".gitignore")


def test_a_folder_with_nothing_to_read_or_none_at_all_is_refused(tmp_path):
    with pytest.raises(BrokenFile, match="holds no document"):
        documents_in_folder(str(tmp_path))
    with pytest.raises(BrokenFile, match="there is no folder"):
        documents_in_folder(str(tmp_path / "none"))


def test_a_folder_with_too_many_documents_or_files_is_refused(docs, monkeypatch):
    for n in range(198):
        (docs / f"{n}.txt").write_text("Words.")
    with pytest.raises(BrokenFile, match="more than 200 documents"):
        documents_in_folder(str(docs))
    monkeypatch.setattr(folders, "MOST_ENTRIES", 100)
    with pytest.raises(BrokenFile, match="more than 100 files"):
        documents_in_folder(str(docs))
