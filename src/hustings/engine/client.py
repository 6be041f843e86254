"""The client of the durable engine: it queues, resumes, messages and deletes workflows without being a worker."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dbos import DBOSClient

NAME = "hustings"
ENGINE = "1"
"""Raised when waves, addresses or stored shapes change; a worker leaves runs of another number alone."""
QUEUE = "debates"
WITH_PEOPLE = "debates-with-people"
"""A debate that waits for a person takes no place in the other queue."""


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
        """A run that is queued already stays where it is."""
        self.dbos.enqueue(
            {"queue_name": queue, "workflow_name": "perform", "workflow_id": run_id, "app_version": ENGINE}, run_id
        )

    def resume(self, run_id: str, *, ahead: bool) -> None:
        self.dbos.resume_workflow(run_id, queue_name=None if ahead else QUEUE)

    def unknown(self, run_ids: Sequence[str]) -> list[str]:
        """Those of which the engine has no workflow."""
        if not run_ids:
            return []
        known = self.dbos.list_workflows(workflow_ids=[*run_ids], load_input=False, load_output=False)
        return sorted(set(run_ids) - {workflow.workflow_id for workflow in known})

    def delete(self, run_ids: Sequence[str]) -> None:
        self.dbos.delete_workflows([*run_ids])

    def send(self, run_id: str, message: Mapping[str, Any], *, topic: str, once: str) -> None:
        """To a workflow that waits under a topic; with the same `once` again, it hears nothing new."""
        self.dbos.send(run_id, message, topic=topic, idempotency_key=once)


def engine_tables(url: str) -> None:
    """Create the tables of the engine, or bring them up to date."""
    from dbos import DBOS  # noqa: PLC0415  takes a second to load

    DBOS.migrate(url)
