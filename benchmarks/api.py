"""What a call with an API key costs: one address of a known domain, with limits, ledger and request log on.

    make bench-api

The real product on this machine, SQLite, as many web processes and threads as docs/operations.md has for two cores, an
account without a limit. First 20 calls a second, which start on time whether earlier ones have been answered or not;
then 50 callers who call again when they are answered, or refused because no thread was free in time.
"""

import json
import selectors
import socket
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks import figures
from tests.stack import Stack, running_stack

A_SECOND = 20
STEADY_S = 20
CALLERS = 50
BUSY_S = 20
FOR_TWO_CORES = {"WEB_PROCESSES": "4", "WEB_THREADS": "8"}
BARS = {"p50": 15.0, "rate": 400.0, "refused": 1.0}
PATH = "/api/v1/validate/single"
CHECKED, OVERLOADED = 200, 503
# Of three mail operators: one alone is asked for 6,000 recipients a minute, out of politeness, and no faster.
ADDRESSES = ("anna.keller@gmail.com", "anna.keller@outlook.com", "anna.keller@fastmail.com")
MAKE_KEY = """
from accounts.keys import services as keys
from accounts.users.models import User
from billing.subscriptions.models import Subscription
alice = User.objects.get(email='alice@alder-and-ash.com')
Subscription.objects.filter(organisation=alice.own_organisation).update(plan='enterprise')
print(keys.create_key(organisation=alice.own_organisation, maker=alice, name='Benchmark')[1])
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **FOR_TWO_CORES) as stack:
        key = stack.manage("shell", "--no-imports", "-c", MAKE_KEY).strip().splitlines()[-1]
        for number in range(12):  # the first ones open sessions and fill caches
            first = Caller(stack, key, number)
            for _ in range(10):
                first.call()
        steady = at_a_steady_rate(stack, key)
        busy, refused, seconds = as_fast_as_answered(stack, key)
    print(f"{'':24}{'calls':>7}{'a second':>10}{'p50 ms':>9}{'p95 ms':>9}{'slowest':>9}")
    row(f"{A_SECOND} a second", steady, STEADY_S)
    row(f"{CALLERS} at once", busy, seconds)
    figures.at_most(
        f"p50 of a check, {A_SECOND} a second", 1e3 * statistics.median(steady), BARS["p50"], "ms", digits=1
    )
    figures.at_least(f"checks a second, {CALLERS} at once", len(busy) / seconds, BARS["rate"])
    figures.at_most(
        f"calls refused for want of time, {CALLERS} at once", 100 * refused / len(busy), BARS["refused"], "%", digits=2
    )
    print(f"bars: p50 at {A_SECOND} a second {BARS['p50']:.0f} ms; {BARS['rate']:.0f} a second with {CALLERS} at once")


class Caller:
    """A connection that makes one call after another. The request is put together once and of the answer little is
    read: it is the server that is measured, and both share the machine."""

    def __init__(self, stack: Stack, key: str, number: int) -> None:
        body = json.dumps({"email": ADDRESSES[number % len(ADDRESSES)]})
        head = f"Host: 127.0.0.1\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json"
        self._request = f"POST {PATH} HTTP/1.1\r\n{head}\r\nContent-Length: {len(body)}\r\n\r\n{body}".encode()
        self.socket = socket.create_connection(("127.0.0.1", stack.port), timeout=30)
        self._answer = b""

    def begin(self) -> None:
        """Send the request."""
        self._answer = b""
        self.socket.sendall(self._request)

    def read_on(self) -> int | None:
        """The status of the answer, None before it is whole. Raises `RuntimeError` for half an answer, and for any
        other than a verdict and the refusal for want of time."""
        heard = self.socket.recv(65_536)
        if not heard:
            raise RuntimeError("the connection ended before the answer did")
        self._answer += heard
        head, end, body = self._answer.partition(b"\r\n\r\n")
        if not end or len(body) < int(head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]):
            return None
        status = int(head.split(b" ", 2)[1])
        if status not in (CHECKED, OVERLOADED):
            raise RuntimeError(self._answer.decode())
        return status

    def call(self) -> None:
        """Have an address checked. Raises `RuntimeError` for a refusal."""
        self.begin()
        while (status := self.read_on()) is None:
            pass
        if status != CHECKED:
            raise RuntimeError(self._answer.decode())


def at_a_steady_rate(stack: Stack, key: str) -> list[float]:
    """Seconds of each call, counted from when it was due."""
    own = threading.local()
    begun = time.perf_counter()

    def one(number: int) -> float:
        if not hasattr(own, "caller"):
            own.caller = Caller(stack, key, number)
        due = begun + number / A_SECOND
        time.sleep(max(0.0, due - time.perf_counter()))
        own.caller.call()
        return time.perf_counter() - due

    with ThreadPoolExecutor(A_SECOND) as pool:
        return list(pool.map(one, range(A_SECOND * STEADY_S)))


def as_fast_as_answered(stack: Stack, key: str) -> tuple[list[float], int, float]:
    """Seconds of each check, how many calls were refused, and how long all of them took."""
    took: list[float] = []
    refused = 0
    begun = time.perf_counter()
    with selectors.DefaultSelector() as waiting:
        for number in range(CALLERS):
            caller = Caller(stack, key, number)
            waiting.register(caller.socket, selectors.EVENT_READ, [caller, time.perf_counter()])
            caller.begin()
        while (now := time.perf_counter()) < begun + BUSY_S:
            for found, _ in waiting.select(1):
                caller, sent = found.data
                status = caller.read_on()
                if status is None:
                    continue
                if status == CHECKED:
                    took.append(now - sent)
                else:
                    refused += 1
                found.data[1] = time.perf_counter()
                caller.begin()
    return took, refused, time.perf_counter() - begun


def row(what: str, took: list[float], seconds: float) -> None:
    ordered = sorted(took)
    p95 = ordered[int(0.95 * len(ordered))]
    times = (statistics.median(ordered), p95, ordered[-1])
    print(f"{what:24}{len(took):7}{len(took) / seconds:10.0f}" + "".join(f"{1e3 * value:9.1f}" for value in times))


if __name__ == "__main__":
    main()
