"""Rubrics as they were, for the protocols that used them."""
