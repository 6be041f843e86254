"""Lanes of tests: what every change runs, what `make nightly` adds and what `make weekly`."""

import os

import pytest
from hypothesis import settings

LEFT = pytest.StashKey[int]()
LANES = ("change", "nightly", "weekly")
"""Each runs what those before it run, and more."""
settings.register_profile("nightly", deadline=None, derandomize=True)
settings.register_profile("weekly", settings.get_profile("nightly"))
settings.register_profile("change", settings.get_profile("nightly"), max_examples=33)


def pytest_addoption(parser):
    parser.addoption(
        "--lane",
        choices=LANES,
        default="change",
        help="change: leaves out what is marked nightly, and PostgreSQL unless a test is marked both_databases; "
        "nightly: leaves out what is marked weekly; weekly: runs everything",
    )


def pytest_configure(config):
    settings.load_profile(config.getoption("lane"))


def examples(count):
    """Examples of a property test: all of them at night, a third on every change."""
    return count // 3 if settings.get_current_profile_name() == "change" else count


def lane_of(item):
    """The first lane that runs this test."""
    if item.get_closest_marker("weekly"):
        return "weekly"
    on_every_change = item.get_closest_marker("both_databases") or not item.get_closest_marker("on_postgres")
    return "nightly" if item.get_closest_marker("nightly") or not on_every_change else "change"


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    run = LANES[: LANES.index(config.getoption("lane")) + 1]
    left = [item for item in items if lane_of(item) not in run]
    items[:] = [item for item in items if lane_of(item) in run]
    config.hook.pytest_deselected(items=left)
    config.stash[LEFT] = len(left)


# With xdist only the processes that run the tests collect them: they tell the one that reports.


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left"] = session.config.stash.get(LEFT, 0)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    told = getattr(node, "workeroutput", {}).get("left", 0)
    node.config.stash[LEFT] = max(told, node.config.stash.get(LEFT, 0))


def pytest_terminal_summary(terminalreporter, config):
    if left := config.stash.get(LEFT, 0):
        terminalreporter.write_line(f"{left} tests are left to other lanes: --lane weekly runs them all")


# -- what a test costs ---------------------------------------------------------------------


def cpu():
    """Seconds of this process and of its children that have ended."""
    spent = os.times()
    return spent.user + spent.system + spent.children_user + spent.children_system


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    item.cpu_before = cpu()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """For tools/durations.py: on a busy machine the seconds on the clock say little."""
    if call.when == "teardown":
        item.user_properties.append(("cpu", round(cpu() - item.cpu_before, 3)))
    return (yield)
