"""Configuration of this machine: paths, settings and their origin, keys, and models that were found."""
