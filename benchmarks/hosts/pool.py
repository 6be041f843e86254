"""Debates in processes of multiprocessing: `python -m benchmarks.hosts.pool fork` or `spawn`."""

from __future__ import annotations

import multiprocessing
import sys

from .order import play, read_orders, tell

if __name__ == "__main__":
    with multiprocessing.get_context(sys.argv[1]).Pool(2) as pool:
        tell(pool.map(play, read_orders(), chunksize=1))
