"""Scripts that evaluate a finished debate."""
