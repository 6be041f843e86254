"""Migration steps, one file each. A released step is never changed."""
