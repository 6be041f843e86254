"""Client of the durable engine (DBOS): queue, resume, message and delete workflows without being a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbos import DBOSClient

NAME = "hustings"
ENGINE = "1"
"""Raised when waves, addresses or stored formats change; a worker ignores runs of another number."""
QUEUE = "debates"
WITH_PEOPLE = "debates-with-people"
"""Separate, so that a debate that waits for a person takes no place in the main queue."""


class EngineClient:
    """Connects on first use."""

    def __init__(self, url: str) -> None:
        self._url = url

    @cached_property
    def dbos(self) -> DBOSClient:
        from dbos import DBOSClient, DBOSPortableJSONSerializer  # noqa: PLC0415  takes a second to load

        return DBOSClient(system_database_url=self._url, application_name=NAME, serializer=DBOSPortableJSONSerializer())

    def close(self) -> None:
        if "dbos" in self.__dict__:
            self.dbos.destroy()

    def enqueue(self, run_id: str, queue: str = QUEUE) -> None:
        """Queue a run; one that is already queued stays where it is."""
        self.dbos.enqueue(
            {"queue_name": queue, "workflow_name": "perform", "workflow_id": run_id, "app_version": ENGINE}, run_id
        )

    def resume(self, run_id: str, *, ahead: bool) -> None:
        self.dbos.resume_workflow(run_id, queue_name=None if ahead else QUEUE)

    def unknown(self, run_ids: Sequence[str]) -> list[str]:
        """Ids of runs for which the engine has no workflow."""
        if not run_ids:
            return []
        known = self.dbos.list_workflows(workflow_ids=[*run_ids], load_input=False, load_output=False)
        return sorted(set(run_ids) - {workflow.workflow_id for workflow in known})

    def delete(self, run_ids: Sequence[str]) -> None:
        self.dbos.delete_workflows([*run_ids])

    def send(self, run_id: str, message: Mapping[str, Any], *, topic: str, once: str) -> None:
        """Send a message to a workflow that waits under a topic. The same `once` is delivered only once."""
        self.dbos.send(run_id, message, topic=topic, idempotency_key=once)


def engine_tables(url: str) -> None:
    """Create or upgrade the tables of the engine."""
    from dbos import DBOS  # noqa: PLC0415  takes a second to load

    DBOS.migrate(url)
