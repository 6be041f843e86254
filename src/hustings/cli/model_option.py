"""Options that name a model for commands that show or check it, as `hustings run` takes them."""

from __future__ import annotations

from typing import Annotated

import typer

from hustings.llm.model_spec import ModelSpec, parse_model_spec

from .request_options import model_for_all

ModelOption = Annotated[
    str, typer.Option("--model", "-m", metavar="MODEL", help="As if this model were named for `hustings run`.")
]
EndpointOption = Annotated[
    str, typer.Option("--endpoint", metavar="URL", help="As if this server were named for `hustings run`.")
]


def named_model(model: str, endpoint: str) -> ModelSpec | None:
    """The model that the options name; None if they name none."""
    text = model_for_all(model, endpoint)
    return parse_model_spec(text) if text else None
