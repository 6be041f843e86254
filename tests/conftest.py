"""Property tests are the same on every machine: no deadline that a busy one misses, no luck of the day."""

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True)
settings.load_profile("house")
