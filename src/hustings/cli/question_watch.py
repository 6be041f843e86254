"""Watches a question while a person answers it, and ends their line as soon as it is answered in another window."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from sqlalchemy.exc import DBAPIError

LOOK_SECONDS = 1.0
"""Seconds between two looks."""


class Closed(KeyboardInterrupt):
    """The question waits for no answer any more; with the line so far."""


class QuestionWatch:
    """Asks again and again why a question is closed, until there is a reason."""

    def __init__(self, why_closed: Callable[[], str]) -> None:
        self.closed = ""
        self._why_closed, self._over = why_closed, threading.Event()
        self._lock, self._reads = threading.Lock(), False

    @contextmanager
    def watching(self) -> Generator[None]:
        thread = threading.Thread(target=self._look, name="hustings-question", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._over.set()
            thread.join(LOOK_SECONDS)

    def reading(self, read: Callable[[str], str]) -> Callable[[str], str]:
        """The same, but it raises `Closed` as soon as there is a reason."""

        def read_on(prompt: str) -> str:
            line = ""
            try:
                with self._lock:
                    if self.closed:
                        raise Closed
                    self._reads = True
                try:
                    line = read(prompt)
                finally:
                    with self._lock:
                        self._reads = False
            except KeyboardInterrupt as left:
                if self.closed:
                    raise Closed(*(left.args or (line,))) from None
                raise
            return line

        return read_on

    def _look(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            why = ""
            with suppress(DBAPIError):
                why = self._why_closed()
            if why:
                with self._lock:
                    self.closed = why
                    if self._reads and hasattr(signal, "pthread_kill"):
                        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
                return
