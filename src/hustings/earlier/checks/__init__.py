"""Checks of answers as the earlier versions of our protocols made them."""
