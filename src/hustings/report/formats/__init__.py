"""Export formats, one per file: `FORMAT` names it, `SUFFIX` ends its files, `render` writes a dossier as text."""
