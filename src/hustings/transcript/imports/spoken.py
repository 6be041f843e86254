"""What every importer finds, who said what, and the transcript that is made of it. Nothing unknown is filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import groupby, pairwise
from typing import Any

from hustings.errors import BrokenFile, Unsuitable
from hustings.text.names import is_one_line
from hustings.transcript.models import SCHEMA_VERSION, Attempt, Participant, Round, RoundStatus, Transcript, Turn
from hustings.transcript.rules.index import instant
from hustings.transcript.rules.reader import SURROGATE

MOST_TURNS = 5_000
LONGEST_NAME, LONGEST_TOPIC = 100, 100_000
NAME_THE_SPEAKERS = "name them, as in --speakers Ada,Ben"


@dataclass(frozen=True)
class Spoken:
    """One speech of a file."""

    speaker: str
    words: str
    round: int = 0
    """Number that the file gives its round; 0 if it gives none."""
    at: str = ""
    """Its time in the file, if there is one."""
    model: str = ""


@dataclass(frozen=True)
class SpokenDebate:
    """One debate of a file, as far as the file tells it."""

    topic: str
    spoken: tuple[Spoken, ...]
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    """What a speaker is called, where that is not how the file identifies it."""
    left_out: tuple[str, ...] = ()
    """What was not taken over, in words."""


def transcript_of(found: SpokenDebate, topic: str, source: str, at: str) -> tuple[Transcript, tuple[str, ...]]:
    """The transcript of a debate, and what a reader must know about it. Ids depend on the words alone."""
    topic = checked_topic(topic or found.topic)
    spoken, told = _in_rounds(found.spoken)
    ids = _ids(spoken, found.names)
    times, timed = _times(spoken, at)
    words = json.dumps([topic, [(one.round, one.speaker, one.words) for one in spoken]])
    name = f"import-{sha256(words.encode('utf-8', 'backslashreplace')).hexdigest()[:12]}"
    document: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "debate_id": name,
        "run_id": name,
        "mode": "posthoc",
        "created_at": times[0],
        "run_metadata": {"generation_mode": "imported", "notes": f"{source}. {timed}"},
        "debate_metadata": {"topic": topic},
        "participants": [*_participants(spoken, ids, found.names)],
        "rounds": [*_rounds(spoken, times, ids)],
    }
    return Transcript.model_validate(document), (*found.left_out, *told, timed)


def checked_topic(topic: str) -> str:
    """The question on one line or several; refused if it is missing, or no text."""
    topic = topic.strip()
    if not topic:
        raise Unsuitable("the file does not say what the debate is about", fix='name the question: --topic "…"')
    if len(topic) > LONGEST_TOPIC:
        raise Unsuitable(
            f"the question has {len(topic):,} characters, and {LONGEST_TOPIC:,} are allowed",
            fix='name it in a few words: --topic "…"',
        )
    if "\0" in topic or SURROGATE.search(topic):
        raise Unsuitable("the question contains a character that no text can have", fix='write it anew: --topic "…"')
    return topic


def must_be_a_debate(speakers: Iterable[str], turns: int) -> None:
    """Refuse what is no debate, or too long to be one."""
    found = list(speakers)
    if len(found) < 2:
        who = f"only one speaker ({found[0]!r})" if found else "no speaker"
        raise Unsuitable(f"{who} was found, and a debate has two or more", fix=NAME_THE_SPEAKERS)
    if turns > MOST_TURNS:
        raise Unsuitable(f"{turns:,} turns, and {MOST_TURNS:,} are allowed", fix="import a part of the debate")


def checked_name(name: str) -> str:
    """A name that may stand in every prompt and on every page; the same checks as for seats, and a limit."""
    if not name.strip() or len(name) > LONGEST_NAME or not is_one_line(name):
        shown = f"{name[:40]!r}{'…' if len(name) > 40 else ''}"
        raise Unsuitable(
            f"{shown} can't be the name of a speaker",
            fix=f"use one line of up to {LONGEST_NAME} characters, without control characters",
        )
    return name


def text_of(value: object, where: str) -> str:
    """A text of the file; anything else is refused."""
    if not isinstance(value, str):
        raise BrokenFile(f"{where} is no text", fix="correct the file, or name its shape with --as")
    if "\0" in value:
        raise BrokenFile(f"{where} contains the character U+0000", fix="remove it from the file")
    return value


def counted(count: int, one: str, many: str = "") -> str:
    """`1 message`, `2 messages`."""
    return f"{count:,} {one}" if count == 1 else f"{count:,} {many or f'{one}s'}"


def by_turns(spoken: Iterable[Spoken]) -> Iterator[Spoken]:
    """Count rounds where a file has none: a new one begins when a speaker would speak twice in the current one."""
    number, heard, last = 1, set[str](), ""
    for one in spoken:
        if one.speaker in heard and one.speaker != last:
            number, heard = number + 1, set[str]()
        heard.add(one.speaker)
        last = one.speaker
        yield replace(one, round=number)


# -- rounds and turns ------------------------------------------------------------------------


def _in_rounds(spoken: Sequence[Spoken]) -> tuple[list[Spoken], list[str]]:
    """Speeches by round, numbered from 1 without gaps; what one speaker says twice running is one speech."""
    found = [one for one in spoken if one.words.strip()]
    empty, told = len(spoken) - len(found), list[str]()
    if found and not all(one.round for one in found):
        found = [*by_turns(found)]
        told += ["It names no rounds: a new one begins when a speaker would speak twice in it"]
    numbers = sorted({one.round for one in found})
    if numbers != [*range(1, len(numbers) + 1)]:
        told += [f"Its rounds are numbered from 1 to {len(numbers)} without gaps"]
    joined = [*_joined(sorted(found, key=lambda one: one.round), numbers)]
    must_be_a_debate(dict.fromkeys(one.speaker for one in joined), len(joined))
    twice = len(found) - len(joined)
    told += [f"{counted(twice, 'speech', 'speeches')} joined with the one before, of the same speaker"] if twice else []
    told += [f"{counted(empty, 'empty speech', 'empty speeches')} left out"] if empty else []
    return joined, [*told, *_partial(joined)]


def _joined(spoken: Iterable[Spoken], numbers: Sequence[int]) -> Iterator[Spoken]:
    order = {number: place for place, number in enumerate(numbers, 1)}
    for (number, _), running in groupby(spoken, key=lambda one: (one.round, one.speaker)):
        said = [*running]
        model = said[0].model if len({one.model for one in said}) == 1 else ""
        yield replace(said[-1], round=order[number], words="\n\n".join(one.words for one in said), model=model)


def _partial(spoken: Sequence[Spoken]) -> Iterator[str]:
    status = [*_statuses(spoken).values()]
    if partial := status.count("partial"):
        yield f"{partial} of {counted(len(status), 'round')} partial: not every speaker spoke in it exactly once"


def _statuses(spoken: Sequence[Spoken]) -> dict[int, RoundStatus]:
    everybody, heard = {one.speaker for one in spoken}, dict[int, list[str]]()
    for one in spoken:
        heard.setdefault(one.round, []).append(one.speaker)
    once = {number: len({*names}) == len(names) == len(everybody) for number, names in heard.items()}
    return {number: "complete" if each else "partial" for number, each in once.items()}


def _rounds(spoken: Sequence[Spoken], times: Sequence[str], ids: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    rounds: dict[int, list[Turn]] = {}
    for one, time in zip(spoken, times, strict=True):
        turns = rounds.setdefault(one.round, [])
        turns.append(
            Turn(
                turn_id=f"r{one.round}.t{len(turns)}",
                round_index=one.round,
                turn_index_in_round=len(turns),
                speaker_id=ids[one.speaker],
                attempts=[Attempt(attempt_index=0, timestamp=time, status="ok", content=one.words)],
            )
        )
    for number, status in _statuses(spoken).items():
        yield Round(round_index=number, round_status=status, turns=rounds[number]).model_dump(exclude_none=True)


def _times(spoken: Sequence[Spoken], at: str) -> tuple[list[str], str]:
    """The times of the file if every speech has one and none goes back, else that of the import; and which it is."""
    found = [instant(one.at) for one in spoken]
    known = [time for time in found if time is not None]
    if known and len(known) == len(spoken) and all(a <= b for a, b in pairwise(known)):
        return [one.at for one in spoken], "Times are those of the file"
    return [at] * max(len(spoken), 1), "Times are those of the import"


# -- speakers --------------------------------------------------------------------------------


def _ids(spoken: Sequence[Spoken], names: Mapping[str, str]) -> dict[str, str]:
    """An id for each speaker that is safe in file names; two speakers never share one."""
    ids: dict[str, str] = {}
    for who in dict.fromkeys(one.speaker for one in spoken):
        checked_name(who)
        checked_name(names.get(who, who))
        base = _UNSAFE.sub("_", who).strip("_.:-")[:64] or f"s{sha256(who.encode()).hexdigest()[:8]}"
        taken, number = {*ids.values()}, 2
        ids[who] = base
        while ids[who] in taken:
            ids[who] = f"{base}_{number}"
            number += 1
    return ids


def _participants(
    spoken: Sequence[Spoken], ids: Mapping[str, str], names: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    for who, name in ids.items():
        models = {one.model for one in spoken if one.speaker == who}
        model = models.pop() if len(models) == 1 else ""
        called = names.get(who, who)
        person = Participant(
            agent_id=name,
            model_name=checked_name(model) if model else None,
            display_name=called if called != name else None,
        )
        yield person.model_dump(exclude_none=True)


_UNSAFE = re.compile(r"[^A-Za-z0-9._:-]+")
