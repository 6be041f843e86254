"""Runs the examples of docs/how-to/frameworks.md in an empty environment with their packages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "how-to" / "frameworks.md"
TITLED = re.compile(r'^```\w+ title="([\w.]+)"\n(.*?)^```$', re.DOTALL | re.MULTILINE)
PACKAGES = ("langgraph", "inspect-ai")
PROMPTFOO = "promptfoo"
SECONDS = 600


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = dict(TITLED.findall(PAGE.read_text("utf-8")))
        for file, text in files.items():
            (folder / file).write_text(text, "utf-8")
        python = installed(folder)
        commands = {file: [str(python), file] for file in ("langgraph_node.py", "inspect_solver.py")}
        commands |= {"promptfooconfig.yaml": ["npx", "--yes", PROMPTFOO, "eval", "--no-cache", "--no-table"]}
        apart = {
            "HOME": name,
            "PROMPTFOO_PYTHON": str(python),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_CONFIG_DIR": str(folder / "promptfoo"),
        }
        found = {file: ran(command, folder, apart) for file, command in commands.items()}
    sys.stdout.write(json.dumps(found) + "\n")
    sys.exit(any(one["code"] for one in found.values()))


def installed(folder: Path) -> Path:
    """The Python of a new environment with this checkout and the packages of the page."""
    python = folder / "environment" / "bin" / "python"
    for command in (
        ["uv", "venv", "--quiet", "--python", sys.executable, str(folder / "environment")],
        ["uv", "pip", "install", "--quiet", "--python", str(python), str(ROOT), *PACKAGES],
    ):
        subprocess.run(command, check=True)
    return python


def ran(command: Sequence[str], folder: Path, apart: Mapping[str, str]) -> dict[str, object]:
    begun = time.monotonic()
    try:
        done = subprocess.run(
            command, cwd=folder, env={**os.environ, **apart}, capture_output=True, text=True, timeout=SECONDS,
            check=False,
        )  # fmt: skip
        code, told = done.returncode, done.stdout + done.stderr
    except (OSError, subprocess.TimeoutExpired) as error:
        code, told = -1, f"{type(error).__name__}: {error}"
    return {"code": code, "seconds": round(time.monotonic() - begun), **({"told": told[-600:]} if code else {})}


if __name__ == "__main__":
    main()
