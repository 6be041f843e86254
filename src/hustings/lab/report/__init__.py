"""The evaluation of a debate as people read it: one view for pages, HTML, Markdown and terminal."""
