"""The public functions: `debate`, `adebate`, `Debate`, `resume`; as a call, awaitable, or event stream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Generator, Mapping, Sequence
from concurrent.futures import wait
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field, replace
from functools import partial, wraps
from inspect import iscoroutinefunction, signature
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from pydantic import JsonValue

from hustings.config.plan_run import RunPlan, plan_run, requests
from hustings.config.settings_in_use import limits_in_use
from hustings.config.variables import variables, with_keys, with_timeout
from hustings.db.caps import OnFailure
from hustings.errors import NoModel, Unsuitable
from hustings.runs.debate_fields import DebateFields, Tier
from hustings.runs.estimate import Estimate, estimate
from hustings.runs.follow_ups import NO_FOLLOW_UPS, FollowUps
from hustings.runs.protocol_files import protocol_fields, with_protocol
from hustings.runs.request import DebateRequest, requested
from hustings.runs.spec import RunSpec
from hustings.script.background import Background
from hustings.script.debate import Scenario
from hustings.transcript.events import Event

from .database_place import database_url
from .inputs import Brought, argument, background_of, checked, documents_of, must_fit, told_to_programs
from .live_events import LiveEvents, begun, running_loop
from .results import Result, Unfinished
from .shared_worker import SHARED_WORKERS

if TYPE_CHECKING:
    from hustings.engine.run_control import RunControl
    from hustings.llm.environment import Environment

    from .handle import RunHandle, Wanted


log = logging.getLogger("hustings")
P = ParamSpec("P")
R = TypeVar("R")

TRY = 'try model="improviser", or set OPENAI_API_KEY, or model="openai_compatible/NAME@URL"'
"""What a program without a model can do."""
AUTO = "auto"
"""Judges that the environment names, else the debaters' own models."""
AS_BEFORE = "as before"
"""Judges that were asked for when the debate was begun."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C paused the debate; the message says how to resume it."""

    run_id = ""
    """The debate to resume."""

    def __init__(self, run_id: str) -> None:
        self.run_id = run_id
        super().__init__(_paused(run_id))

    def __reduce__(self) -> tuple[type[Interrupted], tuple[str]]:
        return Interrupted, (self.run_id,)


class OngoingDebate:
    """A debate that is, was or will be held. Await it, stream it or run it: each continues from where it stands."""

    def __init__(
        self, spec: RunSpec, follow_ups: FollowUps, url: str, known: Environment, *, as_before: bool = False
    ) -> None:
        self._spec, self._follow_ups, self._url, self._known = spec, follow_ups, url, known
        self._as_before = as_before

    @property
    def run_id(self) -> str:
        """Id of the debate, for `resume`, `Result.of` and `hustings show`."""
        return self._spec.run_id

    @checked
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
            raise Interrupted(self.run_id) from None

    def __await__(self) -> Generator[Any, None, Result]:
        return self._awaited().__await__()

    async def _awaited(self) -> Result:
        running_loop()
        try:
            handle = await begun(lambda: self._begin(_unheard))
            try:
                with told_to_programs():
                    return await asyncio.wrap_future(handle.result)
            finally:
                handle.pause()
        except asyncio.CancelledError as error:
            log.warning("%s", _paused(self.run_id))
            error.add_note(_paused(self.run_id))
            raise

    def stream(self) -> LiveEvents:
        """Stream all events from the beginning, live text included; then those of its control and its judging.

        Each of these runs begins with a `debate_started`. Leaving the stream before the end pauses the debate.
        """
        return LiveEvents(self._begin)

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

    @checked
    def say(self, seat: str, words: str) -> None:
        """Speak for a seat held by a person, after a `human_awaited` event. The first answer stands."""
        self._steer(lambda control, run_id: _engine().speak(control, run_id, seat, words))

    @checked
    def tell(self, words: str, seat: str = "") -> list[str]:
        """Tell a seat, team or role something with its next question; otherwise every speaker. Returns the seats."""
        with _engine().open_service(self._url) as service:
            return service.control.tell(self.run_id, words, seat)

    def estimate(self) -> Estimate:
        """Estimate calls, tokens and cost with control and judging, expected and at worst. No model is called."""
        after = self._follow_ups
        spec = with_protocol(self._spec)
        return estimate(spec, audits=after.scripts, request=requests(after), environment=self._known)

    def _steer(self, tell: Callable[[RunControl, str], object]) -> None:
        handle = _engine().handle_of(self.run_id)
        with _engine().open_service(self._url) as service:
            tell(service.control, handle.current(service.runs) if handle else self.run_id)

    def _begin(self, on_event: Callable[[Event], None]) -> RunHandle:
        return _engine().begin(self._wanted, on_event)

    @property
    def _wanted(self) -> Wanted:
        return _engine().Wanted(self._spec, None if self._as_before else self._follow_ups, self._url, self._known)


@dataclass(eq=False, repr=False)
class Debate(OngoingDebate):
    """A debate to be held. Creating it raises errors for what cannot be done; no model is called before it is run.

    >>> from hustings import Debate
    >>> tea = Debate("Is tea better than coffee?", model="improviser", database="temporary")
    >>> result = tea.run()
    >>> result.ending.kind, len(result.transcript.turns)
    ('played', 6)
    """

    question: str = ""
    """It may be empty if a document is given, whose title then puts it."""
    _: KW_ONLY
    background: str | Path | bytes | Background | None = None
    """A document that every speaker and judge reads: its text, its file or what that holds, or title and text."""
    documents: Sequence[Brought] = ()
    """Further documents: a text, a file or a folder, or title, text and seats (names of seats, teams or roles)."""
    look_ups: int | None = None
    """How often each side may have something looked up in them; None: only if they are too long for the prompts."""
    protocol: str | Path = "structured"
    """Name of a protocol; `hustings protocols` lists them. Or a file of your own, `./duel.py`, whose code is run."""
    model: str | None = None
    """Model of all seats: `provider/model`, `provider/model@base_url`, `improviser` or `human`; None: as configured."""
    temperature: float | None = None
    """Of all speakers; one of a seat, team or role in your settings goes before it."""
    pro: str | None = None
    """Model of the seats in favour; `con`: of those against."""
    con: str | None = None
    seats: Mapping[str, str] = field(default_factory=dict[str, str])
    """Models of single seats, by seat id."""
    personas: Mapping[str, str] = field(default_factory=dict[str, str])
    """How seats argue, by seat, team or role: names of personalities or lenses; `hustings catalogue` lists them."""
    judges: str | Sequence[str] | None = AUTO
    """Models of the judges; `auto` takes JUDGE_LLM_MODEL, else the debaters' own; None: no judging."""
    tier: Tier | None = None
    """How many judges: quick 1, standard 3, strict 5; None: those that there are."""
    judge_temperature: float | None = None
    """Of all judges; None: that of your settings, else 0.2."""
    control: bool = False
    """Also ask the debaters' models without a debate, and compare."""
    summary: bool = False
    """Also let the first judge's model write a checked summary."""
    evaluate: Tier | bool = False
    """Also evaluate how each turn reasons. Costs several times the debate."""
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """Settings of the protocol."""
    budget: float | None = None
    """Maximum cost in dollars, with control and judging; None: as configured, else 1.00 if it is not free."""
    max_calls: int | None = None
    max_tokens_total: int | None = None
    """Maximum tokens read and written."""
    max_minutes: float | None = None
    """Minutes after which no new call begins."""
    timeout: float | None = None
    """Seconds that an answer may take; None: as configured."""
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
    keep_reasoning: bool = False
    """Keep in the transcript what models thought, where their providers show it."""
    keys: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Keys by provider (`openai`) or by variable, for this debate alone and never stored; others are as configured."""
    database: str | Path | None = None
    """Where the debate is stored; None: as configured, else your own. `temporary` is deleted at exit."""

    @checked
    def __post_init__(self) -> None:
        must_fit(Debate, {name: getattr(self, name) for name in self.__dataclass_fields__})
        if self.control and not FollowUps.of(self.judges).judging:
            raise _no_control()
        with argument("meta"):
            meta = Scenario.model_validate(dict(self.meta))
        fields: dict[str, Any] = {name: getattr(self, name) for name in DebateFields.model_fields}
        fields |= {"model": self.model or "", "judges": self.judges or "none", "seats": self._models_of_seats()}
        fields |= {"meta": meta, **self._limits(), **protocol_fields(self.protocol)}
        with requested("debate"):
            request = DebateRequest(
                **fields, background=background_of(self.background), documents=documents_of(self.documents)
            )
        plan = self._plan(request)
        super().__init__(plan.spec, plan.follow_ups, database_url(self.database), plan.environment)

    @classmethod
    @checked
    def of(
        cls,
        run_id: str,
        *,
        judges: str | Sequence[str] | None = AS_BEFORE,
        control: bool | None = None,
        keys: Mapping[str, str] | None = None,
        timeout: float | None = None,
        database: str | Path | None = None,
    ) -> OngoingDebate:
        """A debate begun earlier, here or by a command, to continue; judged as was asked, unless you name others."""
        url = database_url(database)
        with SHARED_WORKERS.used(url) as (_, service):
            spec = service.runs.whole_spec(service.runs.read(run_id).judged or run_id)
            before = FollowUps.stored(service.runs, spec.run_id) or NO_FOLLOW_UPS
        follow_ups, as_before = _asked_anew(before, judges, control=control), judges == AS_BEFORE and control is None
        known = with_timeout(with_keys(variables(), keys or {}), timeout)
        return OngoingDebate(spec, follow_ups, url, known, as_before=as_before)

    def _plan(self, request: DebateRequest) -> RunPlan:
        environment = with_timeout(with_keys(variables(), self.keys), self.timeout)
        try:
            plan = plan_run(request, environment, check_servers=False)  # they must answer when it begins
        except NoModel:
            raise NoModel("no model found", fix=TRY) from None
        free = all(model_spec.free for model_spec in plan.spec.model_specs.values())
        for remark in plan.remarks:  # of a model that nobody named
            log.log(logging.INFO if free else logging.WARNING, "%s", remark)
        return plan

    def _limits(self) -> dict[str, Any]:
        """The limits that were given, else those of the settings."""
        usual = limits_in_use().model_dump()
        return {name: usual[name] if (own := getattr(self, name)) is None else own for name in usual}

    def _models_of_seats(self) -> dict[str, str]:
        """Models by seat, and of the two sides."""
        sides = {side: model for side, model in (("pro", self.pro), ("con", self.con)) if model}
        if twice := sorted(side for side in sides if self.seats.get(side, "") not in {"", sides[side]}):
            raise Unsuitable(f"{twice[0]} has two models, one in seats", fix="name one of them")
        return {**self.seats, **sides}

    def __repr__(self) -> str:
        return f"<Debate {self.run_id}: {self.question!r} under {self.protocol}>"


def _paused(run_id: str) -> str:
    return f"paused. Continue: hustings.resume({run_id!r})"


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


def _asked_anew(before: FollowUps, judges: str | Sequence[str] | None, *, control: bool | None) -> FollowUps:
    """What follows a debate: as it was asked for before, but for what is named now."""
    judging = before.judging if judges == AS_BEFORE else FollowUps.of(judges).judging
    wanted = before.control and judging is not None if control is None else control
    if wanted and judging is None:
        raise _no_control()
    return replace(before, judging=judging, control=wanted)


def _no_control() -> Unsuitable:
    return Unsuitable(
        "control=True needs judges: without them there is no verdict to compare", fix="name judges, or 'auto'"
    )


def called_as(maker: Callable[P, Debate]) -> Callable[[Callable[[Debate], R]], Callable[P, R]]:
    """Give a function of a `Debate` the parameters of `Debate` itself."""

    def taking(use: Callable[[Debate], R]) -> Callable[P, R]:
        @wraps(use)
        def called(*given: P.args, **named: P.kwargs) -> R:
            return use(maker(*given, **named))

        @wraps(use)
        async def awaited(*given: P.args, **named: P.kwargs) -> Any:
            return await cast("Coroutine[Any, Any, Any]", use(maker(*given, **named)))

        chosen = cast("Callable[P, R]", awaited) if iscoroutinefunction(use) else called
        chosen.__dict__["__signature__"] = signature(maker).replace(return_annotation=use.__annotations__["return"])
        return chosen

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
    judges: str | Sequence[str] | None = AS_BEFORE,
    control: bool | None = None,
    keys: Mapping[str, str] | None = None,
    timeout: float | None = None,
    database: str | Path | None = None,
) -> Result:
    """Continue a debate and its follow-ups from where they stand; what is done is not paid again."""
    return Debate.of(run_id, judges=judges, control=control, keys=keys, timeout=timeout, database=database).run()


async def aresume(
    run_id: str,
    *,
    judges: str | Sequence[str] | None = AS_BEFORE,
    control: bool | None = None,
    keys: Mapping[str, str] | None = None,
    timeout: float | None = None,  # noqa: ASYNC109  of an answer, not of the wait
    database: str | Path | None = None,
) -> Result:
    """Like `resume`, but awaitable."""
    earlier = partial(Debate.of, run_id, judges=judges, control=control, keys=keys, timeout=timeout, database=database)
    return await (await asyncio.to_thread(earlier))
