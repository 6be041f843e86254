"""The record of a debate: its models, notes, events, canonical form, schema and validation rules."""
