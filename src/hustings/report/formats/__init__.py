"""One format per file: `FORMAT` names it, `SUFFIX` ends its files, and `render` makes text of a dossier."""
