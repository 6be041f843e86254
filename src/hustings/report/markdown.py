"""Proceedings as Markdown, for reading, printing and sharing.

Words of seats are untrusted: everything that Markdown would interpret is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hustings.script.background import background_of
from hustings.script.citing import NOTE as CHECKED
from hustings.script.debate import Proceedings
from hustings.script.documents import FETCHED, NOTED, first_listed, listed_in
from hustings.script.forms import in_lines
from hustings.script.protocol_result import ResultSection
from hustings.text.figures import STEERING
from hustings.transcript.models import Participant, Round, Transcript, Turn
from hustings.transcript.notes import Ending, Note

from . import remarks
from .result_sections import result_sections
from .wording import lens


def render(proceedings: Proceedings) -> str:
    return "\n\n".join(parts(proceedings)) + "\n"


def render_transcript(transcript: Transcript) -> str:
    """A transcript alone, such as one from a file: what its writer noted beside it, and how it ended, is not known."""
    return "\n\n".join([*_record(transcript, _facts(transcript)), *_document(transcript)]) + "\n"


def parts(proceedings: Proceedings, *, result: bool = True) -> list[str]:
    """The title first, then the blocks below it; `result` is left out where it is told elsewhere."""
    transcript = proceedings.transcript
    notes = [note for note in proceedings.notes if note.kind not in {"form", "points", NOTED, FETCHED, CHECKED}]
    return [
        *_record(transcript, _facts(transcript, proceedings.ending, proceedings.notes), proceedings.notes),
        *(sections(result_sections(proceedings)) if result else ()),
        *(["## Working notes", *map(_note, notes)] if notes else []),
        *_document(transcript),
    ]


def sections(result: Iterable[ResultSection]) -> Iterator[str]:
    """The protocol's own result."""
    for section in result:
        yield f"## {plain(section.title)}"
        if section.table:
            yield table(section.table.heads, section.table.rows)
        if section.lines:
            yield items(section.lines) if len(section.lines) > 1 else plain("".join(section.lines))


def items(lines: Iterable[str]) -> str:
    return "\n".join(f"- {plain(line)}" for line in lines)


def _record(transcript: Transcript, facts: Iterable[str], notes: Sequence[Note] = ()) -> list[str]:
    checked = [note for note in notes if note.kind == CHECKED]
    return [
        f"# {plain(transcript.debate_metadata.topic or transcript.debate_id)}",
        "\n".join(facts),
        _seats(transcript.participants),
        *(_round(round_, transcript, checked) for round_ in transcript.rounds),
    ]


def _document(transcript: Transcript) -> list[str]:
    document = background_of(transcript.debate_metadata)
    return [f"## Background document: {plain(document.title)}\n\n{quoted(document.text)}"] if document else []


def _facts(transcript: Transcript, ending: Ending | None = None, notes: Sequence[Note] = ()) -> Iterator[str]:
    yield f"- Protocol: {plain(transcript.run_metadata.protocol or 'unknown')}"
    listed = listed_in(notes) or first_listed(background_of(transcript.debate_metadata))
    yield from (f"- Document {plain(document.remark)}" for document in listed)
    yield f"- Run: {plain(transcript.run_id)}, {transcript.mode}, begun {plain(transcript.created_at)}"
    yield f"- How it was made: {plain(transcript.run_metadata.generation_mode or 'unknown')}"
    if ending:
        why = f": {plain(ending.reason)}" if ending.kind == "failed" else ""
        yield f"- Ending: **{ending.kind}**{why}"
    for state in transcript.participant_state_log or ():
        where = f", round {state.round_index}" if state.round_index is not None else ""
        yield f"- {plain(state.agent_id)}: {state.event_type}{where}: {plain(state.reason or 'no reason given')}"
    for told in transcript.intervention_log or ():
        whom = f" to {plain(told.speaker_id)}" if told.speaker_id else ""
        yield f"- Intervention{whom} ({plain(told.trigger)}): {plain(told.instruction_sent)}"


def _seats(participants: Sequence[Participant]) -> str:
    """Who took part; what they were told to look at has a column if anyone was told it."""
    lenses = [lens(participant) for participant in participants]
    rows = [[*_seat(participant), seen] for participant, seen in zip(participants, lenses, strict=True)]
    heads = ["Speaker", "Role", "Team", "Model", "Lens or style"]
    return table(heads, rows) if any(lenses) else table(heads[:-1], [row[:-1] for row in rows])


def _seat(participant: Participant) -> Sequence[str]:
    name = f"{participant.display_name} ({participant.agent_id})" if participant.display_name else participant.agent_id
    return [name, participant.role or "", participant.team or "", participant.model_name or ""]


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *([plain(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _round(round_: Round, transcript: Transcript, checked: Sequence[Note]) -> str:
    status = "" if round_.round_status in {None, "complete"} else f" ({round_.round_status})"
    head = f"## {round_.round_index}. {plain(round_.label or 'round')}{status}"
    return "\n\n".join([head, *(_turn(turn, transcript, checked) for turn in round_.turns)])


def _turn(turn: Turn, transcript: Transcript, checked: Sequence[Note]) -> str:
    names = {p.agent_id: p.display_name or p.agent_id for p in transcript.participants}
    kind = f", {turn.metadata.kind}" if turn.metadata and turn.metadata.kind else ""
    to = f", to {', '.join(turn.metadata.readers)} alone" if turn.metadata and turn.metadata.readers else ""
    head = f"### {plain(names.get(turn.speaker_id, turn.speaker_id))}{plain(kind + to)} ({plain(turn.turn_id)})"
    said = quoted(turn.said) if turn.said else "*no usable answer*"
    tries = f"\n\n*{len(turn.attempts)} attempts*" if len(turn.attempts) > 1 else ""
    edges = "; ".join(_edge(a.move, a.target_claim_id, a.target_agent_id) for a in turn.addresses or ())
    quotes = "".join(_quotes(note) for note in checked if any(about.turn_id == turn.turn_id for about in note.about))
    return f"{head}\n\n{said}{tries}{quotes}" + (f"\n\nAddresses: {edges}" if edges else "")


def _quotes(note: Note) -> str:
    """What code found of the quotes of a turn."""
    found = remarks.quotes(note)
    false = "".join(f"\n- **{plain(line)}**" for line in remarks.false_quotes(note))
    return f"\n\n*{plain(found)}*" + (f"\n{false}" if false else "") if found else ""


def _edge(move: str | None, claim: str | None, agent: str) -> str:
    return " ".join(plain(word) for word in (move or "speaks to", claim or "", agent) if word)


def _note(note: Note) -> str:
    about = ", ".join(filter(None, (s.turn_id or s.claim_id for s in note.about)))
    head = f"### {plain(note.kind)} by {plain(note.by)}" + (f", about {plain(about)}" if about else "")
    return f"{head}\n\n{quoted(in_lines(note.body))}"


def quoted(text: str) -> str:
    """Text as a block quote, line by line."""
    return "\n".join(f"> {plain(line)}  " if line.strip() else ">" for line in text.splitlines())


def plain(text: str) -> str:
    """Escape text for Markdown and HTML, on one line, with every control character shown."""
    text = ACTIVE.sub(r"\\\g<0>", text.replace("\n", " ").replace("\t", " "))
    text = LEADING.sub(r"\1\\\2", text)
    # Indented words would be code; no-break spaces keep the indent, and Markdown does not count them as one.
    text = INDENT.sub(lambda found: "\u00a0" * len(found.group()), text)
    return STEERING.sub(lambda found: f"\\\\u{ord(found.group()):04x}", text)


def unescape(markdown: str) -> str:
    """Markdown as plain text. An escape stays where its sign would begin a block, or part the cells of a table."""
    return "\n".join((IN_ROW if line.startswith("|") else IN_TEXT).sub(r"\1", line) for line in markdown.split("\n"))


IN_TEXT = re.compile(r"(?:(?<=.)|(?=\\[][_<!&$]))\\([]\\`*_[<>#|!&~$+=:.)-])")
IN_ROW = re.compile(r"\\([]\\`*_[<>#!&~$+=:.)-])")
ACTIVE = re.compile(r"[\\`*_\[\]<>#|!&~$]")
INDENT = re.compile(r"^ +")
LEADING = re.compile(r"^( *(?:(?=[-+=:])|\d+(?=[.)](?:\s|$))))(.)")
"""What begins a list, underlines a heading or a table, or draws a rule: the sign itself, or the one after a number."""
