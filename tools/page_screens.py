"""Every screen of the browser in each of its states: servers, debates on record, and the way to each screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

from playwright.sync_api import Page

from hustings.db import tokens
from hustings.db.instants import instant
from hustings.db.tokens import Access
from hustings.llm.environment import Environment
from hustings.llm.improviser import Improviser
from hustings.llm.model_spec import ModelSpec
from hustings.report.failure_text import CALL_FAULTS
from hustings.runs.judging_spec import JudgingRequest, judging_spec
from hustings.runs.recording import name_of, packaged
from hustings.runs.registry import find_protocol
from hustings.runs.request import DebateRequest, build_spec, cast_with
from hustings.runs.spec import RunSpec, new_fence
from hustings.runs.staging import plan
from hustings.transcript.events import TurnBegun
from hustings.transcript.notes import BudgetStopped, Failed
from tests.rig.provider import serving
from tests.rig.proxy import Proxy, proxied
from tests.rig.waiting import until
from tests.web.browser import stored
from tests.web.rig import Site, fresh, served

PROTOCOLS = ("structured", "competition", "roundtable", "adaptive", "moderated", "critique")
MOTION = "Should towns close their centres to cars?"
BUSES = "Should night buses run until five, although fewer people ride them than in the year before the new timetable?"
PLAN = (
    "# Night buses\n\nThe last bus leaves at midnight. We propose one bus an hour until five.\n\n"
    + ("They did not ask for more buses. " * 12 + "\n\n") * 8
)
PRICED = "anthropic/claude-opus-4-1"
HEADED = "h2:visible"
WELCOME = "text=Hear both sides before you decide."


@dataclass(frozen=True)
class Screen:
    """Where a screen is, what says that it is there, and what a person did there."""

    address: str
    seen: str = "h1"
    act: Callable[[Page], None] | None = None


@contextmanager
def every_screen(folder: Path) -> Iterator[Mapping[str, Screen]]:
    """Screens by their names, while their servers answer."""
    with TemporaryDirectory() as home, serving(hang=600) as provider:
        homes = [Path(home) / name for name in ("first", "shared", "busy")]
        for one in homes:
            one.mkdir()
        priced = {"look": partial(Environment, {"ANTHROPIC_API_KEY": "not-a-key"}, {}), "allowed": (PRICED,)}
        with (
            fresh("sqlite", homes[0]) as empty,
            fresh("sqlite", homes[1]) as closed,
            fresh("sqlite", homes[2]) as busy,
            served(busy, works=True, **priced) as site,
            served(empty) as first,
            served(closed, needs_token=True) as locked,
            proxied("127.0.0.1", int(site.url.rpartition(":")[2])) as line,
        ):
            yield {
                **_debates(site, folder),
                **_under_way(site, provider.always("hang"), line),
                **_workbench(site),
                **_strangers(locked),
                **_first_visits(first.url),
            }


# -- before the first debate ---------------------------------------------------------------


def _first_visits(base: str) -> dict[str, Screen]:
    parts = ("map", "trace", "transcript", "scores", "replay", "documents")
    names = sorted(name_of(file) for file in packaged())
    return {
        "first-run": Screen(f"{base}/", WELCOME),
        "samples": Screen(f"{base}/samples", "text=Sample debates"),
        "new-no-model": Screen(f"{base}/new", "text=Estimate"),
        "stats-empty": Screen(f"{base}/stats", "text=No figures yet"),
        "not-found": Screen(f"{base}/there-is-none", "text=Page not found"),
        "no-debate": Screen(f"{base}/debates/there-is-none", "role=alert"),
        "compare-nothing": Screen(f"{base}/compare", "text=Select two"),
        "gallery": Screen(f"{base}/gallery", HEADED),
        **{f"sample-{name}": Screen(f"{base}/samples/{name}", HEADED) for name in names},
        **{f"sample-monolith-{part}": Screen(f"{base}/samples/monolith/{part}") for part in parts},
        "sample-car-free-scores": Screen(f"{base}/samples/car-free/scores"),
        "sample-focus": Screen(f"{base}/samples/monolith/map#PRO-1", "[data-main]"),
        "help": Screen(f"{base}/samples", "text=Sample debates", lambda page: page.keyboard.press("?")),
    }


def _strangers(site: Site) -> dict[str, Screen]:
    tokens.issue(site.state.database, Access("ann"))
    return {
        "sign-in": Screen(f"{site.url}/stats", "text=Access token"),
        "expired-link": Screen(f"{site.url}/debates/night/seat/con#link=long-gone", "text=Your link has expired"),
    }


# -- debates that are over -----------------------------------------------------------------


def _kept(site: Site, protocol: str, topic: str = MOTION, *, judged: bool = True, **changed: Any) -> str:
    """A debate on record, played by the improviser; judged at once if it is to be."""
    spec = build_spec(DebateRequest(protocol=protocol, question=topic, model="improviser"), {})
    proceedings, events = stored.played(spec, Improviser())
    stored.keep(site, spec, proceedings.model_copy(update=changed), events)
    if judged:
        judging = judging_spec(spec, proceedings, JudgingRequest(), {})
        stored.keep(site, judging, *stored.played(judging, Improviser()))
    return spec.run_id


def _being_judged(site: Site) -> str:
    spec = build_spec(DebateRequest(protocol="structured", question=MOTION, model="improviser"), {})
    proceedings, events = stored.played(spec, Improviser())
    stored.keep(site, spec, proceedings, events)
    judging = judging_spec(spec, proceedings, JudgingRequest(), {})
    _, told = stored.played(judging, Improviser())
    stored.begun(site, judging, told[: len(told) // 2])
    return spec.run_id


def _debates(site: Site, folder: Path) -> dict[str, Screen]:
    over = {protocol: _kept(site, protocol) for protocol in PROTOCOLS}
    at = {protocol: f"{site.url}/debates/{run}" for protocol, run in over.items()}
    first, again = over["structured"], [_kept(site, "structured") for _ in range(2)]
    failed = Failed(code="SeatFailed", reason=f"pro: {CALL_FAULTS['timed_out']} (ModelRequestTimeout)")
    states = {
        "unjudged": _kept(site, "roundtable", BUSES, judged=False),
        "being-judged": _being_judged(site),
        "failed": _kept(site, "structured", judged=False, ending=failed),
        "budget-stopped": _kept(site, "structured", judged=False, ending=BudgetStopped(spent=0.49, cap=0.5)),
    }
    documents = [{"text": PLAN, "title": "Night buses"}]
    cited = site.play(model="improviser", protocol="roundtable", question=BUSES, documents=documents)
    site.http.post(f"/api/debates/{over['roundtable']}/evaluations", json={"tier": "quick"}).raise_for_status()
    site.ended(over["roundtable"], follows=2, seconds=120)
    runs = "&".join(f"run={run}" for run in (first, *again))
    shared = folder / "shared.html"
    shared.write_bytes(site.http.get(f"/api/debates/{first}/export", params={"format": "share"}).content)
    return {
        **{f"verdict-{protocol}": Screen(address, HEADED) for protocol, address in at.items()},
        **{f"verdict-{name}": Screen(f"{site.url}/debates/{run}", HEADED) for name, run in states.items()},
        **{f"map-{name}": Screen(f"{at[name]}/map") for name in ("competition", "roundtable")},
        **{f"scores-{name}": Screen(f"{at[name]}/scores", "table") for name in ("structured", "competition")},
        "focus": Screen(f"{at['structured']}/map#PRO-1", "[data-main]"),
        "transcript": Screen(f"{at['structured']}/transcript", "article"),
        "transcript-competition": Screen(f"{at['competition']}/transcript", "article"),
        "replay": Screen(f"{at['competition']}/replay", "input[type=range]"),
        "evaluation": Screen(f"{at['roundtable']}/evaluation", "table"),
        "evaluation-none": Screen(f"{at['structured']}/evaluation"),
        "documents": Screen(f"{site.url}/debates/{cited}/documents", "table"),
        "document": Screen(f"{site.url}/debates/{cited}/documents/DOC-1", "text=The last bus"),
        "ballot": Screen(f"{site.url}/debates/{again[0]}/judge", "text=Who argued better"),
        "compare": Screen(f"{site.url}/compare?first={first}&second={again[0]}", "text=Turns side by side"),
        "stability": Screen(f"{site.url}/stability?{runs}"),
        "stats": Screen(f"{site.url}/stats?by=protocol"),
        "menu": Screen(at["structured"], HEADED, lambda page: page.locator("summary[aria-label=More]").click()),
        "share": Screen(f"{shared.as_uri()}#/debates/{first}", HEADED),
        "share-map": Screen(f"{shared.as_uri()}#/debates/{first}/map"),
    }


# -- under way -----------------------------------------------------------------------------


def _stalled(site: Site, endpoint: str) -> str:
    """A debate whose model never answers; it is waited for until its picture is taken."""
    debate = plan(find_protocol("structured"), BUSES)
    waits = {"timeout": 3600.0, "first_token_timeout": 3600.0}
    silent = ModelSpec(provider="openai_compatible", model="silent", local=True, base_url=endpoint, **waits)
    model_specs = {seat.id: silent for seat in debate.seats}
    run_id = f"stalled-{uuid4().hex[:6]}"
    made = {"debate": cast_with(debate, model_specs), "model_specs": model_specs, "created_at": instant()}
    site.state.operator.control.enter(RunSpec(run_id=run_id, lineage=run_id, fence=new_fence(), **made))
    until(lambda: site.http.get(f"/api/debates/{run_id}").json()["live"]["calls"])
    return run_id


def _halfway(site: Site) -> str:
    """A competition in which a speaker has been asked, and nothing further happens."""
    spec = build_spec(DebateRequest(protocol="competition", question=MOTION, model="improviser"), {})
    _, events = stored.played(spec, Improviser())
    asked = [n for n, event in enumerate(events) if isinstance(event, TurnBegun) and event.on_record]
    return stored.begun(site, spec, events[: asked[len(asked) // 2] + 1])


def _behind(line: Proxy) -> str:
    return f"http://127.0.0.1:{line.port}"


def _cut(line: Proxy, page: Page) -> None:
    line.down()
    page.get_by_text("Not connected to the server for").wait_for()


def _under_way(site: Site, endpoint: str, line: Proxy) -> dict[str, Screen]:
    person = site.begin(model="improviser", seats={"con": "human"})
    until(lambda: site.http.get(f"/api/debates/{person}").json()["questions"])
    stalled, running = (f"{site.url}/debates/{run}" for run in (_stalled(site, endpoint), _halfway(site)))
    at = f"{site.url}/debates/{person}"
    return {
        "live-running": Screen(running),
        "live-waiting": Screen(stalled, "text=Try 1 of 2."),
        "live-person": Screen(at, "text=Answer for Con"),
        "live-offline": Screen(
            f"{_behind(line)}/debates/{person}", "text=Answer for Con", lambda page: _cut(line, page)
        ),
        "seat": Screen(f"{at}/seat/con", "text=Read it over and speak"),
        "seat-refused": Screen(
            f"{at}/seat/con",
            "text=Read it over and speak",
            lambda page: page.get_by_role("button", name="Read it over and speak").click(),
        ),
        "seat-of-nobody": Screen(f"{at}/seat/pro", "text=is not a human speaker"),
        "too-early": Screen(f"{at}/transcript"),
    }


# -- the list, and a new debate ------------------------------------------------------------


def _workbench(site: Site) -> dict[str, Screen]:
    return {
        "list": Screen(f"{site.url}/", "tbody tr"),
        "list-searched": Screen(f"{site.url}/?q=buses", "tbody tr"),
        "list-nothing": Screen(f"{site.url}/?q=zebra", "text=Clear filters"),
        "list-chosen": Screen(f"{site.url}/", "tbody tr", _choose_two),
        "list-delete": Screen(f"{site.url}/", "tbody tr", _ask_to_delete),
        "palette": Screen(f"{site.url}/", "tbody tr", _seek),
        "settings": Screen(f"{site.url}/settings", HEADED),
        "check-up": Screen(f"{site.url}/doctor", HEADED),
        "costs": Screen(f"{site.url}/costs", "table"),
        "new": Screen(f"{site.url}/new", "text=Estimate"),
        "new-draft": Screen(f"{site.url}/new", "text=Estimate", _draft),
        "new-over-budget": Screen(f"{site.url}/new", "text=Estimate", _over_budget),
    }


def _choose_two(page: Page) -> None:
    over = page.locator("tbody tr", has_text="too close")
    for n in (0, 1):
        over.nth(n).get_by_role("checkbox").check()


def _ask_to_delete(page: Page) -> None:
    _choose_two(page)
    page.get_by_role("toolbar").get_by_role("button", name="Delete").click()


def _seek(page: Page) -> None:
    page.keyboard.press("Control+k")
    page.keyboard.type("buses")
    page.get_by_role("group", name="Debates").wait_for()


def _draft(page: Page) -> None:
    page.get_by_label("Your question").fill(BUSES)
    page.wait_for_timeout(500)  # a draft is kept when typing pauses
    page.reload()
    page.get_by_text("Your draft is back.").wait_for()


def _over_budget(page: Page) -> None:
    page.get_by_label("Your question").fill(BUSES)
    page.get_by_label("Model for every speaker").select_option(PRICED)
    page.get_by_label("Budget").first.fill("0.01")
    page.get_by_text("The debate stops at your $0.01").first.wait_for()
    page.locator("[aria-busy=true]").first.wait_for(state="detached")  # old figures are pale until the new ones come
