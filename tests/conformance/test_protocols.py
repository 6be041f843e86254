"""Every registered protocol, in-tree or from another package, through the same checks."""

import pytest

from hustings.runs.registry import protocols
from hustings.testing import PROTOCOL_CHECKS, protocol_checks

from .lengths import lengths_of

PROTOCOLS = protocols()
AT_EVERY_CALL = [check for check in PROTOCOL_CHECKS if check not in protocol_checks(places=24)]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("check", protocol_checks(places=24), ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_it_conforms(name, check):
    check(PROTOCOLS[name])


@pytest.mark.nightly("24 places a protocol are tried on each change, here every call")
@pytest.mark.timeout(900)
@pytest.mark.parametrize("check", AT_EVERY_CALL, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", PROTOCOLS)
def test_it_conforms_at_every_call(name, check):
    check(PROTOCOLS[name])


@pytest.mark.parametrize("name", PROTOCOLS)
def test_its_script_fits_on_one_screen(name):
    """80 lines are a screen, and play alone is half of one."""
    lengths = lengths_of(PROTOCOLS[name])
    assert lengths["play"] <= 40
    assert sum(lengths.values()) <= 100
