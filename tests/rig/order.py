"""Spreads the files that open a browser over a run of all tests: few run at once, and the last to run are short."""

from itertools import groupby

import pytest

BROWSER = "tests/web/browser/"
SHARE = 0.7
"""Of the other files, those among which they are spread."""


def spread(files, long):
    """The same files in another order, each of the long ones as far from the next as can be."""
    long, others = [one for one in files if long(one)], [one for one in files if not long(one)]
    if not long or not others:
        return files
    gap = len(others) * SHARE / len(long)
    places = [(n * gap, 0, one) for n, one in enumerate(long)] + [(n, 1, one) for n, one in enumerate(others)]
    return [one for _, _, one in sorted(places, key=lambda place: place[:2])]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    files = [[*found] for _, found in groupby(items, key=lambda item: item.nodeid.partition("::")[0])]
    items[:] = [item for file in spread(files, lambda file: file[0].nodeid.startswith(BROWSER)) for item in file]
