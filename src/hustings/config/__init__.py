"""Where hustings lives on this machine: its files, its settings and their origin, keys, and models that were found."""
