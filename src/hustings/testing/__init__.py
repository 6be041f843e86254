"""Conformance suites that every protocol and every audit passes, in this package or in another."""

from .audit_suite import CHECKS as AUDIT_CHECKS
from .audit_suite import checks as audit_checks
from .protocol_suite import CHECKS as PROTOCOL_CHECKS
from .protocol_suite import checks as protocol_checks

__all__ = ["AUDIT_CHECKS", "PROTOCOL_CHECKS", "audit_checks", "protocol_checks"]
