"""Debates as tools for assistants that speak MCP."""
