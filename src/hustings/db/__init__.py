"""Database: runs, call ledger, budgets, events, leases, rate limits and tokens, beside the engine's own tables."""
