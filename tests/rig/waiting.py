"""Waits until something is so, and looks ever less often: on a busy machine looking slows down what is awaited."""

import time

FIRST, LONGEST, SHARE = 0.02, 0.25, 0.1
"""Seconds between two looks: a tenth of what was waited already."""


def until(so, seconds=20):
    began = time.monotonic()
    while not (found := so()):
        waited = time.monotonic() - began
        if waited > seconds:
            raise TimeoutError(f"not so after {seconds} s")
        time.sleep(min(LONGEST, max(FIRST, waited * SHARE)))
    return found
