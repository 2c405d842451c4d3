"""How a process that checks long lists should collect garbage."""

import gc

_NEW_OBJECTS = 200_000


def relax_garbage_collection() -> None:
    """Leave what is loaded alone and look at new objects less often.

    Thousands of addresses are under way at once and nearly all are freed by reference counting; with Python's own
    thresholds the search for cycles among them takes a quarter of the processor time. Cycles are still found.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_NEW_OBJECTS, 20, 100)
