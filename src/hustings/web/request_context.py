"""Context of a request: server state, the owner whose debates it may see, and the voter's name."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Path, Request

from hustings.engine.service import RunService
from hustings.errors import NotFound
from hustings.runs.queries import RunQueries
from hustings.runs.summary import RunSummary

from .problems import unknown
from .schemas import Id
from .server_state import ServerState

VOTER = "hustings_voter"


@dataclass(frozen=True)
class RequestContext:
    state: ServerState
    owner: str
    cookie: str
    """Tells one browser from another."""
    token: str | None = field(default=None, repr=False)

    @property
    def service(self) -> RunService:
        return self.state.service(self.owner)

    @property
    def runs(self) -> RunQueries:
        return self.service.runs

    @property
    def voter(self) -> str:
        return f"{self.owner}:{self.cookie}"

    def debate(self, run_id: str) -> RunSummary:
        """A debate of this owner; audits are refused."""
        report = self.run(run_id)
        if report.judged:
            raise unknown()
        return report

    def run(self, run_id: str) -> RunSummary:
        """Any run of this owner, debate or audit."""
        try:
            return self.runs.read(run_id)
        except NotFound:
            raise unknown() from None


def context_of(request: Request) -> RequestContext:
    return RequestContext(
        request.app.state.state, request.scope["owner"], request.cookies.get(VOTER, ""), request.scope["token"]
    )


Context = Annotated[RequestContext, Depends(context_of)]
RunId = Annotated[Id, Path()]
