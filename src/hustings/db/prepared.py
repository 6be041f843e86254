"""Precompiled SQL statements for the hot path: building a statement costs as much as running it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite


class Prepared:
    """A statement with named parameters. Constant parameters are stored with the compiled text."""

    def __init__(self, statement: sa.ClauseElement) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, dict[str, Any]]] = {}

    def run(self, db: sa.Connection, values: Mapping[str, Any]) -> sa.CursorResult[*tuple[Any, ...]]:
        text, fixed = self._compiled.get(db.dialect.name) or self._compile(db)
        return db.exec_driver_sql(text, {**fixed, **values})

    def _compile(self, db: sa.Connection) -> tuple[str, dict[str, Any]]:
        # The driver accepts named and positional parameters; names avoid mix-ups.
        dialect = sqlite.dialect(paramstyle="named") if db.dialect.name == "sqlite" else db.dialect
        compiled = self._statement.compile(dialect=dialect)
        fixed = {name: value for name, value in (compiled.params or {}).items() if value is not None}
        self._compiled[db.dialect.name] = str(compiled), fixed
        return self._compiled[db.dialect.name]
