"""How often a look-up brings the passage that answers a question: `python -m benchmarks.retrieval`; JSON comes last.

The documents are those in `docs`. Of a hundred questions half use the words of the passage and half do not; for each
there are three wordings by a writer who had seen the questions and the titles alone.
"""

from __future__ import annotations

import json
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

from hustings.llm.librarian import PassageIndex
from hustings.script.look_ups import PASSAGES

HERE = Path(__file__).parent
DOCS = HERE.parent / "docs"
GOALS = {"plain": 0.90, "otherwise": 0.60}
"""Share of questions whose passage is among those that a look-up with three wordings brings."""
HOW = ("question", "wordings", "both")


def questions() -> list[dict[str, Any]]:
    return tomllib.loads((HERE / "retrieval.toml").read_text("utf-8"))["question"]


def documents() -> dict[str, str]:
    return {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md"))}


def has(text: str, anchor: str) -> bool:
    """Whether these words stand in the text, wherever its lines break."""
    return anchor in " ".join(text.split())


def found(index: PassageIndex, searches: list[str], anchor: str, most: int) -> bool:
    return any(has(index.passage(place)[1], anchor) for place in index.search(searches, most))


def measured() -> dict[str, object]:
    """Share of questions answered, by how they are put to the librarian, and what that costs."""
    asked, texts = questions(), documents()
    begun = time.process_time()
    index = PassageIndex(texts)
    built = time.process_time() - begun
    lost = [one["anchor"] for one in asked if not any(has(text, one["anchor"]) for text in texts.values())]
    size = sum(map(len, texts.values()))
    figures: dict[str, object] = {"documents": len(texts), "characters": size, "lost": len(lost)}
    begun = time.process_time()
    for style in GOALS:
        those = [one for one in asked if one["style"] == style]
        for how in HOW:
            hits = [one for one in those if found(index, _searches(one, how), one["anchor"], PASSAGES)]
            figures[f"{style}_{how}"] = round(len(hits) / len(those), 2)
    spent = time.process_time() - begun
    return figures | {"index_ms": round(1000 * built), "look_up_ms": round(1000 * spent / (len(HOW) * len(asked)), 1)}


def missed(figures: dict[str, object]) -> bool:
    short = [style for style, goal in GOALS.items() if float(str(figures[f"{style}_wordings"])) < goal]
    return bool(figures["lost"] or short)


def main() -> int:
    figures = measured()
    sys.stdout.write(json.dumps(figures) + "\n")
    return int(missed(figures))


def _searches(one: dict[str, Any], how: str) -> list[str]:
    return {"question": [one["text"]], "wordings": one["wordings"], "both": [one["text"], *one["wordings"][:2]]}[how]


if __name__ == "__main__":
    sys.exit(main())
