"""Long files of debates are read in a limited process, with the same result as short ones."""

import json

import pytest

from hustings.errors import BrokenFile, NotFound, Unsuitable
from hustings.readers.foreign_debates import AT_ONCE, read_debates
from hustings.readers.limited import ReaderLimits
from hustings.transcript.imports.recognise import HowToRead, read_foreign

AT = "2024-01-01T00:00:00.000Z"
TEXT = "Is it só? 👋\n" + "\n".join(f"{['Ada', 'Ben'][n % 2]}: {'Yes, it is. ' * 9}" for n in range(900))
MESSAGES = [{"name": "AB"[n % 2], "content": f"words {'and words ' * 9} {n}\u202e"} for n in range(900)]
CONTEXTS = {f"Q{n}?": [[[{"role": "assistant", "content": "w " * 400}]] * 2, n] for n in range(60)}
ALL = HowToRead("messages", "What?", ("A", "B"), "all")
LONG = {
    "text": (TEXT.encode(), HowToRead()),
    "messages": (json.dumps(MESSAGES).encode(), ALL),
    "contexts": (json.dumps(CONTEXTS).encode(), HowToRead(item="all")),
    "transcript": (
        json.dumps(read_foreign(TEXT.encode(), HowToRead(), AT)[0].transcript.document()).encode(),
        HowToRead(),
    ),
}


@pytest.mark.parametrize("name", LONG)
def test_a_long_file_is_read_in_a_limited_process_as_in_this_one(name):
    content, how = LONG[name]
    assert len(content) > AT_ONCE
    expected = read_foreign(content, how, AT)
    found = read_debates(content, how, AT)
    assert found == expected


@pytest.mark.parametrize(
    ("content", "how", "error", "said"),
    [
        (b"a\n" * AT_ONCE, HowToRead(topic="Q"), Unsuitable, "no speaker was found"),
        (b"\xff" * 2 * AT_ONCE, HowToRead(), BrokenFile, "not UTF-8"),
        (b"[" * 2 * AT_ONCE, HowToRead(), BrokenFile, "can't be read as JSON"),
        (b"a\n" * AT_ONCE, HowToRead(shape="txt"), NotFound, "did you mean 'text'"),
    ],
)
def test_a_long_file_that_is_refused_is_refused_in_the_same_words(content, how, error, said):
    with pytest.raises(error, match=said) as here:
        read_foreign(content, how, AT)
    with pytest.raises(error, match=said) as there:
        read_debates(content, how, AT)
    assert (there.value.what, there.value.why, there.value.fix) == (here.value.what, here.value.why, here.value.fix)


def test_a_long_file_that_takes_too_much_memory_or_time_is_refused_in_words():
    with pytest.raises(BrokenFile, match=r"longer than 0\.01 seconds"):
        read_debates(TEXT.encode(), HowToRead(), AT, ReaderLimits(waiting=0.01))
    with pytest.raises(BrokenFile, match="memory"):
        read_debates(TEXT.encode() + b" " * 50_000_000, HowToRead(), AT, ReaderLimits(memory=120_000_000))
