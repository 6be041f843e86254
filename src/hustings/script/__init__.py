"""The heart: pure values and functions, no I/O. pydantic and the canonical JSON form are all it needs."""
