"""What the lock files pin: Python packages by requirements/*.txt, and those parts of the pages that are shipped."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent
ALSO_SHIPPED = frozenset({"tailwindcss"})
"""Tools whose own text ends up in the pages: here a style sheet."""
_PIN = re.compile(r"^([a-z0-9][\w.-]*)==([^ ;\\]+)(?: *; *([^\\]+?))? *\\?$", re.MULTILINE)


@dataclass(frozen=True, order=True)
class Pin:
    """A package at a version, with the digests of its files and the packages that want it."""

    ecosystem: str
    name: str
    version: str
    marker: str = ""
    licence: str = ""
    digests: tuple[str, ...] = ()
    wanted_by: tuple[str, ...] = ()


def python_pins(path: Path) -> tuple[Pin, ...]:
    """The pins of a requirements file compiled with hashes."""
    text = path.read_text("utf-8")
    heads = [*_PIN.finditer(text)]
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return tuple(_pin(head, text[head.end() : end]) for head, end in zip(heads, ends, strict=True))


def _pin(head: re.Match[str], block: str) -> Pin:
    _, _, via = block.partition("# via")
    return Pin(
        ecosystem="PyPI",
        name=head[1],
        version=head[2],
        marker=(head[3] or "").strip(),
        digests=tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", block)),
        wanted_by=tuple(re.findall(r"(?:^|#) +([a-z0-9][\w.-]*)", via, re.MULTILINE)),
    )


def page_pins(path: Path) -> tuple[Pin, ...]:
    """The packages of an npm lock file that end up in the pages."""
    packages = json.loads(path.read_text("utf-8"))["packages"]
    named = {place: place.rpartition("node_modules/")[2] for place in packages if place}
    inside = {place: name for place, name in named.items() if not packages[place].get("dev") or name in ALSO_SHIPPED}
    pins = (
        Pin(
            ecosystem="npm",
            # A package may be installed under the name of another one, in whose place it stands.
            name=str(packages[place].get("name", name)),
            version=packages[place]["version"],
            licence=packages[place].get("license", ""),
            digests=tuple(
                b64decode(found).hex() for found in re.findall(r"sha512-(\S+)", packages[place]["integrity"])
            ),
            wanted_by=_wanted_by(name, packages, inside),
        )
        for place, name in sorted(inside.items())
    )
    return tuple(dict.fromkeys(pins))


def _wanted_by(name: str, packages: dict[str, dict[str, dict[str, str]]], inside: dict[str, str]) -> tuple[str, ...]:
    wanting = {other for place, other in inside.items() if name in packages[place].get("dependencies", {})}
    top = packages[""]
    return tuple(
        sorted(wanting | ({"hustings"} if name in {**top["dependencies"], **top["devDependencies"]} else set()))
    )


def shipped() -> tuple[Pin, ...]:
    """All that comes with hustings when it is installed."""
    return (*python_pins(ROOT / "requirements/run.txt"), *page_pins(ROOT / "frontend/package-lock.json"))


def every() -> tuple[Pin, ...]:
    """What is shipped, and what it is built and tested with from Python's index."""
    files = sorted((ROOT / "requirements").glob("*.txt"))
    return tuple(sorted({*shipped(), *(pin for path in files for pin in python_pins(path))}))
