"""What a format is: a module with a name, an ending for its files, and a function that writes a dossier in it."""

from __future__ import annotations

from typing import Protocol

from hustings.judging.dossier import Dossier


class Export(Protocol):
    FORMAT: str
    SUFFIX: str
    __doc__: str | None
    """Its first line says what it is for."""

    def render(self, dossier: Dossier) -> str:
        """Where the module names a file of ours as its `PAGE`, it is given the text of it, too."""
        ...
