"""A stand-in for a command-line agent: reads a prompt from standard input and does what its first argument says."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

ANSWERS = {
    "echo": lambda prompt: prompt,
    "say": lambda _, words: words,
    "variable": lambda _, name: f"it is {os.environ.get(name, 'not there')}",
    "nothing": lambda _: "",
    "colours": lambda _: "\x1b[1mYes\x1b[0m\x00\x07, it\x1b]0;title\x07 is.",
}


def surroundings(prompt, *arguments):
    here = {"variables": sorted(os.environ), "folder": str(Path.cwd()), "files": [*map(str, Path.cwd().iterdir())]}
    return json.dumps({**here, "arguments": arguments, "read": len(prompt)})


def fail(_, words):
    sys.stdout.write("half an answer")
    sys.stderr.write(f"\x1b[31mnot logged in\x1b[0m: run `agent login` {words}\n")
    sys.exit(3)


def fail_quietly(_):
    sys.stdout.write("you have used up your requests")
    sys.exit(1)


def odd_bytes(_):
    sys.stdout.buffer.write(b"caf\xe9 is open")
    return ""


def endless(_):
    while True:
        sys.stdout.write("word " * 1_000)


def leave_behind(_, note):
    """Start a program in the background that holds on to all that this one has open, and note its number."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    Path(note).write_text(str(child.pid), encoding="utf-8")
    return "done"


def hang(prompt, note):
    leave_behind(prompt, note)
    time.sleep(600)


def count(_, folder):
    """Note how many run at the same time, and answer."""
    mine = Path(folder) / str(os.getpid())
    mine.touch()
    time.sleep(0.4)
    with Path(f"{folder}.seen").open("a", encoding="utf-8") as seen:
        seen.write(f"{len(list(Path(folder).iterdir()))}\n")
    mine.unlink()
    return "Ada and Ben are right about the buses. I would close the centre on weekends first, and count the visitors."


OTHERS = (surroundings, fail, fail_quietly, odd_bytes, endless, leave_behind, hang, count)
KNOWN = {**ANSWERS, **{other.__name__: other for other in OTHERS}}

if __name__ == "__main__":
    sys.stdout.write(KNOWN[sys.argv[1]](sys.stdin.read(), *sys.argv[2:]))
