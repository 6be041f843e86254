"""Options for operators of servers and workers: logs as lines of JSON, and a port of this machine for metrics."""

from __future__ import annotations

import json
import logging
import sys
import traceback
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from .terminal import talk, talking_to

if TYPE_CHECKING:
    from hustings.engine.status import Status

OURS = "hustings"
DEEPEST = 12
"""Frames of a traceback that a line names."""
LEFT_OUT = "a message of a library, which may hold words of a debate; without --log json it is shown"


@dataclass(frozen=True)
class Observing:
    """How a server or worker is observed."""

    metrics_port: Annotated[
        int | None,
        typer.Option(min=0, max=65535, help="Local port for /metrics, /healthz and /readyz. 0 picks a free one."),
    ] = None
    log: Annotated[Literal["plain", "json"], typer.Option(help="Format of the log on standard error.")] = "plain"

    @contextmanager
    def logging(self) -> Generator[JsonLines]:
        """Write the log as asked for. The formatter that it yields wants to know the worker's id."""
        lines = JsonLines()
        if self.log == "plain":
            yield lines
            return
        with _root(lines), talking_to(logging.getLogger(OURS).info):
            yield lines

    @contextmanager
    def port(self, status: Status) -> Generator[None]:
        from hustings.web.outside import LOOPBACK, METRICS, metrics_port  # noqa: PLC0415  only where it is asked for

        with metrics_port(status, self.metrics_port) as port:
            if port is not None:
                talk(f"Metrics: http://{LOOPBACK}:{port}{METRICS}")
            yield


class JsonLines(logging.Formatter):
    """One JSON object a line. Texts of errors and of libraries are left out: they may repeat a text or a key."""

    worker = ""

    def format(self, record: logging.LogRecord) -> str:
        from hustings.db.instants import instant  # noqa: PLC0415  heavy

        ours = record.name.partition(".")[0] == OURS
        line: dict[str, Any] = {
            "at": instant(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage() if ours else LEFT_OUT,
        }
        for name in ("run_id", "address"):
            if value := getattr(record, name, ""):
                line[name] = value
        if self.worker:
            line["worker"] = self.worker
        if record.exc_info and record.exc_info[0]:
            line["error"] = record.exc_info[0].__name__
            frames = traceback.extract_tb(record.exc_info[2])[-DEEPEST:]
            line["trace"] = [f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in frames]
        elif not ours:
            line["trace"] = [f"{record.filename}:{record.lineno} {record.funcName}"]
        return json.dumps(line, ensure_ascii=True)


@contextmanager
def _root(lines: JsonLines) -> Generator[None]:
    """Send every logger's lines to standard error, those of the engine included, which has a handler of its own."""
    root, engine = logging.getLogger(), logging.getLogger("dbos")
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(lines)
    before = root.handlers, root.level, engine.handlers, engine.propagate
    root.handlers, engine.handlers, engine.propagate = [handler], [logging.NullHandler()], True
    root.setLevel(logging.WARNING)
    logging.getLogger(OURS).setLevel(logging.INFO)
    try:
        yield
    finally:
        root.handlers, root.level, engine.handlers, engine.propagate = before
        logging.getLogger(OURS).setLevel(logging.NOTSET)
