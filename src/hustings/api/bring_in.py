"""`import_debates`: read debates that other programs wrote down, as results that can be read and judged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from hustings.readers.files import read_bytes
from hustings.transcript.imports.recognise import MOST_BYTES, HowToRead, Shape

from .database_place import database_url
from .inputs import checked
from .results import Result


@checked
def import_debates(
    file: str | Path | bytes,
    *,
    shape: Shape | None = None,
    topic: str = "",
    speakers: Sequence[str] = (),
    item: int | Literal["all"] | None = None,
    database: str | Path | None = None,
) -> list[Result]:
    """Import the debates of a file, given by its path or as bytes; the same file gives the same debates again.

    `shape` overrides what the fields of the file tell, `topic` and `speakers` add what it leaves out, `item` chooses
    one of several debates. To judge one: `hustings.resume(result.run_id, judges=[...])`.

    >>> from hustings import import_debates
    >>> said = b"Is tea better?\\nAda: Yes.\\nBen: No.\\nAda: It is.\\nBen: It is not."
    >>> [result] = import_debates(said, database="temporary")
    >>> result.motion, len(result.transcript.turns)
    ('Is tea better?', 4)
    """
    from hustings.db.activity import person  # noqa: PLC0415  heavy
    from hustings.runs.imported import import_debates as imported  # noqa: PLC0415
    from hustings.runs.queries import open_runs  # noqa: PLC0415

    raw, name = (file, "") if isinstance(file, bytes) else (read_bytes(Path(file), MOST_BYTES, "a file"), str(file))
    how = HowToRead(shape, topic.strip(), tuple(dict.fromkeys(speakers)), item)
    with open_runs(database_url(database)) as runs:
        found = imported(runs, raw, name, how, person())
        return [Result.at(runs, one.run_id) for one in found]
