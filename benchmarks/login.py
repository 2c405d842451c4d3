"""What signing in costs: one hash, and the whole call at ten a second, with another call beside it.

    make bench-login

The real product on this machine, SQLite, limits raised. Sign-ins start on time, whether earlier ones have been answered
or not; a call with a token runs every 50 ms, first alone, then beside them. Of the hash: processor time, and the memory
that its parameters ask for.
"""

import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2

from accounts.users.hashers import Argon2
from benchmarks import figures
from tests.stack import ALICE, Stack, running_stack

A_SECOND = 10
SECONDS = 30
BESIDE_S = 0.05
HASHES = 40


def main() -> None:
    costs = sorted(cost_of_a_hash() for _ in range(HASHES))
    memory = Argon2.memory_cost * 1024 / 1e6
    print(f"one hash: {1e3 * statistics.median(costs):.1f} ms of CPU, p95 {1e3 * at(costs, 0.95):.1f}, {memory:.1f} MB")
    limits = {"AUTH_REQUESTS_PER_MINUTE": "1000000"}
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **limits) as stack:
        for _ in range(A_SECOND):  # the first ones open connections and fill caches
            sign_in(stack)
        alone = beside(stack, lambda: time.sleep(SECONDS / 6))
        logins: list[float] = []
        together = beside(stack, lambda: logins.extend(at_a_steady_rate(stack)))
    figures.at_most("processor time of a hash", 1e3 * statistics.median(costs), 25, "ms", digits=1)
    figures.at_most("memory of a hash", memory, 20, "MB", digits=1)
    figures.at_most(f"p95 of signing in, {A_SECOND} a second", 1e3 * at(sorted(logins), 0.95), 120, "ms")
    told("sign-in", logins)
    told("/api/auth/me alone", alone)
    told("/api/auth/me beside", together)


def cost_of_a_hash() -> float:
    begun = time.process_time()
    Argon2().encode(ALICE["password"], "0123456789abcdef")
    return time.process_time() - begun


def at_a_steady_rate(stack: Stack) -> list[float]:
    """Seconds of each sign-in, counted from when it was due."""
    begun = time.perf_counter()

    def one(number: int) -> float:
        due = begun + number / A_SECOND
        time.sleep(max(0.0, due - time.perf_counter()))
        sign_in(stack)
        return time.perf_counter() - due

    with ThreadPoolExecutor(2 * A_SECOND) as pool:
        return list(pool.map(one, range(A_SECOND * SECONDS)))


def sign_in(stack: Stack) -> None:
    with httpx2.Client(base_url=stack.address, timeout=30, trust_env=False) as client:
        client.post("/api/auth/login", json=ALICE).raise_for_status()


def beside(stack: Stack, work: Callable[[], object]) -> list[float]:
    """Seconds of each call with a token that is made while the work goes on."""
    done = threading.Event()
    took: list[float] = []

    def call() -> None:
        while not done.wait(BESIDE_S):
            begun = time.perf_counter()
            stack.get("/api/auth/me")
            took.append(time.perf_counter() - begun)

    caller = threading.Thread(target=call)
    caller.start()
    try:
        work()
    finally:
        done.set()
        caller.join()
    return took


def told(what: str, seconds: list[float]) -> None:
    ordered = sorted(seconds)
    times = ", ".join(f"{name} {1e3 * at(ordered, part):.0f} ms" for name, part in (("p50", 0.5), ("p95", 0.95)))
    print(f"{what:22} {len(ordered):4} calls: {times}, slowest {1e3 * ordered[-1]:.0f} ms")


def at(ordered: list[float], part: float) -> float:
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


if __name__ == "__main__":
    main()
