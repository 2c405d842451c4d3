"""What a call with an API key costs: one address of a known domain, with limits, ledger and request log on.

    make bench-api

The real product on this machine, SQLite, two web processes, an account without a limit. First 20 calls a second, which
start on time whether earlier ones have been answered or not; then 50 callers who call again when they are answered.
"""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from tests.stack import Stack, running_stack

A_SECOND = 20
STEADY_S = 20
CALLERS = 50
BUSY_S = 20
BARS = {"p50": 15.0, "rate": 400.0}
ADDRESS = {"email": "anna.keller@gmail.com"}
_MAKE_KEY = """
from accounts import keys
from accounts.models import User
from billing.models import Subscription
alice = User.objects.get(email='alice@alder-and-ash.com')
Subscription.objects.filter(user=alice).update(plan='enterprise')
print(keys.create(user=alice, name='Benchmark')[1])
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), WEB_PROCESSES="2") as stack:
        key = stack.manage("shell", "--no-imports", "-c", _MAKE_KEY).strip().splitlines()[-1]
        call = caller(stack, key)
        for _ in range(40):  # the first ones open sessions and fill caches
            call()
        steady = at_a_steady_rate(call)
        busy, seconds = as_fast_as_answered(call)
    print(f"{'':24}{'calls':>7}{'a second':>10}{'p50 ms':>9}{'p95 ms':>9}{'slowest':>9}")
    row(f"{A_SECOND} a second", steady, STEADY_S)
    row(f"{CALLERS} at once", busy, seconds)
    print(f"bars: p50 at {A_SECOND} a second {BARS['p50']:.0f} ms; {BARS['rate']:.0f} a second with {CALLERS} at once")


def caller(stack: Stack, key: str) -> Callable[[], None]:
    """A function that makes one call, on a connection of its thread's own. It raises for a refusal."""
    own = threading.local()

    def call() -> None:
        client = getattr(own, "client", None)
        if client is None:
            headers = {"Authorization": f"Bearer {key}"}
            client = own.client = httpx2.Client(base_url=stack.address, headers=headers, timeout=30, trust_env=False)
        client.post("/api/v1/validate/single", json=ADDRESS).raise_for_status()

    return call


def at_a_steady_rate(call: Callable[[], None]) -> list[float]:
    """Seconds of each call, counted from when it was due."""
    begun = time.perf_counter()

    def one(number: int) -> float:
        due = begun + number / A_SECOND
        time.sleep(max(0.0, due - time.perf_counter()))
        call()
        return time.perf_counter() - due

    with ThreadPoolExecutor(A_SECOND) as pool:
        return list(pool.map(one, range(A_SECOND * STEADY_S)))


def as_fast_as_answered(call: Callable[[], None]) -> tuple[list[float], float]:
    """Seconds of each call, and how long all of them took."""
    begun = time.perf_counter()

    def work(_: int) -> list[float]:
        took = []
        while (started := time.perf_counter()) < begun + BUSY_S:
            call()
            took.append(time.perf_counter() - started)
        return took

    with ThreadPoolExecutor(CALLERS) as pool:
        found = [seconds for of_one in pool.map(work, range(CALLERS)) for seconds in of_one]
    return found, time.perf_counter() - begun


def row(what: str, took: list[float], seconds: float) -> None:
    ordered = sorted(took)
    p95 = ordered[int(0.95 * len(ordered))]
    times = (statistics.median(ordered), p95, ordered[-1])
    print(f"{what:24}{len(took):7}{len(took) / seconds:10.0f}" + "".join(f"{1e3 * value:9.1f}" for value in times))


if __name__ == "__main__":
    main()
