"""Debates that other programs wrote down, read as transcripts: one module for each shape of file."""
