"""Carrying out what a performance asks for."""
