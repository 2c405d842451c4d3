"""What counting a request costs, beside the whole request.

    make bench-api

The middleware around a view that does nothing, against that view alone: processor time, the best of several rounds.
Then whole requests to the running product, one after another, without the time of the network's first connection.
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import httpx2
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory

from benchmarks import figures
from emailcheck.common.web.metrics import MetricsMiddleware
from tests.stack import running_stack

ROUNDS, CALLS, REQUESTS = 7, 5_000, 200
PATHS = ("/api/auth/me", "/api/credits", "/")


def best_us(call: Callable[[], object]) -> float:
    """Microseconds of processor time that one call takes, in the best of some rounds."""
    costs = []
    for _ in range(ROUNDS):
        began = time.process_time()
        for _ in range(CALLS):
            call()
        costs.append((time.process_time() - began) / CALLS)
    return 1e6 * min(costs)


def counting_us(directory: Path) -> float:
    """What the middleware adds to a request."""
    settings.configure(METRICS_DIR=directory, FIELD_ENCRYPTION_KEY="measured")
    request, answer = RequestFactory().get("/api/plans"), HttpResponse()
    counted = MetricsMiddleware(lambda request: answer)
    return best_us(lambda: counted(request)) - best_us(lambda: counted.get_response(request))


def median_us(client: httpx2.Client, path: str) -> float:
    """How long a request takes."""
    costs = []
    for _ in range(REQUESTS):
        began = time.perf_counter()
        client.get(path).raise_for_status()
        costs.append(time.perf_counter() - began)
    return 1e6 * statistics.median(costs)


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        counting = counting_us(Path(directory))
    print(f"counting a request: {counting:.1f} µs of CPU")
    limits = {"SITE_REQUESTS_PER_MINUTE": "1000000"}
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **limits) as stack:
        for path in PATHS:
            whole = median_us(stack.client, path)
            share = 100 * counting / whole
            print(f"{path}: median {whole:.0f} µs, of which counting is {share:.2f} %")
            figures.at_most(f"monitoring's share of a request, {path}", share, 2, "%", digits=2)


if __name__ == "__main__":
    main()
