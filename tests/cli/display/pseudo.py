"""The real command in a real pseudo-terminal, read by a terminal emulator: what a person would have seen."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from contextlib import contextmanager

import pyte

ROWS = 30
PATIENCE = 45.0
STAGE = """
import fcntl, json, os, signal, sys, termios
import hustings.main, hustings.engine.service, hustings.engine.worker, hustings.cli.display.live_view
for line in sys.stdin:
    terminal, apart, arguments, environment = json.loads(line)
    if (pid := os.fork()) == 0:
        os.setsid()
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup would keep the signal of a closed terminal away
        there = os.open(terminal, os.O_RDWR)
        fcntl.ioctl(there, termios.TIOCSCTTY, 0)
        for stream in (0, 1, 2):
            os.dup2(os.open(apart, os.O_WRONLY | os.O_CREAT) if apart and stream == 2 else there, stream)
        os.close(there)
        for name, value in environment.items():
            os.environ.pop(name, None) if value == "" else os.environ.__setitem__(name, value)
        sys.stdin, sys.stdout, sys.stderr = (os.fdopen(n, mode) for n, mode in enumerate(("r", "w", "w")))
        sys.argv = ["hustings", *arguments]
        code = 1
        try:
            hustings.main.main()
        except SystemExit as left:
            code = left.code or 0
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
"""Reads what to run a line at a time, and answers with the number of the process and its exit code."""


class Terminal:
    """A screen with all that has scrolled off it, and the bytes that painted both."""

    def __init__(self, columns, rows=ROWS):
        self.screen = pyte.HistoryScreen(columns, rows, history=20_000, ratio=0.5)
        self._stream = pyte.ByteStream(self.screen)
        self.painted = b""

    def feed(self, data):
        self.painted += data
        self._stream.feed(data)

    @property
    def cells(self):
        """Line by line, from the first that was ever printed."""
        buffer = self.screen.buffer
        return [*self.screen.history.top, *(buffer[row] for row in range(self.screen.lines))]

    @property
    def lines(self):
        """All lines as text, without the empty ones at the end."""
        rows = ["".join(row[n].data for n in range(self.screen.columns)).rstrip() for row in self.cells]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    @property
    def below(self):
        """What stands from the cursor on: the lines that repaint."""
        return [line.rstrip() for line in self.screen.display[self.screen.cursor.y :] if line.strip()]


class Session(Terminal):
    """A command whose standard output is the terminal; what it says beside goes there too, unless it is kept apart."""

    def __init__(self, stage, arguments, columns, *, apart="", **environment):
        super().__init__(columns)
        self._stage = stage
        self._here, there = pty.openpty()
        self.resize(columns)
        self.code = None
        wanted = {"TERM": "xterm-256color", "CI": "", "NO_COLOR": "", "COLUMNS": "", "LINES": "", **environment}
        stage.stdin.write(json.dumps([os.ttyname(there), apart, arguments, wanted]) + "\n")
        stage.stdin.flush()
        self.pid = int(stage.stdout.readline())
        self._there = there
        """Held until the command has it, too: without anybody at the other end there is nothing to read from."""

    def resize(self, columns, rows=ROWS):
        fcntl.ioctl(self._here, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)

    def read_until(self, seen=lambda terminal: False):
        """Read what is painted until something is seen, or all is over; whether it was seen."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([self._here], [], [], 0.05)[0]:
                try:
                    data = os.read(self._here, 65_536)
                except OSError:  # the other end is closed
                    data = b""
                if not data:
                    self.code = int(self._stage.stdout.readline())
                    return False
                self._let_go()
                self.feed(data)
            if seen(self):
                return True
        raise TimeoutError(f"nothing more came; the screen shows: {self.lines[-5:]}")

    def _let_go(self):
        if self._there is not None:
            os.close(self._there)
            self._there = None

    def type(self, *lines):
        """Type lines, each with Enter after it."""
        os.write(self._here, "".join(f"{line}\r" for line in lines).encode())

    def press(self, keys):
        """Type without Enter."""
        os.write(self._here, keys.encode())

    def leave(self):
        """Type the key that ends an input."""
        os.write(self._here, b"\x04")

    def press_ctrl_c(self):
        os.write(self._here, b"\x03")

    def interrupt(self):
        os.kill(self.pid, signal.SIGINT)

    def close(self):
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            self.code = int(self._stage.stdout.readline())
        self._let_go()
        os.close(self._here)


@contextmanager
def staging():
    """A process that has loaded everything a command needs: loading it anew for each of them would take seconds."""
    with subprocess.Popen([sys.executable, "-c", STAGE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as p:
        try:
            yield p
        finally:
            p.stdin.close()
            p.wait(10)


@contextmanager
def session(stage, *arguments, columns=80, apart="", **environment):
    running = Session(stage, [str(argument) for argument in arguments], columns, apart=apart, **environment)
    try:
        yield running
    finally:
        running.close()
