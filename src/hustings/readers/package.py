"""The archive of an office document: its parts, how they refer to each other, and their XML, element by element.

Bytes are counted while they are unpacked, since an archive can lie about its sizes. Nothing is written to disk, and a
name in it never leads out of it. XML that declares entities is refused.
"""

from __future__ import annotations

import codecs
import posixpath
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import NamedTuple
from xml.parsers import expat
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile

from .file_text import Unreadable

codecs.lookup("cp437")  # names in archives; a process that can open nothing more cannot load it later
MOST_UNPACKED = 400_000_000
"""Bytes of all parts that are read."""
DEEPEST = 500
"""Elements inside each other."""
CHUNK = 2**16
Attributes = Mapping[str, str]
"""By name; those of another namespace than their element's as `namespace}name`."""


class PartLink(NamedTuple):
    kind: str
    """The last word of its type."""
    target: str
    """Name of a part."""


class PartReader:
    """Hears of the elements of a part; `path` names those that are open, `UNREAD` those that are passed over."""

    UNREAD: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self.path: list[str] = []
        self._passed = 0

    def start(self, name: str, given: Attributes) -> None:
        """An element begins; it is not in `path` yet."""

    def end(self, name: str) -> None:
        """An element has ended; it is no longer in `path`."""

    def text(self, words: str) -> None:
        """Words inside the last element of `path`."""

    def opened(self, name: str, given: Attributes) -> None:
        name = name.rpartition("}")[2]
        if len(self.path) > DEEPEST:
            raise Unreadable("its parts are nested too deep")
        if self._passed or name in self.UNREAD:
            self._passed += 1
        else:
            self.start(name, given)
        self.path.append(name)

    def closed(self, name: str) -> None:
        self.path.pop()
        if self._passed:
            self._passed -= 1
        else:
            self.end(name.rpartition("}")[2])

    def said(self, words: str) -> None:
        if not self._passed:
            self.text(words)


class Package:
    def __init__(self, content: bytes) -> None:
        self.left = MOST_UNPACKED
        try:
            self._archive = ZipFile(BytesIO(content))
        except _BROKEN:
            raise Unreadable("its archive is damaged") from None
        self.parts = frozenset(self._archive.namelist())

    def read(self, part: str, reader: PartReader) -> None:
        """Have a reader go through a part; one that is not there says nothing."""
        if part not in self.parts:
            return
        parser = expat.ParserCreate(namespace_separator="}")
        parser.buffer_text = True
        parser.StartElementHandler = reader.opened
        parser.EndElementHandler = reader.closed
        parser.CharacterDataHandler = reader.said
        parser.StartDoctypeDeclHandler = _refuse
        parser.EntityDeclHandler = _refuse
        try:
            self._feed(part, parser)
        except expat.ExpatError:
            raise Unreadable("one of its parts is damaged") from None
        except _BROKEN:
            raise Unreadable("its archive is damaged") from None

    def _feed(self, part: str, parser: expat.XMLParserType) -> None:
        entry = self._archive.getinfo(part)
        if entry.flag_bits & 1:
            raise Unreadable("it is protected by a password", "save it without one")
        if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise Unreadable("its archive is packed in a way that office programs do not use")
        with self._archive.open(entry) as stream:
            while piece := stream.read(CHUNK):
                self.left -= len(piece)
                if self.left < 0:
                    raise Unreadable(f"it unpacks to more than {MOST_UNPACKED:,} bytes", "cut it into smaller files")
                parser.Parse(piece, False)  # noqa: FBT003
        parser.Parse(b"", True)  # noqa: FBT003

    def relations(self, part: str) -> dict[str, PartLink]:
        """What a part refers to inside the archive, by the id that it uses."""
        folder, name = posixpath.split(part)
        reader = _Relations(folder)
        self.read(f"{folder}/_rels/{name}.rels" if folder else f"_rels/{name}.rels", reader)
        return reader.found

    def content_types(self) -> dict[str, str]:
        """Name of a part to what it is."""
        reader = _ContentTypes()
        self.read("[Content_Types].xml", reader)
        return reader.found


class _Relations(PartReader):
    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder
        self.found: dict[str, PartLink] = {}

    def start(self, name: str, given: Attributes) -> None:
        if name == "Relationship" and given.get("TargetMode") != "External":
            target = posixpath.normpath(posixpath.join("/", self.folder, given.get("Target", ""))).lstrip("/")
            self.found[given.get("Id", "")] = PartLink(given.get("Type", "").rpartition("/")[2], target)


class _ContentTypes(PartReader):
    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, str] = {}

    def start(self, name: str, given: Attributes) -> None:
        if name == "Override":
            self.found[given.get("PartName", "").lstrip("/")] = given.get("ContentType", "")


def own(given: Attributes, name: str) -> str:
    """An attribute by its name, whatever its namespace."""
    return next((value for key, value in given.items() if key.rpartition("}")[2] == name), "")


def is_on(value: str) -> bool:
    """Whether a switch is on: one without a value is."""
    return value not in {"0", "false", "off", "none"}


def _refuse(*_: object) -> None:
    raise Unreadable("it declares entities, and office documents have none")


_BROKEN = (
    BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, KeyError, IndexError, zlib.error,
)  # fmt: skip
"""What an archive that is damaged, or made to do harm, can raise."""
