"""The Python blocks of a page, in a process of their own: one that held debates keeps its engine to its end."""

import contextlib
import io
import json
import subprocess
import sys
import traceback


class Interpreter:
    """Names that one block makes are there for the next."""

    def __init__(self):
        self.process = None

    def run(self, source, where):
        """What it prints."""
        if self.process is None:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
            self.process = subprocess.Popen([sys.executable, "-W", "error", "-m", __name__], **pipes)
        self.process.stdin.write(json.dumps([source, where]) + "\n")
        self.process.stdin.flush()
        reply = json.loads(self.process.stdout.readline())
        if reply["wrong"]:
            raise AssertionError(reply["wrong"])
        return reply["printed"]

    def close(self):
        if self.process is not None:
            self.process.communicate(timeout=60)


def main():
    names, reply = {"__name__": "__main__"}, sys.stdout
    for line in sys.stdin:
        source, where = json.loads(line)
        printed, wrong = io.StringIO(), ""
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(source, where, "exec"), names)
        except Exception:  # noqa: BLE001  whatever a page does wrong is told
            wrong = traceback.format_exc()
        reply.write(json.dumps({"wrong": wrong, "printed": printed.getvalue()}) + "\n")
        reply.flush()


if __name__ == "__main__":
    main()
