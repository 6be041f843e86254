"""The command line: commands in `commands/`, ways to show a run in `display/`, shared helpers here."""
