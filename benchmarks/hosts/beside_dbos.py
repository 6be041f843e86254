"""Debates in a program with a DBOS of its own: `python -m benchmarks.hosts.beside_dbos first` or `later`."""

from __future__ import annotations

import asyncio
import os
import sys

from dbos import DBOS

from .order import all_at_once, read_orders, tell


@DBOS.workflow()
def increased(number: int) -> int:
    return number + 1


def begin() -> None:
    DBOS(
        config={"name": "host", "system_database_url": f"sqlite:///{os.environ['HOST_DATABASE']}", "log_level": "ERROR"}
    )
    DBOS.launch()


def main() -> None:
    orders = read_orders()
    if sys.argv[1] == "first":
        begin()
        assert increased(1) == 2
    results = asyncio.run(all_at_once(orders))
    if sys.argv[1] == "later":
        begin()
    assert increased(2) == 3
    tell(results)
    DBOS.destroy()


if __name__ == "__main__":
    main()
