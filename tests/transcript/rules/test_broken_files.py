"""A broken file raises its rule, and with it only the rules that it is known to touch."""

import pytest

from hustings.transcript.rules import RULES, check

from .breakers import BREAKERS, SMALL, all_broken
from .cases import at_the_limits, fields
from .frozen import COMPANIONS, MESSAGES
from .scenes import scenes

FEW, FILES = 20, 100
"""For each rule: on every change, and 7,100 in all."""


def test_every_rule_has_a_breaker() -> None:
    assert set(BREAKERS) == set(RULES)


@pytest.mark.parametrize("code", RULES)
def test_no_broken_file_of_a_few_is_missed(code: str) -> None:
    for seed, raw in all_broken(code, FEW):
        found = {finding.code for finding in check(raw, limits=SMALL)}
        assert code in found, seed
        assert found <= {code, *companions_of(code)}, seed


@pytest.mark.nightly("a hundred files of each rule; twenty are tried on every change")
@pytest.mark.parametrize("code", RULES)
def test_no_broken_file_is_missed(code: str) -> None:
    companions: set[str] = set()
    for seed, raw in all_broken(code, FILES):
        found = {finding.code for finding in check(raw, limits=SMALL)}
        assert code in found, seed
        companions |= found - {code}
    assert companions == companions_of(code)


def companions_of(code: str) -> set[str]:
    return {f"DT-{number}" for number in COMPANIONS.get(code, "").split()}


@pytest.mark.weekly("a thousand files of each rule; a hundred are tried every night")
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("code", RULES)
def test_no_broken_file_of_very_many_is_missed(code: str) -> None:
    for seed, raw in all_broken(code, 10 * FILES):
        assert code in {finding.code for finding in check(raw, limits=SMALL)}, seed


def test_messages_say_what_is_wrong_with_the_values() -> None:
    assert messages() == MESSAGES


def test_every_rule_has_its_message() -> None:
    assert set(MESSAGES) == set(RULES)


def messages() -> dict[str, list[str]]:
    """Of each rule the first three that the exact cases give, and the last; not those in the words of the parser."""
    told: dict[str, dict[str, None]] = {}
    for case in (*scenes(), *at_the_limits(), *fields()):
        for finding in check(case.raw, limits=case.limits):
            if "line 1 column" not in finding.message:
                told.setdefault(finding.code, {})[finding.message] = None
    return {code: list(dict.fromkeys([*list(given)[:3], list(given)[-1]])) for code, given in told.items()}
