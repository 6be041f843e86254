"""Runs: from a request to a run spec, estimates, follow-ups, reading, forks and recordings."""
