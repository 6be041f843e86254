"""One try of a call, and what it cost: the ledger keeps it, and the event of a paid call lists it."""

from __future__ import annotations

from pydantic import BaseModel


class CallTry(BaseModel, frozen=True, defer_build=True):
    """One try of a call, and what is booked for it: at most what was held."""

    ended: str
    """Kind of its answer or fault; `lost` if its worker died before there was one."""
    sent_at: str
    answered_at: str | None = None
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    """As the provider reported them; None if it did not, or if that cannot be right."""
    tokens: int = 0
    """Tokens that are known: those reported, or our own count where the report cannot be right."""
    unproven: int = 0
    """Tokens that are booked beside them because nothing shows that they were not used."""
    price: float | None = None
    booked: float = 0.0
    """In dollars. A price that nobody knows is booked in full."""
    beyond: float = 0.0
    """Dollars that the provider reports on top of what is booked."""
    misreport: str = ""
    """What is wrong with the report: `missing`, `impossible`, `changing`, `too_low`, `too_high`."""
    reported_in: int | None = None
    reported_out: int | None = None
    """As the provider reported them, if that cannot be right."""
