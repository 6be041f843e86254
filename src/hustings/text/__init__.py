"""Plain text: counting words, checking quotes, finding names, formatting figures, escaping."""
