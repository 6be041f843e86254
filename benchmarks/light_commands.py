"""CPU of commands that only read, beside importing the libraries they cannot do without."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROUNDS = 9
HUSTINGS = str(Path(sys.executable).with_name("hustings"))
LIBRARIES = [sys.executable, "-c", "import pydantic, rich, typer, sqlalchemy"]
HEAVY = frozenset({"alembic", "anthropic", "dbos", "fastapi", "google.genai", "openai", "pydantic_ai", "uvicorn"})


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, "HUSTINGS_DATABASE": f"sqlite:///{folder}/own.db"}
        transcript = str(Path(folder, "transcript.json"))
        quiet("run", "Is it so?", "--model", "improviser", "--display", "quiet", env=own)
        quiet("export", "last", "--to", "transcript", "-o", transcript, env=own)
        commands = {
            "--version": ["--version"],
            "--help": ["--help"],
            "list": ["list"],
            "show": ["show", "last"],
            "validate": ["validate", transcript],
            "export": ["export", "last", "--to", "transcript", "-o", "-"],
        }
        took: dict[str, list[float]] = {name: [] for name in ("libraries", *commands)}
        for _ in range(ROUNDS):  # by turns, so that a busy moment meets all of them
            took["libraries"].append(cpu(LIBRARIES, own))
            for name, arguments in commands.items():
                took[name].append(cpu([HUSTINGS, *arguments], own))
        seconds = {name: median(times) for name, times in took.items()}
        loaded = {name: heavy(arguments, own) for name, arguments in commands.items()}
    told = {name: round(seconds[name] / seconds["libraries"], 2) for name in commands}
    print(json.dumps({"libraries_seconds": round(seconds["libraries"], 2), "of_it": told, "heavy": loaded}))  # noqa: T201


def quiet(*arguments: str, env: dict[str, str]) -> None:
    subprocess.run([HUSTINGS, *arguments], env=env, capture_output=True, check=True)


def cpu(command: list[str], env: dict[str, str]) -> float:
    """Seconds of user and system time of a process and its children."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=env, capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def heavy(arguments: list[str], env: dict[str, str]) -> list[str]:
    """Heavy libraries that a command imports, by `-X importtime`."""
    command = [sys.executable, "-X", "importtime", HUSTINGS, *arguments]
    told = subprocess.run(command, env=env, capture_output=True, text=True, check=True).stderr
    return sorted(HEAVY & {line.rpartition("|")[2].strip() for line in told.splitlines()})


if __name__ == "__main__":
    main()
