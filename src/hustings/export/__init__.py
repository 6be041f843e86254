"""One format per file: `render` turns proceedings into text."""
