"""Python's search for circles of objects that nothing uses any more: `uncollected` turns it off for a while."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Without that search, here or as a decorator of a function.

    It looks at all objects again and again as more are made: a quarter of the time where millions are, and of tables
    and JSON none is in a circle.
    """
    is_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_on:
            gc.enable()
