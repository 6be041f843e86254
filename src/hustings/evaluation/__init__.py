"""Figures about how a debate was argued, computed from a record and from what evaluating judges noted."""
