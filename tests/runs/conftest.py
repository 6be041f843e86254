"""The engine rig, for runs that are carried out."""

from tests.engine.conftest import opened, provider, rig  # noqa: F401
