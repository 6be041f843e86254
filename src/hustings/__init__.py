"""hustings: debates between language models and people, on an honest record."""
