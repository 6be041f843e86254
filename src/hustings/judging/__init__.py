"""Judging: panel scripts, and pure rules from their marks to standings, verdict and briefing."""
