"""Earlier versions of our protocols, as they were: runs that began under them can end, be forked and be replayed.

A module is called by its protocol and version. It is deleted in the second release after the version that replaced it.
"""
