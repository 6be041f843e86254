"""Audit scripts over a finished debate, one per file: they use a protocol's moves and stay off the record."""
