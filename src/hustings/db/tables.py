"""Definitions of our own tables, which live beside the engine's and outlive them. Structured texts are JSON."""

from __future__ import annotations

import sqlalchemy as sa

METADATA = sa.MetaData()


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger, nullable=False, server_default="0")


HELD = sa.text("executor_id <> '' and state in ('waiting', 'running', 'paused')")
"""Of runs that are not over and have a worker. An index is used only by queries that say it in the same words."""

RUN = sa.Table(
    "hustings_run",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("batch", sa.Text, nullable=False, server_default=""),
    sa.Column("protocol", sa.Text, nullable=False),
    sa.Column("topic", sa.Text, nullable=False),
    sa.Column("created_at", sa.Text, nullable=False),
    sa.Column("spec", sa.Text, nullable=False),
    sa.Column("state", sa.Text, nullable=False, server_default="waiting"),
    sa.Column("control", sa.Text, nullable=False, server_default="go"),
    sa.Column("control_by", sa.Text, nullable=False, server_default=""),
    sa.Column("reason", sa.Text, nullable=False, server_default=""),
    _count("waves"),
    _count("events"),
    sa.Column("executor_id", sa.Text, nullable=False, server_default=""),
    sa.Column("started", sa.Double),
    sa.Column("stopped", sa.Text),
    sa.Column("ended_at", sa.Text),
    sa.Column("ending", sa.Text),
    sa.Column("proceedings", sa.Text),
    sa.Column("judged", sa.Text, nullable=False, server_default=""),
    sa.Column("judgement", sa.Text),
    sa.Column("follow_ups", sa.Text),
    sa.Column("follows", sa.Text, nullable=False, server_default=""),
    sa.Column("rests_until", sa.Double),
    _count("resumptions"),
    _count("put_offs"),
    _count("restarts"),
    sa.Column("follower", sa.Text, nullable=False, server_default=""),
    sa.Index("hustings_run_by_owner", "owner", "created_at"),
    sa.Index("hustings_run_by_batch", "batch", "state"),
    sa.Index("hustings_run_by_judged", "judged", "created_at"),
    sa.Index("hustings_run_by_follows", "follows", "state"),
    sa.Index(
        "hustings_run_at_rest",
        "rests_until",
        sqlite_where=sa.text("rests_until is not null"),
        postgresql_where=sa.text("rests_until is not null"),
    ),
    sa.Index("hustings_run_held", "executor_id", sqlite_where=HELD, postgresql_where=HELD),
)
"""A run of a debate or of an audit: `waiting`, `running`, `paused`, `ended` or `broken`.

`follows` is `due` until the next of its `follow_ups` is on record, then `done`; empty if nothing follows. As long as
the worker `follower` lives, its command sees to that; else workers that take runs do. A run that waits holds no place:
its workflow has ended, `rests_until` says when it is queued again, and `resumptions` how often it was. `put_offs`
counts waits for a provider in a row, `restarts` the workers that died since the last wave began.
"""

CALL = sa.Table(
    "hustings_call",
    METADATA,
    sa.Column("lineage", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("state", sa.Text, nullable=False),
    sa.Column("tries", sa.Integer, nullable=False, server_default="1"),
    sa.Column("deaths", sa.Integer, nullable=False, server_default="0"),
    sa.Column("executor_id", sa.Text, nullable=False),
    sa.Column("budget_id", sa.Text, nullable=False),
    _count("held"),
    _count("held_tokens"),
    sa.Column("sent_at", sa.Double, nullable=False),
    sa.Column("answered_at", sa.Text),
    sa.Column("kind", sa.Text),
    sa.Column("model", sa.Text),
    sa.Column("answer", sa.Text),
    sa.Column("price", sa.BigInteger),
    _count("tokens"),
    _count("unproven_tokens"),
    sa.Column("tried", sa.Text, nullable=False, server_default="[]"),
)
"""The call ledger: `sent` until an answer is on record, then `answered`; `waiting` while the call is put off.

`price`, `tokens` and `unproven_tokens` were booked for all tries so far; `tried` tells of those before the last.
"""

BUDGET = sa.Table(
    "hustings_budget",
    METADATA,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("cap", sa.BigInteger),
    _count("spent"),
    _count("held"),
    sa.Column("cap_tokens", sa.BigInteger),
    _count("tokens"),
    _count("held_tokens"),
    sa.Column("cap_calls", sa.BigInteger),
    _count("calls"),
    _count("unproven_tokens"),
    _count("misreported"),
    _count("beyond"),
)
"""Money in millionths of a dollar. A cap of null means no cap. `Account` explains the last three."""

EVENT = sa.Table(
    "hustings_event",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

INSTRUCTION = sa.Table(
    "hustings_instruction",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("seat", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("wave", sa.BigInteger),
)
"""What people tell seats while a run goes on; without a wave until one takes it."""

LEASE = sa.Table(
    "hustings_lease",
    METADATA,
    sa.Column("executor_id", sa.Text, primary_key=True),
    sa.Column("expires", sa.Double, nullable=False),
)
"""A worker may write while its row is here. Deleting the row declares the worker dead."""

RATE_LIMIT = sa.Table(
    "hustings_bucket",
    METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("requests", sa.Double, nullable=False),
    sa.Column("tokens", sa.Double, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("rate", sa.Double, nullable=False, server_default="1"),
    sa.Column("limited_at", sa.Double, nullable=False, server_default="0"),
    sa.Column("hold", sa.Double, nullable=False, server_default="0"),
    sa.Column("faults", sa.Integer, nullable=False, server_default="0"),
    sa.Column("opened_at", sa.Double, nullable=False, server_default="0"),
)
"""`requests` and `tokens` were left at the time `at`; `rate` was valid at `limited_at`, when a 429 came."""

TOKEN = sa.Table(
    "hustings_token",
    METADATA,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("name", sa.Text, nullable=False, server_default=""),
    sa.Column("created_at", sa.Double, nullable=False),
    sa.Column("used_at", sa.Double),
    sa.Column("role", sa.Text, nullable=False, server_default="owner"),
    sa.Column("run_id", sa.Text, nullable=False, server_default=""),
    sa.Column("seat", sa.Text, nullable=False, server_default=""),
    sa.Column("holder", sa.Text, nullable=False, server_default=""),
    sa.Column("expires", sa.Double),
)
"""`run_id` and `seat` limit a token to one debate and one seat. Rotation keeps the `holder`, which votes once."""

SESSION = sa.Table(
    "hustings_session",
    METADATA,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("token", sa.Text, nullable=False),
    sa.Column("expires", sa.Double, nullable=False),
    sa.Index("hustings_session_by_token", "token"),
)
"""A session of a browser, and the digest of the token that opened it; revoking the token ends it."""

VOTE = sa.Table(
    "hustings_vote",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("voter", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
)

RATING = sa.Table(
    "hustings_rating",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("rater", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("stars", sa.Integer, nullable=False),
    sa.Column("comment", sa.Text, nullable=False, server_default=""),
)
"""How a reader rates a debate, from 1 to 5. Unlike a vote it can be changed, and says nothing about who won."""

REAL_OUTCOME = sa.Table(
    "hustings_real_outcome",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("option", sa.Text, nullable=False),
    sa.Column("source", sa.Text, nullable=False, server_default=""),
    sa.Column("by", sa.Text, nullable=False),
)
"""What really happened in the matter of a debate. The latest record counts; the activity log has all of them."""

LABEL = sa.Table(
    "hustings_label",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("turn_id", sa.Text, primary_key=True),
    sa.Column("labeller", sa.Text, primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("verdict", sa.Text),
    sa.Column("rung", sa.Text),
)
"""How a person labels a turn, to check what evaluating models say of it."""

TAG = sa.Table(
    "hustings_tag",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("tag", sa.Text, primary_key=True),
    sa.Index("hustings_tag_by_tag", "tag"),
)

PASSAGE = sa.Table(
    "hustings_passage",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.Identity(always=True), primary_key=True),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("seq", sa.BigInteger, nullable=False),
    sa.Column("turn_id", sa.Text, nullable=False, server_default=""),
    sa.Column("seat", sa.Text, nullable=False, server_default=""),
    sa.Column("text", sa.Text, nullable=False),
    sa.Index("hustings_passage_by_run", "run_id", "seq"),
)
"""Questions (without a turn) and speeches of debates, to be searched. Triggers add them."""

DOCUMENT = sa.Table(
    "hustings_document",
    METADATA,
    sa.Column("digest", sa.Text, primary_key=True),
    sa.Column("text", sa.Text, nullable=False),
)
"""Texts of documents, each kept once. They are reached through a run alone: a digest is no permission."""

RUN_DOCUMENT = sa.Table(
    "hustings_run_document",
    METADATA,
    sa.Column("run_id", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Index("hustings_run_document_by_digest", "digest"),
)

REQUEST = sa.Table(
    "hustings_request",
    METADATA,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("digest", sa.Text, nullable=False),
    sa.Column("run_id", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
    sa.Index("hustings_request_by_age", "at"),
    sa.Index("hustings_request_by_run", "run_id"),
)
"""Idempotency keys: a key that an owner chose for a request, and the run that resulted."""

PANEL = sa.Table(
    "hustings_panel",
    METADATA,
    sa.Column("owner", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
)
"""Panels that an owner has saved to begin debates with."""

ACTIVITY = sa.Table(
    "hustings_activity",
    METADATA,
    sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), sa.Identity(always=True), primary_key=True),
    sa.Column("at", sa.Double, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("owner", sa.Text, nullable=False),
    sa.Column("action", sa.Text, nullable=False),
    sa.Column("subject", sa.Text, nullable=False, server_default=""),
    sa.Column("detail", sa.Text, nullable=False, server_default=""),
)
"""Who did what; `db.activity` explains the columns."""
