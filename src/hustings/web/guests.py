"""What a call knows of whoever makes it: the house, whose debates they may see, and the name they vote by."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Depends, Path, Request

from hustings.core.errors import NotFound
from hustings.run.queries import RunQueries
from hustings.run.report import Report
from hustings.run.service import RunService

from .house import House
from .problems import unknown
from .shapes import Id

VOTER = "hustings_voter"


@dataclass(frozen=True)
class Guest:
    house: House
    owner: str
    cookie: str
    """By which one browser is known from another."""
    token: str | None = field(default=None, repr=False)

    @property
    def service(self) -> RunService:
        return self.house.service(self.owner)

    @property
    def runs(self) -> RunQueries:
        return self.service.runs

    @property
    def voter(self) -> str:
        return f"{self.owner}:{self.cookie}"

    def debate(self, run_id: str) -> Report:
        """A debate of theirs; an audit is none."""
        report = self.run(run_id)
        if report.judged:
            raise unknown()
        return report

    def run(self, run_id: str) -> Report:
        """A run of theirs, whatever it is."""
        try:
            return self.runs.read(run_id)
        except NotFound:
            raise unknown() from None


def guest_of(request: Request) -> Guest:
    return Guest(
        request.app.state.house, request.scope["owner"], request.cookies.get(VOTER, ""), request.scope["token"]
    )


AGuest = Annotated[Guest, Depends(guest_of)]
RunId = Annotated[Id, Path()]
