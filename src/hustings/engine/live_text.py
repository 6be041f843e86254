"""Live text: stream words to listeners as they come. Lossy by contract; nothing durable depends on it.

Within a process, pieces go directly to their listeners. Between processes, PostgreSQL's NOTIFY
carries them in batches of a quarter of a second, so that a word never becomes a row.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from hustings.transcript.events import TextStreamed

Gathered = dict[tuple[str, str, int], list[str]]
"""Pieces of text by run id, address and attempt, since the last batch."""
CHANNEL = "hustings_live"
GATHER_SECONDS = 0.25
MOST_BYTES = 7_500
"""A PostgreSQL notification holds less than 8,000 bytes."""
MOST_WAITING = 1_000
"""Pieces that a slow listener may lag behind; further ones are dropped."""


class Bus:
    """Publishers and listeners of one process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: dict[str, list[Callable[[TextStreamed], None]]] = defaultdict(list)
        self._hears_all: Callable[[str, TextStreamed], None] | None = None

    def publish(self, run_id: str, piece: TextStreamed) -> None:
        if self._hears_all:
            self._hears_all(run_id, piece)
        if run_id not in self._listeners:
            return
        with self._lock:
            listeners = [*self._listeners.get(run_id, ())]
        for on_text in listeners:
            on_text(piece)

    def overhear(self, on_text: Callable[[str, TextStreamed], None]) -> None:
        """Pass every piece of every run to one listener, on the publishing thread."""
        self._hears_all = on_text

    @contextmanager
    def listening(self, run_id: str, on_text: Callable[[TextStreamed], None]) -> Generator[None]:
        """Pass every piece of a run to a listener, on the publishing thread."""
        with self._lock:
            self._listeners[run_id].append(on_text)
        try:
            yield
        finally:
            with self._lock:
                self._listeners[run_id].remove(on_text)
                if not self._listeners[run_id]:
                    del self._listeners[run_id]

    async def subscribe(self, run_id: str) -> AsyncIterator[TextStreamed]:
        """Yield the pieces of a run from now on."""
        loop, waiting = asyncio.get_running_loop(), asyncio.Queue[TextStreamed](MOST_WAITING)

        def put(piece: TextStreamed) -> None:
            with suppress(asyncio.QueueFull):
                waiting.put_nowait(piece)

        def on_text(piece: TextStreamed) -> None:
            loop.call_soon_threadsafe(put, piece)

        with self.listening(run_id, on_text):
            while True:
                yield await waiting.get()


class PostgresRelay:
    """Relays pieces of this process to others through the database, and theirs to this process's bus."""

    def __init__(self, bus: Bus, url: str, name: str) -> None:
        self._bus, self._url, self._name = bus, url, name
        self._lock, self._stop = threading.Lock(), threading.Event()
        self._gathered: Gathered = {}
        self._threads = [
            threading.Thread(target=work, name=f"hustings-{what}", daemon=True)
            for what, work in (("tell", self._tell), ("hear", self._on_text))
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def publish(self, run_id: str, piece: TextStreamed) -> None:
        self._bus.publish(run_id, piece)
        with self._lock:
            self._gathered.setdefault((run_id, piece.address, piece.attempt), []).append(piece.text)

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(2.0)

    def _tell(self) -> None:
        connection = None
        while not self._stop.wait(GATHER_SECONDS):
            with self._lock:
                gathered, self._gathered = self._gathered, {}
            try:
                connection = connection or _connection(self._url)
                for payload in payloads(self._name, gathered):
                    connection.execute("select pg_notify(%s, %s)", (CHANNEL, payload))
            except _away():
                connection = None  # these pieces are lost, as the contract allows
        if connection is not None:
            connection.close()

    def _on_text(self) -> None:
        while not self._stop.is_set():
            try:
                with _connection(self._url) as connection:
                    connection.execute(f"listen {CHANNEL}")
                    while not self._stop.is_set():
                        for note in connection.notifies(timeout=1.0):
                            self._take(note.payload)
            except _away():
                self._stop.wait(1.0)

    def _take(self, payload: str) -> None:
        """Publish a notification. Any user of the database can send on the channel, so foreign payloads are ignored."""
        try:
            name, pieces = json.loads(payload)
            told = [
                (str(run_id), TextStreamed(address=address, attempt=attempt, text=text))
                for run_id, address, attempt, text in pieces
            ]
        except (ValueError, TypeError):
            return
        for piece in told if name != self._name else ():
            self._bus.publish(*piece)


def payloads(name: str, gathered: Gathered) -> Iterator[str]:
    """Pack the pieces into as few notifications as possible. A piece that is too long is cut."""
    batch: list[list[Any]] = []
    size = 0
    for (run_id, address, attempt), texts in gathered.items():
        text = "".join(texts)
        while (length := len(json.dumps(piece := [run_id, address, attempt, text]))) > MOST_BYTES - 200:
            text = text[: len(text) // 2]
        if batch and size + length > MOST_BYTES - 200:
            yield json.dumps([name, batch])
            batch, size = [], 0
        batch.append(piece)
        size += length + 2  # with the separator
    if batch:
        yield json.dumps([name, batch])


def _connection(url: str) -> Any:
    import psycopg  # noqa: PLC0415  only where there is PostgreSQL

    return psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True, connect_timeout=5)


def _away() -> type[Exception]:
    import psycopg  # noqa: PLC0415

    return psycopg.Error
