"""Compares two captures: `python -m tests.golden.compare BEFORE AFTER`; exits 1 on a difference that is not listed.

`changes.toml` lists what was changed on purpose: words that are spelled otherwise now, and files that say something
else, each with the reason. The last line is JSON with counts.
"""

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import unified_diff
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path

CHANGES = Path(__file__).with_name("changes.toml")
HEAD = 30
"""Lines of a difference that are shown."""


@dataclass(frozen=True)
class Changes:
    """What was changed on purpose."""

    words: Mapping[str, str] = field(default_factory=dict)
    """Old spelling to new; whole words only."""
    files: Mapping[str, str] = field(default_factory=dict)
    """Pattern of a path to the reason why such a file may differ, appear or be gone."""

    @staticmethod
    def read(path: Path) -> "Changes":
        listed = tomllib.loads(path.read_text("utf-8"))
        return Changes(listed.get("words", {}), listed.get("files", {}))

    def applied(self, text: str) -> str:
        """All at once, so that two words can change places."""
        if not self.words:
            return text
        old = "|".join(re.escape(word) for word in sorted(self.words, key=len, reverse=True))
        return re.sub(rf"(?<!\w)({old})(?!\w)", lambda found: self.words[found[0]], text)

    def reason(self, name: str) -> str:
        return next((why for pattern, why in self.files.items() if fnmatch(name, pattern)), "")


@dataclass(frozen=True)
class Found:
    """What became of one file."""

    name: str
    state: str
    """`equal`, `listed`, `different`, `missing` or `new`."""
    detail: str = ""


def compared(before: Path, after: Path, changes: Changes) -> Iterator[Found]:
    old, new = files_in(before), files_in(after)
    for name in sorted(old.keys() | new.keys()):
        if name not in old or name not in new:
            state, detail = "missing" if name in old else "new", ""
        else:
            detail = difference(changes.applied(text_of(old[name])), text_of(new[name]))
            state = "different" if detail else "equal"
        why = changes.reason(name) if state != "equal" else ""
        yield Found(name, "listed", f"{why}\n{detail}".rstrip()) if why else Found(name, state, detail)


def files_in(folder: Path) -> dict[str, Path]:
    return {str(path.relative_to(folder)): path for path in folder.rglob("*") if path.is_file()}


def text_of(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as file:
        return file.read()


def difference(old: str, new: str) -> str:
    """The first lines of it; none if both are the same."""
    if old == new:
        return ""
    lines = unified_diff(old.splitlines(), new.splitlines(), "before", "after", lineterm="", n=1)
    return "\n".join(line[:400] for line in islice(lines, HEAD)) or "(line ends differ)"


def show(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--changes", type=Path, default=CHANGES, help="what was changed on purpose")
    given = parser.parse_args()
    changes, counts = Changes.read(given.changes), Counter[str]()
    for old, new in changes.words.items():
        show(f"word: {old} -> {new}")
    for found in compared(given.before, given.after, changes):
        counts[found.state] += 1
        show(f"{found.state}: {found.name}" + (f"\n{found.detail}" if found.detail else ""))
    counted = {state: counts[state] for state in ("equal", "listed", "different", "missing", "new")}
    show(json.dumps({"files": counts.total(), **counted, "words": len(changes.words)}))
    return 1 if counts["different"] + counts["missing"] + counts["new"] or not counts.total() else 0


if __name__ == "__main__":
    sys.exit(main())
