import pytest

from hustings.errors import SeatFailed
from hustings.report.failure_text import CALL_FAULTS
from hustings.runs.call_result import CallResult
from hustings.runs.registry import find_protocol
from hustings.runs.spec import RunSpec
from hustings.runs.staging import plan, set_stage
from hustings.script.calls import Reply
from hustings.transcript.call_try import CallTry

AT = "2026-01-01T00:00:00.000Z"


@pytest.fixture(scope="module")
def call():
    debate = plan(find_protocol("structured"), "Why?")
    made = RunSpec(run_id="r", lineage="r", debate=debate, model_specs={}, created_at=AT, fence="secret")
    driver, _ = set_stage(debate, "r", AT, made.metadata, fence="secret")
    return driver.calls[0]


def test_an_answer_is_heard_as_it_was_said(call):
    call_result = CallResult("ok", AT, "Yes – indeed.", model="m", tokens_in=3, tokens_out=2, latency_ms=7)
    assert call_result.reply(call) == Reply("Yes – indeed.", AT, None, "m", 3, 2, 7)


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        ("refused", "refused"),
        ("filtered", "filtered"),
        ("truncated", "truncated"),
        ("empty", "empty"),
        ("malformed", "truncated"),
    ],
)
def test_an_answer_that_cannot_be_used_says_why(call, kind, fault):
    assert CallResult(kind, AT, "Half").reply(call).fault == fault


@pytest.mark.parametrize("kind", sorted(CALL_FAULTS))
def test_a_seat_that_did_not_deliver_says_so_in_words(call, kind):
    reply = CallResult(kind, AT, detail="status_code=503").reply(call)
    assert isinstance(reply, SeatFailed)
    assert str(reply) == f"pro: {CALL_FAULTS[kind].replace('SEAT', 'PRO')} (status_code=503)"


def test_a_program_that_was_too_slow_is_given_time_by_its_own_setting(call):
    reply = CallResult("timed_out", AT, model="cli/mine", detail="no answer in 300 seconds").reply(call)
    told = "no answer in time. Allow more: seconds in [commands.mine] (no answer in 300 seconds)"
    assert str(reply) == f"pro: {told}"


def test_no_setting_is_advised_for_a_person(call):
    reply = CallResult("timed_out", AT, model="human", detail="nobody spoke for this seat").reply(call)
    assert str(reply) == "pro: no answer in time (nobody spoke for this seat)"


def call_try(price):
    return CallTry(ended="ok", sent_at=AT, price=price, booked=price or 2.0)


def test_it_survives_being_written_down():
    call_result = CallResult("ok", AT, "„Ja“ \u2028", model="m", tries=(call_try(0.5), call_try(None)), after=1.5)
    assert CallResult.load(call_result.dump()) == call_result


def test_its_price_is_that_of_all_its_tries(call):
    paid = CallResult("ok", AT, model="m", tries=(call_try(1.0), call_try(0.5)), tokens_in=1).paid(call)
    assert (paid.address, paid.model, paid.price, paid.tokens_in) == ("000.0 pro opening", "m", 1.5, 1)


def test_an_unknown_price_is_logged_as_unknown(call):
    assert CallResult("ok", AT, model="m", tries=(call_try(1.0), call_try(None))).paid(call).price is None


@pytest.mark.parametrize("kind", ["broke", "put_off"])
def test_where_nobody_was_asked_nothing_is_logged_as_paid(call, kind):
    assert CallResult(kind, AT, model="m").paid(call) is None


# -- why a run waits -------------------------------------------------------------------------


def refusal(kind, detail, model="openai/gpt-4o"):
    return CallResult(kind, AT, detail=detail, model=model, tries=(call_try(0.0),)).refusal("pro")


def test_an_empty_account_is_named():
    assert refusal("no_credit", "the account has no credit left") == (
        "the account at openai has no credit left. Top it up"
    )


def test_a_refused_key_names_the_command_with_its_provider():
    assert refusal("auth_failed", "refused the key (401)") == (
        "openai refused the key (401). Store another: hustings keys set openai. Restart any worker"
    )


def test_a_place_that_is_refused_is_not_told_as_a_wrong_key():
    assert "openai refused this key or this place (403)" in refusal(
        "auth_failed", "refused this key or this place (403)"
    )


def test_a_server_of_ones_own_is_named_by_its_model():
    told = refusal("untrusted", "its certificate is not trusted (self-signed)", "openai_compatible/fake")
    assert told.startswith("the provider of fake: its certificate is not trusted (self-signed). ")
    assert "SSL_CERT_FILE" in told


def test_what_was_never_sent_says_what_the_worker_lacks():
    lacking = CallResult("auth_failed", AT, detail="openai/x needs the key A_API_KEY", model="openai/x")
    assert lacking.refusal("pro") == "openai/x needs the key A_API_KEY. Restart any worker"
