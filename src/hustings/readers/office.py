"""Reads documents of office programs (DOCX, PPTX, XLSX): what an archive holds decides, not the ending of its name."""

from __future__ import annotations

from .file_text import FileText, Unreadable
from .package import Package
from .sheet import read_workbook
from .slides import read_slides
from .word import read_word

SAVED = "save it as DOCX, PPTX, XLSX or PDF, and name that file"


def read(content: bytes) -> FileText:
    package = Package(content)
    for part, kind in package.content_types().items():
        if kind.endswith(".main+xml"):
            if "word" in kind:
                return FileText("", read_word(package, part), "word")
            if "presentation" in kind or "slideshow" in kind:
                return FileText("", read_slides(package, part), "slides")
            if "sheet" in kind:
                return FileText("", read_workbook(package, part), "sheet")
    raise Unreadable("it is an archive, and no document of Word, PowerPoint or Excel", SAVED)
