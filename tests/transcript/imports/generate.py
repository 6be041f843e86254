"""Makes files of every shape by the hundred, sound ones and damaged ones; the same number gives the same file."""

import json
from random import Random

from .foreign import TOPIC, chat, entry, memory, message, transcript

NAMES = ("Ada", "Ben", "Chi Minh", "Dr. Ösk-2", "李", "agent:4")
WORDS = (
    "Yes.",
    "No, and here is why.",
    "Ada is wrong: see the figures.",
    "第一。",
    "a\u202eb",
    "1. first\n2. second",
    "😀",
)
STRANGE = (None, True, 0, -1, 2**53 - 1, 1e300, "", " ", "\u202e", "\x1b[31m", [], {}, [[]], {"role": []}, "x" * 5_000)
SHAPES = ("transcript", "contexts", "memory", "messages", "text")


def sound(number):
    """The shape and the bytes of a file that can be imported."""
    rng, shape = Random(number), SHAPES[number % len(SHAPES)]
    return shape, MAKERS[shape](rng)


def damaged(number):
    """The bytes of a file that was sound, and then changed, cut or filled with strange values."""
    rng = Random(number)
    _, raw = sound(number)
    match rng.randrange(3):
        case 0:
            return raw[: rng.randrange(len(raw))]
        case 1:
            spot = rng.randrange(len(raw))
            return raw[:spot] + bytes(rng.randrange(256) for _ in range(3)) + raw[spot + 1 :]
        case _:
            return _strange(rng, raw)


def _strange(rng, raw):
    """The file with one of its values replaced by another type."""
    try:
        value = json.loads(raw)
    except ValueError:
        return raw.replace(b":", b"")
    spots = [*_spots(value)]
    holder, key = rng.choice(spots)
    holder[key] = rng.choice(STRANGE)
    return json.dumps(value).encode()


def _spots(value):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield value, key
        yield from _spots(part)


def _speakers(rng):
    return rng.sample(NAMES, rng.randint(2, 4))


def _words(rng):
    return rng.choice(WORDS)


def _transcript(rng):
    names = [f"seat_{n}" for n in range(rng.randint(2, 4))]
    document = transcript(*(rng.sample(names, len(names)) for _ in range(rng.randint(1, 4))), participants=names)
    for round_ in document["rounds"]:
        for turn in round_["turns"]:
            turn["attempts"][0]["content"] = _words(rng)
    return json.dumps(document).encode()


def _contexts(rng):
    chats = [chat(*(_words(rng) for _ in range(rng.randint(1, 4)))) for _ in range(rng.randint(2, 4))]
    return json.dumps({TOPIC: [chats, 4] if rng.random() < 0.5 else chats}).encode()


def _memory(rng):
    names = _speakers(rng)
    entries = [entry(n, who, _words(rng)) for n in range(rng.randint(1, 4)) for who in names if rng.random() < 0.9]
    entries += [entry(0, who, "First.") for who in names]
    whole = memory(*entries, references=["yes"])
    return json.dumps(whole if rng.random() < 0.5 else [whole]).encode()


def _messages(rng):
    names = _speakers(rng)
    said = [message(rng.choice(names), _words(rng)) for _ in range(rng.randint(1, 9))]
    said += [message(who, "Last.") for who in names]
    said.insert(rng.randrange(len(said)), message(names[0], [{}], type="ToolCallRequestEvent"))
    said.insert(0, message("user", TOPIC))
    return json.dumps({"messages": said} if rng.random() < 0.5 else said).encode()


def _text(rng):
    names = rng.sample(("Ada", "Ben", "Chi Minh", "Dora"), rng.randint(2, 4))
    lines = [TOPIC]
    for n in range(1, rng.randint(2, 4) + 1):
        lines += [rng.choice((f"Round {n}", f"## Round {n}", "")), *(f"{who}: {_words(rng)}" for who in names)]
    return "\n".join(lines).encode()


MAKERS = {
    "transcript": _transcript,
    "contexts": _contexts,
    "memory": _memory,
    "messages": _messages,
    "text": _text,
}
