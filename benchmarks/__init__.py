"""Benchmarks and proofs: each is a command whose last line is JSON, and none is a test."""
