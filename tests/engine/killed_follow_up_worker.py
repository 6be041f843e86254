"""Stewards that are killed, each at a point of its work.

python -m tests.engine.killed_follow_up_worker URL RUN POINT…
"""

import os
import signal
import sys

import dbos  # noqa: F401  loaded once, before the processes are forked
import sqlalchemy as sa

from hustings.engine.follow_up_worker import FollowUpWorker
from hustings.engine.service import open_service
from tests.rig.crash_workers import KILLED

POINTS = ("drawn up", "settled", "entered", "queued", "committed")
"""The next act is drawn up, the last one has nothing due, the next one is on record, in the queue, for good."""


def work(url: str, run_id: str, point: str) -> None:
    """See to what follows a run, as far as the point."""

    def reach(here: str) -> None:
        if here == point:
            os.kill(os.getpid(), signal.SIGKILL)

    def prepare(made):
        reach("drawn up")
        return made

    with open_service(url) as service:

        @sa.event.listens_for(service.runs.database.engine, "after_cursor_execute")
        def executed(_connection, _cursor, statement, *_):
            if statement.startswith("UPDATE hustings_run SET follows"):
                reach("settled")
            if statement.startswith("INSERT INTO hustings_run"):
                reach("entered")

            if "workflow_input" in statement:
                reach("queued")

        FollowUpWorker(service, {}, prepare).carry_on(run_id)
        reach("committed")


def main(url: str, *given: str) -> None:
    """Each in a process of its own, forked from one that has everything imported."""
    for run_id, point in zip(given[::2], given[1::2], strict=True):
        pid = os.fork()
        if not pid:
            try:
                work(url, run_id, point)
            finally:
                os._exit(1)
        if os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != KILLED:
            sys.exit(f"{point} was not reached")


if __name__ == "__main__":
    main(*sys.argv[1:])
