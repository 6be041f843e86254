"""The conformance suite that every protocol passes, in-tree or from another package."""

from .protocols import CHECKS as PROTOCOL_CHECKS

__all__ = ["PROTOCOL_CHECKS"]
