"""Every registered audit, in-tree or from another package, through the same checks."""

import pytest

from hustings.runs.registry import audits
from hustings.testing import AUDIT_CHECKS, audit_checks
from hustings.testing.protocol_suite import debates
from tests.rig.asking import played

AUDITS = audits()
AT_FEW_CALLS = audit_checks(places=6)
AT_EVERY_CALL = [check for check in AUDIT_CHECKS if check not in AT_FEW_CALLS]


LONG = {
    "judging": ("any_settings",),
    "evaluation": ("any_settings",),
    "evaluator_trial": ("any_settings", "any_record", "hides_who_debated", "refused", "empty", "late"),
    "probing": ("any_record", "rule_breaking", "refused", "empty", "late"),
}
LATER = pytest.mark.nightly("half a minute for the longest checks; other audits have them on every change")


def case(name, check):
    later = check.__name__.endswith(LONG.get(name, ()))
    return pytest.param(name, check, id=f"{name}-{check.__name__}", marks=LATER if later else ())


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("name", "check"), [case(name, check) for name in AUDITS for check in AT_FEW_CALLS])
def test_it_conforms(name, check):
    check(AUDITS[name])


@pytest.mark.nightly("6 places an audit are tried on each change, here every call")
@pytest.mark.parametrize("check", AT_EVERY_CALL, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", AUDITS)
def test_it_conforms_at_every_call(name, check):
    check(AUDITS[name])


@pytest.mark.parametrize("name", AUDITS)
def test_the_answers_of_the_pretend_provider_fit_its_forms(name):
    complaints = [some for debate in debates(AUDITS[name]) for some in played(debate, 1).complaints]
    assert not any(complaints)
