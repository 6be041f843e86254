"""Twenty things that a provider does: what a person reads at the end, exit code, what `resume` does, what was spent.

A row each. Waits are cut short: a call is put off after its first fault, and once only.
"""

from dataclasses import dataclass
from threading import Timer
from urllib.parse import urlsplit

import pytest

from hustings.cli.commands.pause_resume_cancel import is_over
from hustings.cli.execute import FAILED, FINISHED, REFUSED, code_of
from hustings.cli.state_text import advice, ended
from hustings.engine import model_call, rests
from tests.rig.certificates import self_signed
from tests.rig.provider import secured
from tests.rig.proxy import proxied

from .test_model_call import ONCE

PLACE = "the provider of m"
NOBODY = "Nobody could speak: "
LOGIN = "is LLM_BASE_URL right, or is this a Wi-Fi login?"


@dataclass(frozen=True)
class Row:
    thing: str
    fault: str
    kind: str
    """Of the tries."""
    words: str
    """Read at the end, among others."""
    code: int
    spent: str = "nothing"
    """`nothing`, `held` for calls that may have been billed, or `answers`."""


ROWS = [
    Row(
        "refused",
        "",
        "unreachable",
        "could not reach the provider (the connection was refused). Check base_url",
        REFUSED,
    ),
    Row("unreachable", "", "unreachable", "could not reach the provider (unknown host)", REFUSED),
    Row("reset", "conn_reset", "unreachable", "(the connection broke off before a word came)", REFUSED),
    Row("certificate", "", "untrusted", "its certificate is not trusted (self-signed). Name the file", REFUSED),
    Row("redirect", "redirect", "not_an_api", f"the address redirects to localhost; {LOGIN} Check", REFUSED),
    Row("sign-in page", "html200", "not_an_api", "not an API: it sent a web page (a Wi-Fi login?). Check", REFUSED),
    Row("401", "status401", "auth_failed", "refused the key (401). Store another: hustings keys set LLM_API", REFUSED),
    Row("402", "status402", "no_credit", "has no credit left. Top it up, then: hustings resume", REFUSED),
    Row("quota", "quota", "no_credit", "has no credit left. Top it up, then: hustings resume", REFUSED),
    Row("403", "status403", "auth_failed", "refused this key or this place (403)", REFUSED),
    Row("404", "unknown_model", "rejected", "no such model (404)", FAILED),
    Row(
        "429 with a time",
        "status429",
        "rate_limited",
        "the provider's rate limit was reached (too many requests (429)). Set",
        REFUSED,
    ),
    Row(
        "429 without a time",
        "status429_bare",
        "rate_limited",
        "the provider's rate limit was reached (too many requests (429)). Set",
        REFUSED,
    ),
    Row("500", "status500", "overloaded", "the provider was in trouble (server error 500). Send fewer calls", REFUSED),
    Row("502", "status502_html", "overloaded", "the provider was in trouble (server error 502)", REFUSED),
    Row("503", "status503", "overloaded", "the provider was in trouble (server error 503)", REFUSED),
    Row(
        "silent",
        "hang",
        "timed_out",
        "no answer in time (no first word within 0.2 s). Allow more: ",
        REFUSED,
        "held",
    ),
    Row("endless", "endless", "garbled", "an answer that can't be read, or has no end", REFUSED, "held"),
    Row(
        "empty",
        "empty",
        "empty",
        f"{NOBODY}every answer was empty. Choose another model.",
        FAILED,
        "answers",
    ),
    Row("too long for the model", "ctx_exceeded", "too_long", " takes 8,192. Choose another model, or few", FAILED),
    Row("wrong price", "usage_huge", "ok", "Read what was said", FINISHED, "answers"),
    Row("gone for a second", "", "unreachable", "Read what was said", FINISHED, "answers"),
]


@pytest.fixture(scope="module")
def elsewhere(provider, tmp_path_factory):
    """Base URLs at which no fault of the provider is needed, and the proxy that can be gone."""
    certificate = self_signed(tmp_path_factory.mktemp("tls"))
    there = urlsplit(provider.url)
    with secured(certificate.both) as distrusted, proxied(there.hostname, there.port) as proxy:
        yield (
            {
                "refused": "http://127.0.0.1:9/v1",
                "unreachable": f"http://{'a' * 64}.invalid/v1",
                "certificate": distrusted.base_url,
                "gone for a second": f"http://127.0.0.1:{proxy.port}/v1",
            },
            proxy,
        )


LATER = pytest.mark.nightly("half a minute of endless answers, and statuses like others that are tried on every change")


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row.thing, marks=[LATER] if row.fault in {"endless", "status502_html", "quota"} else [])
        for row in ROWS
    ],
)
def test_what_a_provider_does_is_told_and_costs_what_it_should(rig, installed, elsewhere, monkeypatch, row):
    installed("once", ONCE, module="once_protocol")
    places, proxy = elsewhere
    brief = row.thing == "gone for a second"
    monkeypatch.setattr(model_call, "LONGEST_WAIT", 0.1)
    monkeypatch.setattr(rests, "PATIENCE", 12 if brief else 1)
    if brief:
        proxy.down()
        Timer(1.0, proxy.up).start()
    slow = {"first_token_timeout": 0.2} if row.fault == "hang" else {}
    model_spec = rig.model_spec(row.fault, local=False, **slow)
    if row.thing in places:
        model_spec = model_spec.model_copy(update={"base_url": places[row.thing]})
    run_id = rig.start(model_spec, protocol="once", on_failure="pause")
    with rig.waking():
        rig.until(lambda: rig.runs.read(run_id).state in {"paused", "ended"}, 30)

    report = rig.runs.read(run_id)
    told = "\n".join([*ended(report), advice(report)])
    assert row.words in told, told
    assert (code_of(report), row.kind in kinds_of(rig, run_id)) == (row.code, True)
    assert spent(report) == row.spent, report
    if row.code == REFUSED:
        assert f"hustings resume {run_id}" in told
        assert "Nothing said is paid for again." in told
        assert resumed(rig, run_id) == {"served": 2, "said": 2, "code": FINISHED}
    elif row.code == FAILED:
        assert "hustings judge" not in told
        assert f"hustings fork {run_id}" in str(is_over(report))


def kinds_of(rig, run_id):
    """The kinds of all tries."""
    return {each.ended for call in rig.runs.calls_of_wave(run_id) for each in call.tries} | {
        row.kind for row in rig.seen(run_id).rows
    }


def spent(report):
    assert report.held == 0 or report.held_calls == 2
    paid = round(report.spent - report.held, 9)
    return {(False, False): "nothing", (False, True): "held", (True, False): "answers"}[paid > 0, report.held > 0]


def resumed(rig, run_id):
    """What comes of it when the provider is well again."""
    rig.provider.reset()
    rig.mishap = "ok"
    with rig.waking():
        rig.control.steer(run_id, "go", "me")
        seen = rig.ended(run_id)
    return {"served": rig.provider.ledger()["served"], "said": len(seen.said), "code": code_of(seen.report)}
