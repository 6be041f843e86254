"""`hustings tokens` and `hustings activity`: who may use a server, and who did what."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Literal

import typer

from hustings.cli.options import AsJson, DatabaseOption, Run
from hustings.cli.terminal import show_json, show_line, talk
from hustings.db import activity, tokens
from hustings.db.tokens import Access
from hustings.errors import Unsuitable

from .db import open_service, upgraded

HOUR, DAY = 3_600.0, 86_400.0
TokenId = Annotated[str, typer.Argument(metavar="ID", help="As `hustings tokens list` shows it.")]


def add_token(
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Whose debates it opens; owners see only their own.")],
    *,
    name: Annotated[str, typer.Option(help="What it is for.")] = "",
    role: Annotated[
        Literal["owner", "viewer", "judge"],
        typer.Option(help="owner: everything; viewer: read; judge: read without names, then vote."),
    ] = "owner",
    run_id: Annotated[str, typer.Option("--run", metavar="RUN", help="The only debate that it opens.")] = "",
    days: Annotated[float | None, typer.Option(min=0.0, help="Days until it expires; otherwise it does not.")] = None,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Make a token. It is shown once, and stored in a form that opens nothing."""
    if run_id:
        with open_service(database) as service:
            run_id = service.runs.find(run_id)
            if (whose := service.runs.read(run_id).owner) != owner:
                raise Unsuitable(f"{run_id!r} is not a debate of {owner!r}", fix=f"it belongs to {whose!r}")
    with upgraded(database) as opened:
        seconds = None if days is None else days * DAY
        token = tokens.issue(opened, Access(owner, role, run_id), name, seconds=seconds)
    _show_token(token, owner, as_json=as_json)
    talk("It is not shown again. From now on `hustings serve` asks everyone for a token.")


def rotate_token(
    token_id: TokenId,
    *,
    hours: Annotated[float, typer.Option(min=0.0, help="Hours for which the old one still opens.")] = 24.0,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Replace a token by a new one with the same rights; the old one expires after some hours."""
    with upgraded(database) as opened:
        token = tokens.rotate(opened, token_id, hours * HOUR)
        owner = next(kept.access.owner for kept in tokens.every(opened) if kept.id == token_id[: tokens.ID])
    _show_token(token, owner, as_json=as_json)
    talk(f"It is not shown again. The old one opens for {hours:g} hours more.")


def link_seat(
    run_id: Run,
    seat: Annotated[str, typer.Argument(metavar="SEAT", help="A seat that is held by a person.")],
    *,
    hours: Annotated[float, typer.Option(min=0.0, help="Hours until it expires.")] = 72.0,
    url: Annotated[str, typer.Option("--url", metavar="URL", help="Address of your server.")] = "http://127.0.0.1:8642",
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """Make a link that opens one seat of one debate, and nothing else, for a person who is to speak there."""
    from hustings.engine.people import link_path, seat_token  # noqa: PLC0415  heavy

    with open_service(database) as service:
        token = seat_token(service.control, run_id, seat, hours * HOUR)
    link = url.rstrip("/") + link_path(run_id, seat, token)
    if as_json:
        show_json({"run_id": run_id, "seat": seat, "link": link, "hours": hours})
    else:
        show_line(link)
    talk(
        f"Send it to one person; it opens for {hours:g} hours. From now on `hustings serve` asks everyone for a token."
    )


def list_tokens(*, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """List who has tokens; the tokens themselves are nowhere."""
    with upgraded(database) as opened:
        found = tokens.every(opened)
    rows = [
        {
            "id": token.id,
            "owner": token.access.owner,
            "role": token.access.role,
            "run": token.access.run_id,
            "seat": token.access.seat,
            "name": token.name,
            "created": _instant(token.created_at),
            "used": _instant(token.used_at),
            "expires": _instant(token.expires),
        }
        for token in found
    ]
    if as_json:
        show_json(rows)
        return
    for row in rows:
        until = f", until {row['expires']}" if row["expires"] else ""
        of = " ".join(filter(None, (row["run"], row["seat"], row["name"])))
        times = f"made {row['created']}, used {row['used'] or 'never'}{until}"
        show_line(f"{row['id']}  {row['owner']:<20} {row['role']:<6}  {times}  {of}".rstrip())
    talk("Take one away: hustings tokens revoke ID" if rows else "None. Make one: hustings tokens add OWNER")


def revoke_token(token_id: TokenId, *, database: DatabaseOption = "", as_json: AsJson = False) -> None:
    """Take a token away: from now on it opens nothing, and streams that it opened end."""
    with upgraded(database) as opened:
        tokens.revoke(opened, token_id)
        left = len(tokens.every(opened))
    if as_json:
        show_json({"revoked": token_id, "left": left})
    else:
        show_line(f"{token_id} opens nothing any more.")
    if not left:
        talk("It was the last one: servers let nobody in until you make another: hustings tokens add OWNER")


def list_activity(
    *,
    owner: Annotated[str, typer.Option(help="Of one owner.")] = "",
    about: Annotated[str, typer.Option(metavar="ID", help="About one run or token: the beginning of its id.")] = "",
    most: Annotated[int, typer.Option(min=1, help="At most this many.")] = 50,
    database: DatabaseOption = "",
    as_json: AsJson = False,
) -> None:
    """List who did what with tokens, debates and caps, newest first: made, started, stopped, deleted, downloaded."""
    with upgraded(database) as opened, opened.reading() as db:
        found = activity.latest(db, most, owner=owner, subject=about)
    if as_json:
        show_json([{**asdict(row), "at": _instant(row.at)} for row in found])
        return
    for row in found:
        show_line(f"{_instant(row.at)}  {row.actor:<22} {row.action:<18} {row.subject}  {row.detail}".rstrip())
    talk("Rows are only ever added." if found else "Nothing yet.")


def _show_token(token: str, owner: str, *, as_json: bool) -> None:
    if as_json:
        show_json({"owner": owner, "token": token})
    else:
        show_line(token)


def _instant(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M")
