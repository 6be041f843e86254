"""Add question addresses to turns in the event log, and rename columns and fields of runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

LOG = sa.table("hustings_event", *map(sa.column, ("run_id", "seq", "kind", "body")))
NEEDED = ("round_opened", "turn_begun", "turn_entered")
COLUMNS = {"commission": "spec", "programme": "follow_ups"}
RUN = sa.table("hustings_run", *map(sa.column, ("run_id", "commission", "programme")))
NAMES = {"purse": "caps", "voices": "model_specs"}


def upgrade() -> None:
    db = op.get_bind()
    for run_id in db.scalars(sa.select(RUN.c.run_id)).all():
        _address_turns(db, run_id)
        _rename_fields(db, run_id)
    for old, new in COLUMNS.items():
        op.execute(f"alter table hustings_run rename column {old} to {new}")


def _address_turns(db: sa.Connection, run_id: str) -> None:
    """Add address and words to each turn. A seat speaks once per round, so its question is known."""
    here, asked = LOG.c.run_id == run_id, dict[str, dict[str, Any]]()
    rows = db.execute(sa.select(LOG.c.seq, LOG.c.body).where(here, LOG.c.kind.in_(NEEDED)).order_by(LOG.c.seq))
    for seq, body in rows.all():
        event = json.loads(body)
        if event["kind"] == "round_opened":
            asked.clear()
        elif event["kind"] == "turn_begun":
            if event["on_record"]:
                asked[event["seat"]] = {name: event[name] for name in ("address", "words") if name in event}
        elif "address" not in event and (question := asked.get(event["turn"]["speaker_id"])):
            db.execute(sa.update(LOG).where(here, LOG.c.seq == seq).values(body=_json({**event, **question})))


def _rename_fields(db: sa.Connection, run_id: str) -> None:
    here = RUN.c.run_id == run_id
    commission, programme = db.execute(sa.select(RUN.c.commission, RUN.c.programme).where(here)).one()
    changed = {"commission": _json(_renamed(json.loads(commission)))}
    if programme is not None:
        follows = json.loads(programme)
        changed["programme"] = _json(follows | {"judging": follows["judging"] and _renamed(follows["judging"])})
    db.execute(sa.update(RUN).where(here).values(changed))


def _renamed(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {NAMES.get(name, name): value for name, value in fields.items()}


def _json(value: object) -> str:
    """JSON without spaces, because `deletion` searches the stored text."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
