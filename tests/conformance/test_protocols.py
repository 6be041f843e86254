"""Every registered protocol, in-tree or from another package, through the same checks."""

import pytest

from hustings.runs.registry import protocols
from hustings.testing import PROTOCOL_CHECKS, protocol_checks

PROTOCOLS = protocols()
AT_FEW_CALLS = protocol_checks(places=12)
AT_EVERY_CALL = [check for check in PROTOCOL_CHECKS if check not in AT_FEW_CALLS]


LONG = {"keeps_secrets": ("roundtable",), "ends_under_any_settings": ("roundtable", "structured")}
"""By check: protocols that have it on every change."""
LATER = pytest.mark.nightly("a minute for the longest two checks; `roundtable` has them on every change")


def case(name, check):
    later = name not in LONG.get(check.__name__, (name,))
    return pytest.param(name, check, id=f"{name}-{check.__name__}", marks=LATER if later else ())


@pytest.mark.timeout(300)
@pytest.mark.parametrize(("name", "check"), [case(n, check) for n in PROTOCOLS for check in AT_FEW_CALLS])
def test_it_conforms(name, check):
    check(PROTOCOLS[name])


@pytest.mark.nightly("12 places a protocol are tried on each change, here every call")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("check", AT_EVERY_CALL, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_it_conforms_at_every_call(name, check):
    check(PROTOCOLS[name])
