"""Reports and exports of a debate: each format is one file in `formats`, the rest is what they share."""
