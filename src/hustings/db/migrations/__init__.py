"""Alembic migrations of our own tables."""
