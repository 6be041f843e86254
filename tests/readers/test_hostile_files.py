"""Hostile files are read or refused in words, within limits; who asked goes on, and no other file is opened."""

import resource
import subprocess
import sys

import pytest

from hustings.errors import BrokenFile
from hustings.readers.document import brought, content_of, document_from, kind_of
from hustings.readers.file_text import Unreadable
from hustings.readers.limited import ReaderLimits, read_limited
from hustings.script.documents import DocumentText
from tests.readers.hostile import AT_NIGHT, CANARY, FILES, ODD, laid

QUICK = ReaderLimits(seconds=2, memory=700_000_000, waiting=60.0)
DOUBT = 0.2
"""The limit and `getrusage` count by different clocks: beside other work, 20 seconds of the one were 18.7 and 23.2."""
OPENED: list[str] = []
sys.addaudithook(lambda event, given: OPENED.append(str(given[0])) if event == "open" else None)


def read(path, limits):
    """As `read_document` does it, with limits of our own."""
    content = content_of(path)
    kind = kind_of(content, str(path))
    if kind is None:
        return document_from(content, str(path))
    try:
        found = read_limited(kind, content, limits)
    except Unreadable as error:
        raise BrokenFile(f"{path.name!r} cannot be read", why=error.why, fix=error.fix) from None
    return brought(found.title or "It", found.text, media=found.media, name=path.name)


def attempted(path, limits):
    """What came of it: the text, or the refusal in words."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        found = read(path, limits)
        assert isinstance(found, DocumentText)
        told = found.text
    except BrokenFile as error:
        told = str(error)
        assert "Traceback" not in told
        assert "Error" not in told
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert told
    computed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    assert computed < limits.seconds * (1 + DOUBT) + 2
    return told


REFUSED = {
    "zip bomb of words.docx": "more than 20,000,000 characters",
    "billion laughs.docx": "declares entities",
    "entity of a file.docx": "declares entities",
    "definition from outside.docx": "declares entities",
    "protected archive.docx": "protected by a password",
    "deep xml.docx": "nested too deep",
    "text that is not there.xlsx": "names a text that is not there",
    "column beyond all.xlsx": "and a sheet has 16,384",
    "long text a thousand times.xlsx": "more than 20,000,000 characters",
    "protected.pdf": "protected by a password",
    "many pages of one stream.pdf": "more than 2 seconds of computing",
    "page tree in a circle.pdf": "damaged",
    "ten thousand parts in each other.eml": "nested too deep",
    "pipe.pdf": "not a regular file",
    "device.pdf": "not a regular file",
    "folder.pdf": "Is a directory",
    "more bytes than allowed.pdf": "it has more than 120 MB",
}


@pytest.mark.parametrize("name", [*FILES, *ODD])
def test_a_hostile_file_is_read_or_refused_in_words(name, tmp_path):
    path = laid(tmp_path, name)
    OPENED.clear()
    told = attempted(path, QUICK)
    assert REFUSED.get(name, "") in told
    assert CANARY not in told
    assert {name for name in OPENED if name.startswith(str(tmp_path))} <= {str(path)}


@pytest.mark.nightly("files of hundreds of megabytes")
@pytest.mark.parametrize("name", AT_NIGHT)
def test_a_huge_hostile_file_is_read_or_refused_in_words(name, tmp_path):
    assert attempted(laid(tmp_path, name), ReaderLimits(seconds=20))


def test_there_are_at_least_forty_kinds():
    assert len({*FILES, *ODD}) >= 40


# -- the limited process -------------------------------------------------------------------


def in_child(code):
    """What a process prints after it was limited as readers are."""
    before = "from hustings.readers.child import _limit\nimport socket, os, sys\n"
    return subprocess.run(
        [sys.executable, "-c", before + code], capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize("door", ["open('/etc/hostname')", "socket.socket()", "os.listdir('/')", "os.pipe()"])
def test_a_reader_that_has_begun_can_open_nothing(door):
    done = in_child(f"_limit(RLIMIT_NOFILE=3)\ntry: {door}\nexcept OSError as error: print(error.strerror)")
    assert done.stdout.strip() == "Too many open files"


def test_a_limit_that_was_lower_before_stays():
    code = "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (9, 9))\n_limit(RLIMIT_CPU=60)\n"
    assert in_child(code + "print(resource.getrlimit(resource.RLIMIT_CPU))").stdout.strip() == "(9, 9)"


def test_a_reader_that_takes_too_long_is_ended_by_the_clock(tmp_path):
    content = content_of(laid(tmp_path, "many pages of one stream.pdf"))
    with pytest.raises(Unreadable, match=r"longer than 0\.5 seconds"):
        read_limited("pdf", content, ReaderLimits(waiting=0.5))


def test_a_reader_without_memory_is_told_as_such():
    with pytest.raises(Unreadable, match="memory"):
        read_limited("mail", b"Subject: x\n\n" + b"x" * 20_000_000, ReaderLimits(memory=60_000_000))
