"""Readers: files as the documents of a debate, without what their readers could not see."""
