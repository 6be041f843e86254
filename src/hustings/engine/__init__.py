"""Carries out runs durably: worker, calls, heartbeat, throttle, live text. DBOS is imported here alone."""
