"""One protocol per file: a docstring, `play(stage)`, its settings, and the forms and briefs it uses."""
