"""What remains of a debate, written down for others: a format is one file in `formats`, the rest is what they share."""
