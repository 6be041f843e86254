"""A backup is whole, holds what was there at one moment, and is restored into an empty place alone."""

import json
import threading
from contextlib import ExitStack, closing, contextmanager
from uuid import uuid4
from zipfile import ZipFile

import pytest
import sqlalchemy as sa

from hustings.db import documents, run_rows, tokens
from hustings.db.backup import COPY, MANIFEST, back_up, restore
from hustings.db.connection import connect
from hustings.db.migrate import HEAD, upgrade, version_of
from hustings.db.tables import ACTIVITY
from hustings.db.tokens import Access, Credential
from hustings.engine.client import engine_tables
from hustings.errors import Unsuitable
from tests.rig.postgres import database as own_database
from tests.rig.postgres import sqlite_file

NOW = "2026-01-01T00:00:00.000Z"
KINDS = ["sqlite", pytest.param("postgres", marks=pytest.mark.on_postgres)]


@contextmanager
def place(kind, folder):
    """The address of a place where nothing is."""
    if kind == "sqlite":
        yield f"sqlite:///{folder}/{uuid4().hex}.sqlite"
    else:
        with own_database() as url:
            yield url


@pytest.fixture(params=KINDS)
def kept(request, tmp_path):
    """A database with something in it, and an empty place of its kind."""
    with ExitStack() as stack:
        url, empty = (stack.enter_context(place(request.param, tmp_path)) for _ in range(2))
        database = stack.enter_context(closing(connect(url)))
        upgrade(database, engine_tables)
        tokens.issue(database, Access("ann"), "laptop")
        yield database, empty


def test_what_is_restored_is_what_was_backed_up(kept, tmp_path):
    database, empty = kept
    token = tokens.issue(database, Access("bob"))
    made = back_up(database, tmp_path / "backup.zip", NOW)
    assert restore(tmp_path / "backup.zip", empty) == made
    with closing(connect(empty)) as again:
        assert version_of(again) == HEAD
        assert tokens.access_of(again, Credential(token)).owner == "bob"


def test_a_place_that_cannot_be_written_is_refused_in_our_words(kept, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(Unsuitable, match=r"can't write in .*choose another place"):
        back_up(kept[0], tmp_path / "file" / "a.backup", "2026-01-01T00:00:00Z")


def test_the_texts_of_documents_are_restored_with_their_runs(kept, tmp_path):
    database, empty = kept
    row = {"run_id": "r", "owner": "me", "protocol": "p/1", "topic": "t", "created_at": NOW, "spec": "{}"}
    with database.writing() as db:
        run_rows.enter(db, [row])
        documents.keep(db, "r", {"DOC-1": documents.digest_of("Later buses.")}, {"DOC-1": "Later buses."})
    back_up(database, tmp_path / "backup.zip", NOW)
    restore(tmp_path / "backup.zip", empty)
    with closing(connect(empty)) as again, again.reading() as db:
        assert documents.texts_of(db, "r") == {"DOC-1": "Later buses."}


def test_a_restored_database_goes_on(kept, tmp_path):
    database, empty = kept
    back_up(database, tmp_path / "backup.zip", NOW)
    restore(tmp_path / "backup.zip", empty)
    with closing(connect(empty)) as again:
        upgrade(again, engine_tables)
        tokens.issue(again, Access("ann"))
        assert len(tokens.every(again)) == 2


def test_a_backup_holds_one_moment_while_others_write(kept, tmp_path):
    """Each token comes with its row in the activity log: one without the other would be half a transaction."""
    database, empty = kept
    done = threading.Event()

    def write():
        while not done.is_set():
            tokens.issue(database, Access("ann"))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        back_up(database, tmp_path / "backup.zip", NOW)
    finally:
        done.set()
        writer.join()
    restore(tmp_path / "backup.zip", empty)
    with closing(connect(empty)) as again, again.reading() as db:
        assert len(tokens.every(again)) == db.scalar(sa.select(sa.func.count()).select_from(ACTIVITY))


def test_nothing_is_restored_over_a_database(kept, tmp_path):
    database, _ = kept
    back_up(database, tmp_path / "backup.zip", NOW)
    with pytest.raises(Unsuitable, match=r"already exists|not empty"):
        restore(tmp_path / "backup.zip", database.url)
    assert len(tokens.every(database)) == 1


def test_no_backup_is_written_over_a_file(kept, tmp_path):
    file = tmp_path / "backup.zip"
    file.write_text("mine")
    with pytest.raises(Unsuitable, match="already exists"):
        back_up(kept[0], file, NOW)
    assert file.read_text() == "mine"


def changed(file, name, change):
    """A backup with one part changed."""
    with ZipFile(file) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    parts[name] = change(parts[name])
    other = file.with_name("changed.zip")
    with ZipFile(other, "w") as archive:
        for part, content in parts.items():
            archive.writestr(part, content)
    return other


def with_other_digest(text):
    manifest = json.loads(text)
    manifest["tables"]["hustings_token"]["digest"] = "0" * 64
    return json.dumps(manifest)


def of_another_version(text):
    return json.dumps({**json.loads(text), "version": "9999"})


@pytest.mark.parametrize(
    ("name", "change", "said"),
    [
        (COPY, lambda copy: copy[:-9] + b"unlikely!", "does not match its checksum"),
        (MANIFEST, with_other_digest, "differs in hustings_token"),
        (MANIFEST, lambda _: "{}", "can't restore"),
        (MANIFEST, of_another_version, "another version of hustings"),
    ],
)
def test_a_damaged_backup_is_refused_and_leaves_nothing(kept, tmp_path, name, change, said):
    database, empty = kept
    file = tmp_path / "backup.zip"
    back_up(database, file, NOW)
    with pytest.raises(Unsuitable) as caught:
        restore(changed(file, name, change), empty)
    assert said in f"{caught.value.what} {caught.value.why}"


def test_a_file_that_is_no_backup_is_refused(tmp_path):
    for name, content in (("none", None), ("text", "words")):
        if content:
            (tmp_path / name).write_text(content)
        with pytest.raises(Unsuitable, match=r"no file|can't restore"):
            restore(tmp_path / name, sqlite_file(tmp_path))


def test_a_backup_of_one_kind_is_not_restored_as_another(kept, tmp_path):
    database, _ = kept
    back_up(database, tmp_path / "backup.zip", NOW)
    other = "postgresql://nobody@127.0.0.1:1/none" if database.dialect == "sqlite" else sqlite_file(tmp_path)
    with pytest.raises(Unsuitable, match=f"backup of a {database.dialect} database"):
        restore(tmp_path / "backup.zip", other)


def test_an_empty_place_is_not_backed_up(tmp_path):
    with closing(connect(sqlite_file(tmp_path))) as database, pytest.raises(Unsuitable, match="nothing to back up"):
        back_up(database, tmp_path / "backup.zip", NOW)
