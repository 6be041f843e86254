"""Files of other programs, four of each shape, with their turns and rounds as counted by hand."""

import json
from dataclasses import dataclass, field
from typing import Any

from hustings.transcript.imports.recognise import HowToRead, read_foreign

AT = "2026-03-04T05:06:07.000Z"
TOPIC = "Should towns close their centres to cars?"


def imported(content, **how):
    raw = content if isinstance(content, bytes) else content.encode() if isinstance(content, str) else _json(content)
    return read_foreign(raw, HowToRead(**how), AT)


def _json(value):
    return json.dumps(value).encode()


def rounds_of(transcript):
    """The speakers of each round, and whether it is complete."""
    return [(round_.round_status, [turn.speaker_id for turn in round_.turns]) for round_ in transcript.rounds]


@dataclass(frozen=True)
class Counted:
    """A file, and what a careful reader counts in it."""

    content: Any
    shape: str
    rounds: tuple[tuple[str, str], ...]
    """Status and speakers of each round."""
    told: tuple[str, ...] = ("Times are those of the import",)
    topic: str = TOPIC
    how: dict[str, Any] = field(default_factory=dict)


# -- transcripts -----------------------------------------------------------------------------


def turn(number, place, speaker, words="Words.", **more):
    attempt = {"attempt_index": 0, "timestamp": AT, "status": "ok", "content": words}
    return {
        "turn_id": f"r{number}.t{place}",
        "round_index": number,
        "turn_index_in_round": place,
        "speaker_id": speaker,
        "attempts": [attempt],
        **more,
    }


def transcript(*rounds, participants=("ada", "ben"), **more):
    return {
        "schema_version": "2.0.0",
        "debate_id": "cars",
        "run_id": "cars-1",
        "mode": "posthoc",
        "created_at": AT,
        "run_metadata": {},
        "debate_metadata": {"topic": TOPIC},
        "participants": [{"agent_id": name} for name in participants],
        "rounds": [
            {"round_index": n, "turns": [turn(n, place, who) for place, who in enumerate(speakers)]}
            for n, speakers in enumerate(rounds, 1)
        ],
        **more,
    }


PARTIAL = transcript(["ada", "ben"], ["ben"])
PARTIAL["rounds"][1] |= {"round_status": "partial", "round_notes": "ada was away"}
NAMED = transcript(["ada", "ben", "chi"], participants=("ada", "ben", "chi"))
NAMED["participants"][0] |= {"display_name": "Ada Lovelace", "model_name": "openai/gpt-5-mini", "team": "pro"}
NAMED["rounds"][0] |= {"theirs": {"kept": [1, 2.5, None]}, "label": "openings"}
NAMELESS = transcript(["ada", "ben"], debate_metadata={"topic": None})
TRANSCRIPTS = (
    Counted(transcript(["ada", "ben"], ["ben", "ada"]), "transcript", ((None, "ada ben"), (None, "ben ada")), ()),
    Counted(PARTIAL, "transcript", ((None, "ada ben"), ("partial", "ben")), ()),
    Counted(NAMED, "transcript", ((None, "ada ben chi"),), ()),
    Counted(NAMELESS, "transcript", ((None, "ada ben"),), (), topic="cars"),
)

# -- agent contexts --------------------------------------------------------------------------


def chat(*answers):
    return [message for answer in answers for message in (said("user", "Think."), said("assistant", answer))]


def said(role, content, **more):
    return {"role": role, "content": content, **more}


PARTS = [{"type": "text", "text": "It is"}, {"type": "image_url", "image_url": {}}, "four."]
CONTEXTS = (
    Counted(
        {TOPIC: [[chat("Yes.", "Still yes."), chat("No.", "Still no.")], "yes"]},
        "contexts",
        (("complete", "agent_1 agent_2"), ("complete", "agent_1 agent_2")),
        ("4 messages to agents left out", "The right answer left out: no judge may see it"),
    ),
    Counted(
        {TOPIC: [chat("Yes.", "Yes!"), chat("No."), chat("Perhaps.")]},
        "contexts",
        (("complete", "agent_1 agent_2 agent_3"), ("partial", "agent_1")),
        ("4 messages to agents left out", "1 of 2 rounds partial"),
    ),
    Counted(
        {"Other?": [[chat("A."), chat("B.")], 1], TOPIC: [[chat("C."), chat("D.")], 2]},
        "contexts",
        (("complete", "agent_1 agent_2"),),
        how={"item": 2},
    ),
    Counted(
        {TOPIC: [[[said("system", "Be brief."), said("assistant", PARTS)], [said("assistant", "No.")]], None]},
        "contexts",
        (("complete", "agent_1 agent_2"),),
        ("1 message to agents left out",),
    ),
)

# -- memory ----------------------------------------------------------------------------------


def entry(number, agent, message="Words.", **more):
    return {"turn": number, "agent_id": agent, "message": message, **more}


def memory(*entries, **more):
    return {"input": [TOPIC], "globalMemory": [*entries], **more}


MEMORIES = (
    Counted(
        [memory(*(entry(n, who) for n in (1, 2) for who in "abc"), references=["yes"])],
        "memory",
        (("complete", "a b c"), ("complete", "a b c")),
        ("references left out: no judge may see it",),
    ),
    Counted(
        memory(
            entry(0, "a", persona="Chef"), entry(0, "b"), entry(1, "a"), entry(1, "a", "More."), context=["A town."]
        ),
        "memory",
        (("complete", "a b"), ("partial", "a")),
        ("Its context left out", "1 speech joined with the one before", "1 of 2 rounds partial"),
    ),
    Counted(
        memory(entry(3, "a"), entry(7, "b"), entry(3, "b"), entry(7, "a", " "), entry(7, "a")),
        "memory",
        (("complete", "a b"), ("complete", "b a")),
        ("Its rounds are numbered from 1 to 2 without gaps", "1 empty speech left out"),
    ),
    Counted(
        {
            "instruction": TOPIC,
            "input": [],
            "personas": [{"agentId": "a", "model": "llama-3"}, "no object"],
            "globalMemory": [entry(1, "a"), {"turn": 1, "persona": "A poet", "message": "Words."}],
        },
        "memory",
        (("complete", "a A_poet"),),
    ),
)

# -- messages --------------------------------------------------------------------------------


def message(source, content="Words.", **more):
    return {"source": source, "content": content, **more}


TIMED = [message(who, created_at=f"2026-01-01T00:00:0{n}+00:00") for n, who in enumerate(["ada", "ben", "ada", "ben"])]
MESSAGES = (
    Counted(
        {
            "messages": [
                message("user", TOPIC, type="TextMessage"),
                message("ada", type="TextMessage"),
                message("ada", [{"name": "search"}], type="ToolCallRequestEvent"),
                message("ben", type="TextMessage"),
                message("ada", type="TextMessage"),
                message("user", "Go on."),
            ],
            "stop_reason": "enough",
        },
        "messages",
        (("complete", "ada ben"), ("partial", "ada")),
        ("1 message left out, no speech", "1 message left out, of the user", "It names no rounds", "1 of 2 rounds"),
    ),
    Counted(
        [said("system", "Debate."), said("user", TOPIC), *(said("assistant", "W.", name=n) for n in "abba")],
        "messages",
        (("complete", "a b"), ("partial", "a")),
        ("1 message left out, no speech", "1 speech joined with the one before"),
    ),
    Counted(
        {"topic": TOPIC, "conversations": [{"from": who, "value": "W."} for who in ("human", "gpt", "human", "gpt")]},
        "messages",
        (("complete", "human gpt"), ("complete", "human gpt")),
        how={"speakers": ("human", "gpt")},
    ),
    Counted(
        [*TIMED, message("chair", "Enough.", created_at="2026-01-01T00:00:09Z")],
        "messages",
        (("complete", "ada ben"), ("complete", "ada ben")),
        ("1 message left out, of others than the speakers you named", "Times are those of the file"),
        how={"speakers": ("ada", "ben"), "topic": TOPIC},
    ),
)

# -- plain text ------------------------------------------------------------------------------

ROUNDS = f"""\
# {TOPIC}
A debate of last year.

Round 1
Ada: Yes. They are loud.
And they take space.
Ben (against): No.

## Round 2: answers
**Ada:** Round 3 of the talks failed.
- [Ben]: Note: so what?
"""
TEXTS = (
    Counted(ROUNDS, "text", (("complete", "Ada Ben"), ("complete", "Ada Ben")), ("1 line before the first speech",)),
    Counted(
        f"Topic: {TOPIC}\nAda: Yes.\nBen: No.\nAda: Yes!\nBen: No!\nChi: Hm.\nAda: Well.",
        "text",
        (("complete", "Ada Ben"), ("complete", "Ada Ben"), ("partial", "Ada")),
        ("No speakers, because their names begin one line only: Chi", "It names no rounds", "1 of 3 rounds partial"),
    ),
    Counted(
        "[Ada]: Yes.\n[Ben]: No.",
        "text",
        (("complete", "Ada Ben"),),
        how={"speakers": ("Ada", "Ben"), "topic": TOPIC},
    ),
    Counted(
        f"{TOPIC}\nAda: Hello.\nBen: Hello.\nRound 1\nAda: Yes.\n"
        "Round 1\nBen: No.\nBen: No!\n=== ROUND 2 ===\nAda:\nBen: No.",
        "text",
        (("complete", "Ada Ben"), ("complete", "Ada Ben"), ("partial", "Ben")),
        ("1 speech joined", "1 empty speech left out", "1 of 3 rounds partial"),
    ),
)
EVERY = (*TRANSCRIPTS, *CONTEXTS, *MEMORIES, *MESSAGES, *TEXTS)
