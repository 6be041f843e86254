"""What is kept: runs, paid answers, money, events, leases, in one database beside the engine's own tables."""
