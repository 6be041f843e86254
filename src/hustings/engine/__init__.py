"""Execute runs durably: worker, model calls, heartbeat, throttle, live text. DBOS is imported only here."""
