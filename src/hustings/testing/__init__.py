"""The conformance suites that every protocol and every audit passes, in-tree or from another package."""

from .audits import CHECKS as AUDIT_CHECKS
from .protocols import CHECKS as PROTOCOL_CHECKS

__all__ = ["AUDIT_CHECKS", "PROTOCOL_CHECKS"]
