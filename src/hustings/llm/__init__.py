"""Who can sit in a seat: adapters that answer a call."""
