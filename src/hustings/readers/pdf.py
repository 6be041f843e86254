"""Reads a PDF page by page, by pypdfium2; pages that are pictures alone are refused as scanned."""

from __future__ import annotations

import codecs
import re
from collections.abc import Sequence
from typing import Any

import pypdfium2  # pyright: ignore[reportMissingTypeStubs]

from .file_text import FileText, TextSize, Unreadable
from .running_lines import without_running_lines

codecs.lookup("utf-16-le")  # a process that can open nothing more cannot load it later
FEW_CHARACTERS = 40
"""A page with fewer is looked at: it may be a picture."""
MOST_LOOKED_AT = 100
"""Pages."""
PRINTED = "print it to a new PDF, and name that"
SCANNED = "have its text recognised (OCR) and save that, or write what is debated into a text file"


def read(content: bytes) -> FileText:
    document = _opened(content)
    size = TextSize()
    pages = [size.counted(_page(document, number)) for number in range(len(document))]
    if not any(page.strip() for page in pages) or _is_scanned(document, pages):
        raise Unreadable("it holds hardly any text: its pages are pictures, as a scanner makes them", SCANNED)
    return FileText("", "\f".join(without_running_lines(pages)), "pdf")


def _opened(content: bytes) -> Any:
    try:
        return pypdfium2.PdfDocument(content)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise Unreadable("it is protected by a password", "save it without one") from None
        raise Unreadable("it is damaged, or no PDF", PRINTED) from None


def _page(document: Any, number: int) -> str:
    try:
        page = document[number]
        letters = page.get_textpage()
        text: str = letters.get_text_range()
        letters.close()
        page.close()
    except pypdfium2.PdfiumError:
        raise Unreadable(f"its page {number + 1} is damaged", PRINTED) from None
    # A hyphen at the end of a line comes as a character of its own, without the line's end.
    text = HYPHEN.sub("-\n", text.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n"))
    return "\n".join(line.rstrip() for line in text.strip().split("\n"))


def _is_scanned(document: Any, pages: Sequence[str]) -> bool:
    """Whether most pages have hardly a word, and a picture instead."""
    bare = [number for number, page in enumerate(pages) if len("".join(page.split())) < FEW_CHARACTERS]
    if 2 * len(bare) <= len(pages):
        return False
    looked_at = bare[:MOST_LOOKED_AT]
    return 2 * sum(_has_picture(document, number) for number in looked_at) > len(looked_at)


def _has_picture(document: Any, number: int) -> bool:
    page = document[number]
    picture = pypdfium2.raw.FPDF_PAGEOBJ_IMAGE
    found = any(True for _ in page.get_objects(filter=[picture], max_depth=3))
    page.close()
    return found


HYPHEN = re.compile(r"[\ufffe\x02]\n?")
