"""Keeps Python's cycle collector from looking again and again at what is there to stay: a program that is being read,
modules that are being loaded.

Reading a program makes millions of objects, of which hardly any are garbage; the collector would take nearly half
of the time to find that out.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """The collector is off inside; whatever is there at the end counts as old, so that it is not looked at soon."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        if not gc.get_freeze_count():  # objects that someone else has frozen stay frozen
            gc.freeze()
            gc.unfreeze()  # puts them into the oldest generation
        gc.enable()
