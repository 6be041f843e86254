"""The public functions: `debate`, `adebate`, `Debate`, `resume`; as a call, awaitable, or event stream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from functools import partial, wraps
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from pydantic import JsonValue

from hustings.config.documents import document_in
from hustings.config.prepare import prepare, requests
from hustings.config.variables import variables
from hustings.db.caps import Caps, OnFailure
from hustings.errors import Unsuitable
from hustings.readers.document import brought, read_document
from hustings.readers.folder import documents_in_folder
from hustings.runs.estimate import Estimate, estimate
from hustings.runs.follow_ups import FollowUps
from hustings.runs.request import DebateRequest, requested
from hustings.runs.spec import RunSpec
from hustings.script.background import Background, title_of
from hustings.script.debate import Scenario
from hustings.script.documents import DocumentText
from hustings.script.seats import ControllerLaw
from hustings.transcript.events import Event

from .results import Result, Unfinished
from .shared_worker import SHARED_WORKER, database_url

if TYPE_CHECKING:
    from hustings.engine.run_control import RunControl
    from hustings.evaluation.artefact import Evaluation

    from .handle import LiveEvents, RunHandle


log = logging.getLogger("hustings")
P = ParamSpec("P")
R = TypeVar("R")

AUTO = "auto"
"""Judges that the environment names, else the debaters' own models."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C paused the debate; the message says how to resume it."""


class OngoingDebate:
    """A debate that is, was or will be held. Await it, stream it or run it: each continues from where it stands."""

    def __init__(self, spec: RunSpec, follow_ups: FollowUps, url: str) -> None:
        self._spec, self._follow_ups, self._url = spec, follow_ups, url

    @property
    def run_id(self) -> str:
        """Id of the debate, for `resume`, `Result.of` and `hustings show`."""
        return self._spec.run_id

    def run(self) -> Result:
        """Hold the debate, and wait for its result. Ctrl-C pauses it."""
        handle = self._begin(_unheard)
        try:
            return _waited_for(handle)
        except KeyboardInterrupt:
            log.warning("pausing when current answers arrive. Interrupt again to leave at once")
            handle.pause()
            with suppress(Unfinished):
                return _waited_for(handle)
            raise Interrupted(f"paused. Continue: hustings.resume({self.run_id!r})") from None

    def __await__(self) -> Generator[Any, None, Result]:
        return self._awaited().__await__()

    async def _awaited(self) -> Result:
        handle = await asyncio.to_thread(self._begin, _unheard)
        try:
            return await asyncio.wrap_future(handle.result)
        finally:
            handle.pause()

    def stream(self) -> LiveEvents:
        """Stream all events from the beginning, live text included; then those of its control and its judging.

        Each of these runs begins with a `debate_started`. Leaving the stream before the end pauses the debate.
        """
        return _engine().LiveEvents(self._begin)

    def pause(self) -> None:
        """Pause after the calls in flight; code awaiting the result gets `Unfinished`. Run it again to continue."""
        if handle := _engine().handle_of(self.run_id):
            handle.pause()
        else:
            self._steer(lambda control, run_id: control.steer(run_id, "pause"))

    def cancel(self) -> None:
        """Stop the debate for good after the calls in flight. What was said is kept, and is the result."""
        if handle := _engine().handle_of(self.run_id):
            handle.begin_no_more()
        self._steer(lambda control, run_id: control.steer(run_id, "cancel"))

    def say(self, seat: str, words: str) -> None:
        """Speak for a seat held by a person, after a `human_awaited` event. The first answer stands."""
        self._steer(lambda control, run_id: _engine().speak(control, run_id, seat, words))

    def tell(self, words: str, seat: str = "") -> list[str]:
        """Tell a seat, team or role something with its next question; otherwise every speaker. Returns the seats."""
        with _engine().open_service(self._url) as service:
            return service.control.tell(self.run_id, words, seat)

    def turn_dial(self, order: str) -> str:
        """Take the dial of a controlled debate: "hold", "tone 0.5" or "release". Returns the order as it is kept."""
        with _engine().open_service(self._url) as service:
            return service.control.turn_dial(self.run_id, order)

    def estimate(self) -> Estimate:
        """Estimate calls, tokens and cost with control and judging, expected and at worst. No model is called."""
        after = self._follow_ups
        return estimate(self._spec, audits=after.scripts, request=requests(after), environment=variables())

    def evaluate(self, judges: Sequence[str] = (), **how: Any) -> Evaluation:
        """Evaluate the finished debate turn by turn; takes several times the tokens of the debate.

        `how`: tier, parts, options, rung, repeat, settings, caps; see `hustings evaluate`.
        """
        from hustings.runs.evaluation_spec import EvaluationRequest  # noqa: PLC0415  heavy

        from .evaluate_run import evaluated  # noqa: PLC0415

        with requested("evaluation"):
            request = EvaluationRequest(judges=tuple(judges), **how)
        return evaluated(self.run_id, self._url, request)

    @property
    def evaluation(self) -> Evaluation | None:
        """Its latest evaluation, computed again from the stored answers without a call; None if it has none."""
        from .evaluate_run import evaluation_at  # noqa: PLC0415  heavy

        return evaluation_at(self.run_id, self._url)

    def _steer(self, tell: Callable[[RunControl, str], object]) -> None:
        handle = _engine().handle_of(self.run_id)
        with _engine().open_service(self._url) as service:
            tell(service.control, handle.current(service.runs) if handle else self.run_id)

    def _begin(self, on_event: Callable[[Event], None]) -> RunHandle:
        return _engine().begin(self._spec, self._follow_ups, self._url, on_event)


@dataclass(eq=False, repr=False)
class Debate(OngoingDebate):
    """A debate to be held. Creating it raises errors for what cannot be done; no model is called before it is run.

    >>> from hustings import Debate
    >>> tea = Debate("Is tea better than coffee?", model="improviser", database="temporary")
    >>> result = tea.run()
    >>> result.ending.kind, len(result.transcript.turns)
    ('played', 6)
    """

    motion: str = ""
    """The question. It may be empty if a document is given, whose title then puts it."""
    _: KW_ONLY
    background: str | Path | Background | None = None
    """A document that every speaker and judge reads: its text, its file, or title and text."""
    documents: Sequence[str | Path | Background | DocumentText | Mapping[str, Any]] = ()
    """Further documents: a text, a file or a folder, or title, text and seats (names of seats, teams or roles)."""
    look_ups: int | None = None
    """How often each side may have something looked up in them; None: only if they are too long for the prompts."""
    protocol: str = "structured"
    """Name of a protocol; `hustings protocols` lists them."""
    model: str | None = None
    """Model of all seats: `provider/model`, `provider/model@base_url`, `improviser` or `human`; None: as configured."""
    pro: str | None = None
    """Model of the seats in favour; `con`: of those against."""
    con: str | None = None
    seats: Mapping[str, str] = field(default_factory=dict[str, str])
    """Models of single seats, by seat id."""
    personas: Mapping[str, str] = field(default_factory=dict[str, str])
    """How seats argue, by seat, team or role: names of personalities or lenses; `hustings catalogue` lists them."""
    judges: str | Sequence[str] | None = AUTO
    """Models of the judges; `auto` takes JUDGE_LLM_MODEL, else the debaters' own; None: no judging."""
    control: bool = False
    """Also ask the debaters' models without a debate, and compare."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Settings of the protocol."""
    budget_usd: float | None = None
    """Maximum cost, with control and judging; 1.00 if it is not free."""
    max_calls: int | None = None
    max_tokens: int | None = None
    """Maximum tokens read and written, in total."""
    max_minutes: float | None = None
    """Minutes after which no new call begins."""
    language: str = "en"
    retries: int | None = None
    """How often a bad answer is sent back to the model."""
    on_failure: OnFailure = "pause"
    """If a seat gives no usable answer: pause, which raises `Unfinished`, or `go-on` without that answer."""
    seed: int | None = None
    """Sent to models that accept a seed; results may still differ."""
    debate_id: str = ""
    """Names the experiment in transcripts; empty: made of the question."""
    meta: Mapping[str, str] = field(default_factory=dict[str, str])
    """For the transcript: task_type, scenario_id, asset_symbol, market_context, time_horizon_default, required_rung."""
    controller: ControllerLaw | None = None
    """Observe the debate between rounds and tell speakers how to argue on: "p" or "pid". Experimental."""
    keep_reasoning: bool = False
    """Keep in the transcript what models thought, where their providers show it."""
    database: str | Path | None = None
    """Where the debate is stored; None: HUSTINGS_DATABASE, else your own. `temporary` is deleted at exit."""

    def __post_init__(self) -> None:
        follow_ups = follow_ups_of(self.judges, control=self.control)
        with requested("debate"):
            request = DebateRequest(
                protocol=self.protocol,
                topic=self.motion,
                background=_document(self.background),
                documents=tuple(one for given in self.documents for one in _further(given)),
                look_ups=self.look_ups,
                settings=self.settings,
                retries=self.retries,
                language=self.language,
                model=self.model or "",
                seats={"pro": self.pro or "", "con": self.con or "", **self.seats},
                personas=self.personas,
                caps=Caps.of(
                    dollars=self.budget_usd, tokens=self.max_tokens, calls=self.max_calls, minutes=self.max_minutes
                ),
                seed=self.seed,
                on_failure=self.on_failure,
                debate_id=self.debate_id,
                meta=Scenario.model_validate(self.meta),
                keep_reasoning=self.keep_reasoning,
                controller=self.controller,
            )
        spec, _ = prepare(request, follow_ups, variables(), log.info)
        super().__init__(spec, follow_ups, database_url(self.database))

    @classmethod
    def of(
        cls,
        run_id: str,
        *,
        judges: str | Sequence[str] | None = AUTO,
        control: bool = False,
        database: str | Path | None = None,
    ) -> OngoingDebate:
        """A debate begun earlier, here or by a command, to continue."""
        from hustings.runs.queries import open_runs  # noqa: PLC0415  heavy

        url = database_url(database)
        with SHARED_WORKER.used(url), open_runs(url) as runs:
            SHARED_WORKER.get()  # waits for a database that is being upgraded
            spec = runs.whole_spec(runs.read(run_id).judged or run_id)
        return OngoingDebate(spec, follow_ups_of(judges, control=control), url)

    def __repr__(self) -> str:
        return f"<Debate {self.run_id}: {self.motion!r} under {self.protocol}>"


def _document(given: str | Path | Background | None) -> Background | None:
    match given:
        case Path():
            return document_in(str(given))
        case str() if given.strip():
            return Background(title=title_of(given), text=given)
        case Background():
            return given
        case _:
            return None


def _further(given: str | Path | Background | DocumentText | Mapping[str, Any]) -> Sequence[DocumentText]:
    match given:
        case Path():
            return documents_in_folder(str(given)).documents if given.is_dir() else [read_document(given)]
        case str():
            return [brought("", given)]
        case Background():
            return [brought(given.title, given.text)]
        case _:
            told = given if isinstance(given, DocumentText) else DocumentText.model_validate({"title": "-", **given})
            return [brought("" if told.title == "-" else told.title, told.text, seats=told.seats, media=told.media)]


def _unheard(_: Event) -> None:
    """Ignore events: the caller waits only for the result."""


def _engine():
    """What needs the engine, loaded when a debate is begun: describing one must not take a second."""
    from . import handle  # noqa: PLC0415

    return handle


def _waited_for(handle: RunHandle) -> Result:
    while not handle.result.done():  # a wait without a timeout ignores Ctrl-C on Windows
        wait([handle.result], timeout=1.0)
    return handle.result.result()


def follow_ups_of(judges: str | Sequence[str] | None, *, control: bool) -> FollowUps:
    follow_ups = FollowUps.of(judges, control=control)
    if control and not follow_ups.judging:
        raise Unsuitable(
            "control=True needs judges: without them there is no verdict to compare", fix="name judges, or 'auto'"
        )
    return follow_ups


def called_as(maker: Callable[P, Debate]) -> Callable[[Callable[[Debate], R]], Callable[P, R]]:
    """Give a function of a `Debate` the parameters of `Debate` itself."""

    def taking(use: Callable[[Debate], R]) -> Callable[P, R]:
        @wraps(use)
        def called(*given: P.args, **named: P.kwargs) -> R:
            return use(maker(*given, **named))

        called.__dict__["__signature__"] = signature(maker).replace(return_annotation=use.__annotations__["return"])
        return called

    return taking


@called_as(Debate)
def debate(made: Debate) -> Result:
    """Hold a debate, and wait for its result; takes the same arguments as `Debate`.

    >>> from hustings import debate
    >>> result = debate("Is tea better than coffee?", model="improviser", judges=None, database="temporary")
    >>> result.outcome.kind
    'played'
    """
    return made.run()


@called_as(Debate)
async def adebate(made: Debate) -> Result:
    """Like `debate`, but awaitable."""
    return await made


def resume(
    run_id: str,
    *,
    judges: str | Sequence[str] | None = AUTO,
    control: bool = False,
    database: str | Path | None = None,
) -> Result:
    """Continue a debate and its follow-ups from where they stand; what is done is not paid again."""
    return Debate.of(run_id, judges=judges, control=control, database=database).run()


async def aresume(
    run_id: str,
    *,
    judges: str | Sequence[str] | None = AUTO,
    control: bool = False,
    database: str | Path | None = None,
) -> Result:
    """Like `resume`, but awaitable."""
    earlier = partial(Debate.of, run_id, judges=judges, control=control, database=database)
    return await (await asyncio.to_thread(earlier))
