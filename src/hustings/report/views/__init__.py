"""Parts of a debate's view, one file each: the record, the verdict and the scores."""
