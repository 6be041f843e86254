"""What a `console` block shows is done: its lines after `$` are run, and the lines below them are what comes of it.

RUN stands for the id of the latest debate; `outputs.py` says how the rest of what varies is written.
What ends with `&` goes on beside the rest; a command after it is tried again until it says what is shown.
"""

import contextlib
import io
import logging
import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

from hustings.config.paths import address
from hustings.engine.service import open_service
from hustings.main import main

from .outputs import fits, has_cut

PIECES = re.compile(r"^\$ (?P<command>(?:.*\\\n> )*.*)\n?(?P<shown>(?:(?!\$ ).*\n?)*)", re.MULTILINE)
ENTRY = "from hustings.main import main; main()"
PATIENCE = 30
"""Seconds."""
BEYOND = re.compile(r"[|<>&;]|\$\(")
"""More than one command in a line: that takes a shell."""


class Console:
    """A terminal in one folder. Commands of ours run in this process, since loading them anew takes seconds."""

    def __init__(self, instead=()):
        self.instead = dict(instead)
        """Addresses of the page, and those that are served here."""
        self.code = 0
        self.beside = []

    def close(self):
        for process in self.beside:
            process.kill()
            process.communicate(timeout=30)

    def play(self, text, *, dots=False):
        """Everything in a block, in order; the first thing that is not as shown is said."""
        if has_cut(text) and not dots:
            raise AssertionError(f"let the command cut its output, not the writer:\n{text}")
        for piece in PIECES.finditer(text):
            command, shown = piece["command"].replace("\\\n> ", ""), piece["shown"].rstrip()
            end = time.monotonic() + (PATIENCE if self.beside else 0)
            while wrong := self.tried(command, shown, dots=dots):
                if time.monotonic() > end:
                    raise AssertionError(wrong)
                time.sleep(0.2)

    def tried(self, command, shown, *, dots):
        """What is not as it should be."""
        told = self.run(command)
        if self.code:
            return f"$ {command}\nended with {self.code}:\n{told}"
        if shown and not self.fits(shown, told, dots=dots):
            return f"$ {command}\nshould say\n{shown}\nand said\n{told}"
        return ""

    def run(self, command):
        """All that is said, as a terminal would show it."""
        command = self._meant(command)
        if command.endswith(" &"):
            return self._started(shlex.split(command)[1:-1])
        if BEYOND.search(re.sub(r"\"[^\"]*\"|'[^']*'", "", command)):
            return self._in_a_shell(command)
        first, *rest = shlex.split(command, comments=True)
        match first:
            case "hustings":
                return self._ours(rest)
            case "export":
                os.environ.update(dict(pair.split("=", 1) for pair in rest))
                return ""
            case _:
                return self._in_a_shell(command)

    def fits(self, shown, told, *, dots):
        for page, here in self.instead.items():
            told = told.replace(here, page)
        return fits(shown, told, self._runs(shown), dots=dots)

    def _meant(self, command):
        for page, here in self.instead.items():
            command = command.replace(page, here) if page else command
        for name, run in self._runs(command).items():
            command = re.sub(rf"\b{name}\b", run, command)
        return command

    def _runs(self, text):
        if not re.search(r"\bRUN\b", text):
            return {}
        with open_service(address(os.environ.get("HUSTINGS_DATABASE", ""))) as service:
            service.upgrade()
            debates = (report.run_id for report in service.runs.latest(most=1000) if "." not in report.run_id)
            return {"RUN": latest} if (latest := next(debates, "")) else {}

    def _ours(self, arguments):
        told = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True)
        before = sys.argv, sys.stdin
        sys.argv, sys.stdin = ["hustings", *arguments], io.StringIO()
        try:
            with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
                main()
            self.code = 0
        except SystemExit as left:
            self.code = left.code or 0
        finally:
            sys.argv, sys.stdin = before
            # The engine's logger holds on to the standard error of the command.
            logging.getLogger("dbos").handlers.clear()
        return told.buffer.getvalue().decode()

    def _started(self, arguments):
        """Its first line."""
        with_pipe = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
        self.beside.append(subprocess.Popen([sys.executable, "-c", ENTRY, *arguments], **with_pipe))
        return self.beside[-1].stdout.readline()

    def _in_a_shell(self, command):
        path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", f"exec 2>&1; {command}"],
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        self.code = done.returncode
        return done.stdout
