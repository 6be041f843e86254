"""Scripts over a finished record: one file each, off the record, by the same moves as a protocol."""
