"""Streams events to browsers: one reader polls all watched runs, and each viewer follows at its own pace.

A viewer has a position in the log and no queue, so nothing can grow and nothing can be lost. A viewer that is far
behind reads the database; one that is near reads the events kept in memory. Live text belongs between a question and
its turn; a viewer that connects or reconnects in the middle of a speech receives it from its beginning.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections import OrderedDict, deque
from collections.abc import AsyncGenerator, Collection, Iterable, Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field

from hustings.db import run_rows
from hustings.db.caps import OVER
from hustings.db.connection import Database
from hustings.engine.live_text import Bus
from hustings.script.visibility import may_follow
from hustings.transcript.events import EVENT, Event, TextStreamed, wave_of
from hustings.transcript.record import RunProgress

MOST_LETTERS = 100_000
"""Characters kept of one speech; a model that never stops must not fill the memory."""
MOST_RUNS = 1_000
SILENT_SECONDS = 300.0
"""Seconds after the last word of a run for which its words are kept."""
Place = tuple[int, int]
"""Position of a viewer in a speech: the attempt, and the number of its pieces already sent."""


@dataclass
class LiveSpeech:
    attempt: int
    pieces: list[str] = field(default_factory=list[str])
    length: int = 0


class LiveWords:
    """Written by many threads, read by one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs: dict[str, dict[str, LiveSpeech]] = {}
        self._heard: OrderedDict[str, float] = OrderedDict()
        """When each run was last heard of, the longest ago first."""

    def on_text(self, run_id: str, piece: TextStreamed, now: float | None = None) -> None:
        now = time.monotonic() if now is None else now
        with self._lock:
            self._heard.pop(run_id, None)
            self._heard[run_id] = now
            self._forget_silent(now)
            speeches = self._runs.setdefault(run_id, {})
            speech = speeches.get(piece.address)
            if speech is None:
                self._forget(speeches, wave_of(piece.address))
            if speech is None or speech.attempt != piece.attempt:
                speech = speeches[piece.address] = LiveSpeech(piece.attempt)
            if speech.length < MOST_LETTERS:
                speech.pieces.append(piece.text)
                speech.length += len(piece.text)

    def since(self, run_id: str, address: str, heard: Place | None) -> tuple[TextStreamed | None, Place]:
        """Text at an address since a position, as one piece, and the new position."""
        with self._lock:
            speech = self._runs.get(run_id, {}).get(address)
            if speech is None:
                return None, heard or (0, 0)
            attempt, count = heard or (speech.attempt, 0)
            fresh = speech.pieces[count if attempt == speech.attempt else 0 :]
            place = speech.attempt, len(speech.pieces)
        return (TextStreamed(address=address, attempt=place[0], text="".join(fresh)) if fresh else None), place

    def _forget_silent(self, now: float) -> None:
        """Drop runs of which nothing was heard for a while: nearly all of them are over."""
        while len(self._heard) > MOST_RUNS or now - next(iter(self._heard.values())) > SILENT_SECONDS:
            run_id, _ = self._heard.popitem(last=False)
            self._runs.pop(run_id, None)

    @staticmethod
    def _forget(speeches: dict[str, LiveSpeech], wave: int) -> None:
        """Drop the speeches of earlier waves, which are over."""
        for address in [address for address in speeches if wave_of(address) < wave]:
            del speeches[address]


TICK = 0.05
"""Seconds between two polls of the log; one poll reads all watched runs."""
GATHER = 0.05
"""Seconds for which live text is collected before it is sent."""
KEPT = 256
"""Events kept in memory per run."""
PAGE = 200
"""Events that a viewer far behind reads from the database at a time."""
LINGER = 60.0
"""Seconds for which a run is still read after its last viewer left, in case it reconnects."""
QUIET = 15.0
"""Seconds of silence after which a stream sends a keep-alive."""
BEGIN, ALIVE, END = b"retry: 1000\n\n", b": here\n\n", b"event: end\ndata: {}\n\n"


@dataclass(frozen=True)
class Frame:
    """An event as sent over the wire; encoded once for all viewers."""

    seq: int
    event: Event
    wire: bytes


@dataclass
class Channel:
    """A watched run: its latest events, and the signal that wakes its viewers."""

    run_id: str
    seq: int
    """Sequence number of the last event read."""
    over: bool = False
    frames: deque[Frame] = field(default_factory=lambda: deque[Frame](maxlen=KEPT))
    progress: RunProgress = field(default_factory=RunProgress)
    """What goes on according to the log, as far back as it was read."""
    viewers: int = 0
    left_at: float = field(default_factory=time.monotonic)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, fresh: Collection[Frame], *, over: bool) -> None:
        for frame in fresh:
            if frame.seq > self.seq:  # opening a channel may read concurrently with the reader
                self.frames.append(frame)
                self.seq = frame.seq
                self.progress.apply(frame.event)
        self.over = over
        if fresh or over:
            self.tell()

    def tell(self) -> None:
        """Wake all waiting viewers; later waits are for the next news."""
        self.news.set()
        self.news = asyncio.Event()


@dataclass
class Viewer:
    """A position in the log, and how much of each speech in progress was sent."""

    channel: Channel
    words: LiveWords
    after: int
    seat: str = ""
    """The seat for which the viewer speaks; it receives what that seat may read. Empty for a viewer of everything."""
    heard: dict[str, Place] = field(default_factory=dict[str, Place])

    def near(self) -> bool:
        """Whether the viewer's next events are in memory."""
        frames, seq = self.channel.frames, self.channel.seq
        return self.after >= seq or bool(frames and frames[0].seq <= self.after + 1)

    def next(self) -> bytes:
        """Everything new for this viewer, encoded."""
        fresh = [frame for frame in self.channel.frames if frame.seq > self.after]
        self.after = max(self.after, self.channel.seq)
        return b"".join([*self.sent_of(fresh), *(() if self.seat else self._spoken())])

    def sent_of(self, frames: Iterable[Frame]) -> Iterator[bytes]:
        """Those of some events that this viewer may read, encoded."""
        return (frame.wire for frame in frames if not self.seat or may_follow(self.seat, frame.event))

    def _spoken(self) -> Iterator[bytes]:
        begun = set[str]() if self.channel.over else self.channel.progress.open.keys()
        self.heard = {at: place for at, place in self.heard.items() if at in begun}
        for at in sorted(begun):
            piece, self.heard[at] = self.words.since(self.channel.run_id, at, self.heard.get(at))
            if piece:
                yield f"data: {piece.model_dump_json()}\n\n".encode()


class EventStreams:
    """The event streams of all viewers; belongs to one event loop."""

    def __init__(self, database: Database, bus: Bus) -> None:
        self._database = database
        self._channels: dict[str, Channel] = {}
        self._reader: asyncio.Task[None] | None = None
        self._closed = asyncio.Event()
        self._words = LiveWords()
        self._lock = threading.Lock()
        self._spoken: set[str] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        bus.overhear(self._on_text)

    def close(self) -> None:
        """End every stream, from any thread; browsers reconnect when the server is back."""
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed, and all streams with it
                self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        self._closed.set()
        for channel in self._channels.values():
            channel.tell()
        if self._reader is not None:
            self._reader.cancel()

    @property
    def watched(self) -> int:
        return sum(channel.viewers for channel in self._channels.values())

    async def follow(self, run_id: str, after: int, seat: str = "") -> AsyncGenerator[bytes]:
        """All events after a position, then live ones, until the run ends or the server stops."""
        channel = await self._channel(run_id)
        viewer = Viewer(channel, self._words, after, seat)
        channel.viewers += 1
        try:
            yield BEGIN
            async with aclosing(self._told(viewer)) as chunks:
                async for chunk in chunks:
                    yield chunk
        finally:
            channel.viewers -= 1
            channel.left_at = time.monotonic()

    async def _told(self, viewer: Viewer) -> AsyncGenerator[bytes]:
        channel = viewer.channel
        while not self._closed.is_set():
            if not viewer.near():
                page = await asyncio.to_thread(self._page, channel.run_id, viewer.after)
                if page:
                    viewer.after = page[-1].seq
                    if chunk := b"".join(viewer.sent_of(page)):
                        yield chunk
                    continue
                viewer.after = channel.seq  # the run was deleted meanwhile
            news = channel.news
            if chunk := viewer.next():
                yield chunk
            elif channel.over:
                yield END
                return
            else:
                try:
                    await asyncio.wait_for(news.wait(), QUIET)
                except TimeoutError:
                    yield ALIVE

    # -- reading -----------------------------------------------------------------------

    async def _channel(self, run_id: str) -> Channel:
        """The channel of a run; a new one starts with the latest events."""
        self._loop = asyncio.get_running_loop()
        channel = self._channels.get(run_id)
        if channel is None:
            count = await asyncio.to_thread(self._count, run_id)
            channel = self._channels.get(run_id)
            if channel is None:
                channel = Channel(run_id, max(-1, count - 1 - KEPT))
                self._channels[run_id] = channel
                await self._read({run_id: channel})
                # On a busy machine the reader may have dropped it meanwhile, since it has no viewer yet.
                channel = self._channels.setdefault(run_id, channel)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._keep_reading())
        return channel

    async def _keep_reading(self) -> None:
        while self._channels and not self._closed.is_set():
            begun = time.monotonic()
            self._drop_the_deserted(begun)
            await self._read({run: channel for run, channel in self._channels.items() if not channel.over})
            await asyncio.sleep(max(0.01, TICK - (time.monotonic() - begun)))

    async def _read(self, channels: Mapping[str, Channel]) -> None:
        if not channels:
            return
        places = {run: channel.seq for run, channel in channels.items()}
        found = await asyncio.to_thread(self._look, places)
        for run, channel in channels.items():
            fresh, over = found.get(run, ([], True))  # a run without a row was deleted
            channel.take(fresh, over=over)

    def _drop_the_deserted(self, now: float) -> None:
        for run, channel in [*self._channels.items()]:
            if not channel.viewers and (channel.over or now - channel.left_at > LINGER):
                del self._channels[run]

    def _count(self, run_id: str) -> int:
        with self._database.reading() as db:
            return run_rows.length(db, run_id)

    def _look(self, places: Mapping[str, int]) -> dict[str, tuple[list[Frame], bool]]:
        """New events of these runs, and whether each run is over."""
        with self._database.reading() as db:
            states, fresh = run_rows.news(db, places)
        found: dict[str, tuple[list[Frame], bool]] = {run: ([], state in OVER) for run, state in states.items()}
        for run, seq, body in fresh:
            found[run][0].append(framed(seq, body))
        return found

    def _page(self, run_id: str, after: int) -> list[Frame]:
        with self._database.reading() as db:
            return [framed(seq, body) for seq, body in run_rows.events(db, run_id, after=after, most=PAGE)]

    # -- live text ---------------------------------------------------------------------

    def _on_text(self, run_id: str, piece: TextStreamed) -> None:
        """Accept text from any thread, even for an unwatched run: a viewer may come. Many pieces wake the loop once."""
        self._words.on_text(run_id, piece)
        if run_id not in self._channels or self._loop is None:
            return
        with self._lock:
            first = not self._spoken
            self._spoken.add(run_id)
        if first:
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._loop.call_later, GATHER, self._hand_on)

    def _hand_on(self) -> None:
        with self._lock:
            spoken, self._spoken = self._spoken, set[str]()
        for run_id in spoken:
            if channel := self._channels.get(run_id):
                channel.tell()


def framed(seq: int, body: str) -> Frame:
    event = EVENT.validate_python({**json.loads(body), "seq": seq})
    return Frame(seq, event, f"id: {seq}\ndata: {event.model_dump_json()}\n\n".encode())
