"""Damaged files of every format: each is read or refused in words, and no reader hangs or takes its caller along."""

import random
import zipfile
from contextlib import suppress
from io import BytesIO

import pytest

from hustings.errors import BrokenFile
from hustings.readers import mail, office
from hustings.readers.document import document_from
from hustings.readers.file_text import Unreadable
from tests.readers.made import SMALL, packed


def damaged(content, seed):
    """The file with bytes flipped, a piece taken out, doubled or moved, or its end cut off."""
    chance = random.Random(seed)
    raw = bytearray(content)
    for _ in range(chance.choice((1, 1, 2, 8, 40))):
        at = chance.randrange(len(raw))
        size = chance.choice((1, 4, 60))
        match chance.randrange(5):
            case 0:
                raw[at] = chance.randrange(256)
            case 1 if len(raw) > 2 * size:
                del raw[at : at + size]
            case 2:
                raw[at:at] = raw[at : at + size]
            case 3 if len(raw) > 100:
                del raw[max(at, 50) :]
            case _:
                raw[at] ^= 1 << chance.randrange(8)
    return bytes(raw)


def attempted(content, name):
    try:
        told = document_from(content, name).text
    except BrokenFile as error:
        told = error.why or error.fix
    assert told


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(5))
def test_a_damaged_file_is_read_or_refused_in_words(name, seed):
    attempted(damaged(SMALL[name], f"{name} {seed}"), name)


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("share", [0.1, 0.9])
def test_a_file_that_ends_early_is_read_or_refused_in_words(name, share):
    attempted(SMALL[name][: int(len(SMALL[name]) * share)], name)


@pytest.mark.nightly("starts a process for each of thousands of files")
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", SMALL)
def test_thousands_of_damaged_files_are_read_or_refused_in_words(name):
    for seed in range(1_000):
        attempted(damaged(SMALL[name], f"{name} by night {seed}"), name)


READERS = {"plan.docx": office, "plan.pptx": office, "plan.xlsx": office, "plan.eml": mail}


@pytest.mark.parametrize("name", READERS)
def test_readers_that_are_python_refuse_damage_by_themselves(name):
    """Damage is told apart from a fault of ours: the process that would cover it is not used here."""
    for seed in range(150):
        with suppress(Unreadable):
            READERS[name].read(damaged(SMALL[name], f"{name} here {seed}"))


@pytest.mark.parametrize("name", [name for name in READERS if READERS[name] is office])
def test_damage_inside_an_archive_is_read_or_refused(name):
    with zipfile.ZipFile(BytesIO(SMALL[name])) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    for seed in range(150):
        part = sorted(parts)[seed % len(parts)]
        with suppress(Unreadable):
            office.read(packed({**parts, part: damaged(parts[part], f"{part} inside {seed}")}))
