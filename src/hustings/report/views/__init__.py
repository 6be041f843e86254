"""The parts of a view, one file each: what was said, what became of it, and the marks it rests on."""
