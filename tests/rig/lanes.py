"""Two lanes of tests: what every change runs, and what is left to `make nightly`. docs/testing.md lists it by name."""

import os

import pytest
from hypothesis import settings

LEFT = pytest.StashKey[int]()
settings.register_profile("nightly", deadline=None, derandomize=True)
settings.register_profile("change", settings.get_profile("nightly"), max_examples=33)


def pytest_addoption(parser):
    parser.addoption(
        "--lane",
        choices=["change", "nightly"],
        default="change",
        help="change: leaves out what is marked nightly, and PostgreSQL unless a test is marked both_databases; "
        "nightly: runs everything",
    )


def pytest_configure(config):
    settings.load_profile(config.getoption("lane"))


def examples(count):
    """Examples of a property test: all of them at night, a third on every change."""
    return count if settings.get_current_profile_name() == "nightly" else count // 3


def left_to_the_night(item):
    """Whether the lane of every change leaves this test out."""
    if item.get_closest_marker("nightly"):
        return True
    return bool(item.get_closest_marker("on_postgres")) and not item.get_closest_marker("both_databases")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config, items):
    if config.getoption("lane") == "nightly":
        return
    left = [item for item in items if left_to_the_night(item)]
    items[:] = [item for item in items if not left_to_the_night(item)]
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
        terminalreporter.write_line(f"{left} tests are left to the nightly lane: --lane nightly runs them")


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
