"""The tests of the rules as one call, cheap ones first: what a mutant has to survive."""

from __future__ import annotations

import json
from dataclasses import asdict
from types import FunctionType, ModuleType

from hustings.transcript.rules import RULES, check

from . import test_broken_files, test_exact_cases, test_registry
from .breakers import SMALL, all_broken
from .frozen import COMPANIONS
from .scenes import scenes
from .valid import valid_bytes

Files = tuple[list[bytes], list[tuple[str, bytes]]]


def files() -> Files:
    """Valid files, and broken ones with the rule they break."""
    broken = [(code, raw) for code in RULES for _, raw in all_broken(code, 5)]
    return [valid_bytes(seed) for seed in range(60)], broken


def run(given: Files) -> None:
    """Raises if anything is not as it should be."""
    valid, broken = given
    assert test_exact_cases.wrong(list(scenes())) == {}
    for module in (test_exact_cases, test_registry):
        for test in plain_tests(module):
            test()
    for code, raw in broken:
        found = check(raw, limits=SMALL)
        others = {finding.code for finding in found} - {code}
        assert len(others) < len({finding.code for finding in found})
        assert others <= {f"DT-{number}" for number in COMPANIONS.get(code, "").split()}
        json.dumps([asdict(finding) for finding in found])
    assert not any(check(raw) for raw in valid)
    for test in plain_tests(test_broken_files):
        test()


def plain_tests(module: ModuleType) -> list[FunctionType]:
    """Those that need no arguments."""
    tests = [test for name, test in sorted(vars(module).items()) if name.startswith("test_")]
    return [test for test in tests if isinstance(test, FunctionType) and not test.__code__.co_argcount]
