"""`hustings tokens`: add, list and revoke the tokens of users of a server."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from hustings.cli.options import AsJson, DatabaseOption
from hustings.cli.terminal import show_json, show_line, talk
from hustings.db import tokens

from .db import upgraded


def add_token(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose debates it opens; owners see only their own.")],
    *,
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Make a token. It is shown once, and kept in a form that opens nothing."""
    with upgraded(database) as opened:
        token = tokens.issue(opened, owner, name)
    if as_json:
        show_json({"owner": owner, "token": token})
    else:
        show_line(token)
    talk("It is not shown again. From now on `hustings serve` asks everybody for a token.")


def list_tokens(*, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """List who has tokens; the tokens themselves are nowhere."""
    with upgraded(database) as opened:
        found = tokens.every(opened)
    rows = [
        {
            "id": token.id,
            "owner": token.owner,
            "name": token.name,
            "created": _instant(token.created_at),
            "used": _instant(token.used_at),
        }
        for token in found
    ]
    if as_json:
        show_json(rows)
        return
    for row in rows:
        show_line(
            f"{row['id']}  {row['owner']:<20} made {row['created']}, used {row['used'] or 'never'}  {row['name']}"
        )
    talk("Take one away: hustings tokens revoke ID" if rows else "None. Make one: hustings tokens add OWNER")


def revoke_token(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="As `hustings tokens list` shows it.")],
    *,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Take a token away: from now on it opens nothing."""
    with upgraded(database) as opened:
        tokens.revoke(opened, token_id)
        left = len(tokens.every(opened))
    if as_json:
        show_json({"revoked": token_id, "left": left})
    else:
        show_line(f"{token_id} opens nothing any more.")
    if not left:
        talk("It was the last one: a running server lets nobody in until you make another: hustings tokens add OWNER")


def _instant(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
