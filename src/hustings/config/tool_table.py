"""Schema of a tool in the settings: [tools.NAME]."""

from __future__ import annotations

from hashlib import sha256
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hustings.llm.model_spec import Address
from hustings.script.tools import MOST_CALLS, MOST_CHARACTERS, MOST_PRICE, MOST_SECONDS, MOST_USES, SECONDS

Word = Annotated[str, Field(min_length=1, max_length=1_000, pattern=r"^[^\x00-\x1f\x7f]*$")]
Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,127}$")]


class ToolTable(BaseModel, defer_build=True):
    """A server of tools (MCP), what may be called on it, and how often."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    command: tuple[Word, ...] = Field((), max_length=100, description="program and arguments that start the server")
    url: Address | None = Field(None, description="address of a server that runs already, instead of a command")
    allow: tuple[Word, ...] = Field(
        min_length=1, max_length=MOST_USES, description="names of what may be called; nothing else ever is"
    )
    about: str = Field(
        min_length=1,
        max_length=300,
        pattern=r"^[^\x00-\x1f\x7f]*$",
        description="what it is for, as speakers are told; what the server says of itself is not shown",
    )
    seats: tuple[Word, ...] = Field((), max_length=100, description="seats, teams or roles (default: all who speak)")
    calls: int = Field(3, ge=1, le=MOST_CALLS, description="calls that each side may have made in a debate")
    characters: int = Field(4_000, ge=1, le=MOST_CHARACTERS, description="longest result; the rest is cut off")
    seconds: float = Field(SECONDS, gt=0, le=MOST_SECONDS, description="for one call, the start of the server included")
    price: float = Field(0.0, ge=0, le=MOST_PRICE, description="USD for one call")
    variables: tuple[Variable, ...] = Field(
        (), max_length=50, description="names of variables that the command gets, such as keys; never their values"
    )
    key: Variable | None = Field(None, description="name of the variable whose value is sent to the url as a token")

    @model_validator(mode="after")
    def _one_place(self) -> ToolTable:
        if bool(self.command) == bool(self.url):
            raise ValueError("name either a command, as a list, or a url")
        if self.url and self.variables:
            raise ValueError("a url gets no variables: name the one with its token as key")
        if self.command and self.key:
            raise ValueError("a command gets its keys as variables")
        return self

    @property
    def digest(self) -> str:
        """Changes with what is run, where, and with which secrets."""
        what = self.model_dump_json(include={"command", "url", "allow", "variables", "key"})
        return sha256(what.encode()).hexdigest()
