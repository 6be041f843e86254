"""The commands of `hustings`, one module per command or group of related commands."""
