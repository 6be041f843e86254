"""The conformance suites that every protocol and every audit passes, in-tree or from another package."""

from .audits import CHECKS as AUDIT_CHECKS
from .audits import checks as audit_checks
from .protocols import CHECKS as PROTOCOL_CHECKS
from .protocols import checks as protocol_checks

__all__ = ["AUDIT_CHECKS", "PROTOCOL_CHECKS", "audit_checks", "protocol_checks"]
