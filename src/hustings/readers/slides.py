"""Reads the text of a PPTX, slide by slide in the order of the show, each with its speaker's notes."""

from __future__ import annotations

from .file_text import TextSize
from .package import Attributes, Package, PartReader, is_on

NOTES = "Speaker's notes:"


def read_slides(package: Package, part: str) -> str:
    """Slides with a form feed between them. One that is hidden is empty, so that the others keep their numbers."""
    shown = _Presentation()
    package.read(part, shown)
    related, size = package.relations(part), TextSize()
    slides: list[str] = []
    for name in (related[number].target for number in shown.slides if number in related):
        slide = _Slide(size)
        package.read(name, slide)
        blocks = [] if slide.hidden else [*slide.blocks, *_notes(package, name, size)]
        slides.append(size.counted("\n\n".join(blocks)))
    return "\f".join(slides)


def _notes(package: Package, slide: str, size: TextSize) -> list[str]:
    notes = _Notes(size)
    for one in package.relations(slide).values():
        if one.kind == "notesSlide":
            package.read(one.target, notes)
    return [NOTES + "\n" + "\n\n".join(notes.blocks)] if notes.blocks else []


class _Presentation(PartReader):
    def __init__(self) -> None:
        super().__init__()
        self.slides: list[str] = []

    def start(self, name: str, given: Attributes) -> None:
        if name == "sldId" and self.path[-1:] == ["sldIdLst"]:
            self.slides.append(next((value for key, value in given.items() if key.endswith("}id")), ""))


class _Slide(PartReader):
    UNREAD = frozenset({"Fallback"})
    SHAPES = frozenset({"sp", "graphicFrame", "grpSp", "cxnSp", "pic"})
    PASSED = frozenset({"sldNum"})
    """Placeholders whose words are not read."""

    def __init__(self, size: TextSize) -> None:
        super().__init__()
        self.size = size
        self.hidden = False
        self.blocks: list[str] = []
        self._shapes: list[bool] = []
        """Shapes that are open, and whether they are read."""
        self._lines: list[str] = []
        self._words: list[str] = []
        self._row: list[str] | None = None

    def start(self, name: str, given: Attributes) -> None:
        match name:
            case "sld":
                self.hidden = not is_on(given.get("show", "1"))
            case "cNvPr" if self._shapes and is_on(given.get("hidden", "0")):
                self._shapes[-1] = False
            case "ph" if self._shapes:
                self._shapes[-1] = self._shapes[-1] and self.takes(given.get("type", "body"))
            case "tr":
                self._row = []
            case "br" | "tab":
                self._words.append(" " if self._row is not None else "\n")
            case _ if name in self.SHAPES:
                self._shapes.append(True)
            case _:
                pass

    def takes(self, placeholder: str) -> bool:
        return placeholder not in self.PASSED

    def text(self, words: str) -> None:
        if self.path[-1] == "t" and all(self._shapes):
            self._words.append(self.size.counted(words))

    def end(self, name: str) -> None:
        match name:
            case "p" if self._row is None:
                self._line("".join(self._words))
            case "p":
                self._words.append(" ")
            case "tc" if self._row is not None:
                self._row.append(" ".join("".join(self._words).split()))
                self._words = []
            case "tr":
                self._line(" | ".join(self._row or ()))
                self._row = None
            case _ if name in self.SHAPES:
                self._shapes.pop()
                if self._lines:
                    self.blocks.append("\n".join(self._lines))
                self._lines = []
            case _:
                pass

    def _line(self, words: str) -> None:
        self._words = []
        if words.strip(" |\n"):
            self._lines.append(words.strip())


class _Notes(_Slide):
    """A page of notes: beside them it holds a picture of the slide and its number."""

    def takes(self, placeholder: str) -> bool:
        return placeholder == "body"
