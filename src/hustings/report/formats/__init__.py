"""Export formats, one module each: a name, a file suffix and a function that writes a dossier."""

from __future__ import annotations

from typing import Protocol

from hustings.judging.dossier import Dossier


class Export(Protocol):
    FORMAT: str
    SUFFIX: str
    __doc__: str | None
    """Its first line says what the format is for."""

    def render(self, dossier: Dossier) -> str:
        """A module that names a file of this package as its `PAGE` also gets the text of that file.

        One with `render_together(dossiers)` can write all debates of a batch into one file.
        """
        ...
