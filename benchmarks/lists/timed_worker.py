"""A worker beside those of a running product that tells what the waiting of rows costs it: run by `waiting`.

What rows that stand in line take is the time of its thread in three functions: putting them in line, taking chunks and
looking whether there are any. Everything else is the run: engine, results, leases.
"""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from validation.batches.chunks import free_chunks, leases, pipeline
from validation.batches.models import Batch

_WAITING: tuple[tuple[Any, str], ...] = (
    (leases, "put_in_line"),
    (leases, "claim_fairly"),
    (free_chunks, "exists"),
)
_PAUSE_S = 0.2


def main(batch_id: str) -> None:
    """Work until a list has ended, then print what that took as JSON."""
    spent: dict[str, float] = defaultdict(float)
    calls = Counter[str]()
    for module, name in _WAITING:
        setattr(module, name, _timed(getattr(module, name), name, spent, calls))
    begun, cpu = time.monotonic(), time.process_time()
    while Batch.objects.active().filter(public_id=batch_id).exists():
        pipeline.run_worker()
        time.sleep(_PAUSE_S)
    total = time.process_time() - cpu
    seconds = {name: round(spent[name], 3) for name in spent}
    told = {"wall_s": round(time.monotonic() - begun), "cpu_s": round(total, 1), "seconds": seconds, "calls": calls}
    print(json.dumps(told | {"waiting_cpu_s": round(sum(spent.values()), 3)}))


def _timed(function: Callable[..., Any], name: str, spent: dict[str, float], calls: Counter[str]) -> Callable[..., Any]:
    """The function, with the processor time of its thread counted; what others of them take inside counts as theirs."""

    def call(*arguments: Any, **named: Any) -> Any:
        before, inside = time.thread_time(), sum(spent.values())
        try:
            return function(*arguments, **named)
        finally:
            spent[name] += time.thread_time() - before - (sum(spent.values()) - inside)
            calls[name] += 1

    return call
