"""Migration steps, one file each."""
