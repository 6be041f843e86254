"""Row-level security: on PostgreSQL the database itself separates owners, in addition to the queries.

A transaction of an owner runs under a role that cannot bypass the policies (migration 0001). Creating the role needs
the right to create roles; without it everything works, and only the queries separate owners.
"""

from __future__ import annotations

import logging

import sqlalchemy as sa
from sqlalchemy.exc import ProgrammingError

from .connection import TENANT, Database
from .tables import TOKEN

INSUFFICIENT_PRIVILEGE = "42501"
log = logging.getLogger(__name__)


def install(database: Database) -> None:
    """Create the role and its grants. Without the right to do so, log a warning once there are tokens."""
    if database.dialect != "postgresql" or enabled(database):
        return
    try:
        with database.writing() as db:
            for statement in _INSTALL:
                db.exec_driver_sql(statement)
    except ProgrammingError as error:
        if getattr(error.orig, "sqlstate", "") != INSUFFICIENT_PRIVILEGE:
            raise
        with database.reading() as db:
            if db.scalar(sa.select(sa.func.count()).select_from(TOKEN)):
                log.warning(
                    "only hustings keeps owners apart, not the database as well: its role can't create roles. "
                    "Ask an administrator to `create role %s nologin; grant %s to` that role, then hustings db upgrade",
                    TENANT,
                    TENANT,
                )


def enabled(database: Database) -> bool:
    """Whether transactions can run under the tenant role."""
    if database.dialect != "postgresql":
        return False
    with database.reading() as db:
        return bool(db.scalar(_ENABLED))


_ENABLED = sa.text(
    "select has_table_privilege(oid, 'hustings_panel', 'insert') from pg_roles where rolname = :role "
    "and not rolsuper and not rolbypassrls and pg_has_role(current_user, oid, 'member')"
).bindparams(role=TENANT)
_INSTALL = (
    # All databases of a server share the role, and several may create it at the same time.
    f"""do $$ begin
        if not exists (select from pg_roles where rolname = '{TENANT}') then create role {TENANT} nologin; end if;
        exception when duplicate_object or unique_violation then null;
    end $$""",
    f"""do $$ begin
        if not pg_has_role(current_user, '{TENANT}', 'member') then grant {TENANT} to current_user; end if;
        execute format('grant usage on schema %%I to {TENANT}', current_schema());
    end $$""",
    f"grant select, insert, update, delete on hustings_run, hustings_budget, hustings_vote to {TENANT}",
    f"grant select, insert, update, delete on hustings_rating, hustings_real_outcome, hustings_label to {TENANT}",
    f"grant select, insert, delete on hustings_call, hustings_request, hustings_instruction to {TENANT}",
    f"grant select, insert, delete on hustings_run_document, hustings_document to {TENANT}",
    f"grant select, insert, delete on hustings_tag, hustings_passage to {TENANT}",
    f"grant select, insert, update, delete on hustings_panel to {TENANT}",
    f"grant update (digest) on hustings_document to {TENANT}",
    f"grant select, delete on hustings_event to {TENANT}",
    f"grant insert on hustings_activity to {TENANT}",
)
