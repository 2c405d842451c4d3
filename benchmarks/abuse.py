"""What a visitor notices of callers who mean harm, and what becomes of five times the load that can be done.

    make bench-abuse

The real product on this machine. First as `make run` starts it: 200 slow connections of each kind, and pages for a
visitor meanwhile. Then with as many web processes and threads as docs/operations.md has for two cores: five times the
callers of `make bench-api`, who check addresses and look at their credits, and how soon all is as before.
"""

import json
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks import figures
from benchmarks.api import ADDRESSES, CALLERS, FOR_TWO_CORES, MAKE_KEY
from tests.abuse.sockets import HOST, LANDING, Answer, flood_with, many, visit
from tests.stack import Stack, running_stack

SLOW = 200
VISITS = 20
LOAD_S = 10.0
BARS_S = {"page": 1.0, "refused": 1.0, "normal": 5.0}
JSON = "Content-Type: application/json\r\n"
HELD = {
    "slow bodies": f"POST /api/auth/login HTTP/1.1\r\n{HOST}{JSON}Content-Length: 100000\r\n\r\n" + "{",
    "silent": "",
    "unfinished heads": f"GET / HTTP/1.1\r\n{HOST}X-Unfinished: ",
    "kept": f"GET /robots.txt HTTP/1.1\r\n{HOST}\r\n",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory)) as stack:
        for kind, sent in HELD.items():
            report_page(stack, kind, sent)
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory), **FOR_TWO_CORES) as stack:
        key = stack.manage("shell", "--no-imports", "-c", MAKE_KEY).strip().splitlines()[-1]
        report_load(stack, f"Authorization: Bearer {key}\r\n")


def report_page(stack: Stack, kind: str, sent: str) -> None:
    """The slowest page that a visitor gets beside slow connections; one that does not come counts as late as its
    patience."""
    with many(stack.port, SLOW, sent):
        slowest = max(page_seconds(stack) for _ in range(VISITS))
    print(f"{SLOW} {kind:18} slowest of {VISITS} pages {slowest:6.3f} s")
    what = f"landing page beside {SLOW} {kind}, slowest of {VISITS}"
    figures.at_most(what, slowest, BARS_S["page"], "s", digits=3)


def page_seconds(stack: Stack) -> float:
    begun = time.monotonic()
    try:
        page = visit(stack.port, patience=2.0)
    except OSError:
        return time.monotonic() - begun
    return page.seconds if page.status == 200 else 2.0


def report_load(stack: Stack, bearer: str) -> None:
    checks = [check(bearer, number) for number in range(CALLERS)]
    looks = [f"GET /api/credits HTTP/1.1\r\n{HOST}{bearer}\r\n"] * (4 * CALLERS)
    for text in checks[:8]:  # the first ones open sessions
        visit(stack.port, text)
    answers = flood_with(stack.port, [*checks, *looks], LOAD_S)
    back_s = until_normal(stack, bearer)
    refused = [answer for _, answer in answers if answer.status == 503]
    slowest = max((answer.seconds for answer in refused), default=0.0)
    row("checks", [answer for number, answer in answers if number < CALLERS])
    row("looks at credits", [answer for number, answer in answers if number >= CALLERS])
    told = all("retry-after" in answer.headers for answer in refused)
    print(
        f"slowest refusal {slowest:.2f} s, Retry-After on {'all' if told else 'NOT all'}; normal after {back_s:.2f} s"
    )
    what = f"{5 * CALLERS} callers at once"
    figures.tell(
        f"{what}: all that is refused says when to come again", "all", f"{len(refused):,}", met=told and bool(refused)
    )
    figures.at_most(f"{what}: slowest refusal", slowest, BARS_S["refused"], "s", digits=2)
    figures.at_most(f"{what}: as before after", back_s, BARS_S["normal"], "s", digits=2)


def check(bearer: str, number: int) -> str:
    body = json.dumps({"email": ADDRESSES[number % len(ADDRESSES)]})
    lines = f"{HOST}{bearer}{JSON}Content-Length: {len(body)}\r\n"
    return f"POST /api/v1/validate/single HTTP/1.1\r\n{lines}\r\n{body}"


def until_normal(stack: Stack, bearer: str) -> float:
    """Seconds until a page and a check have come in a tenth of a second each, five times running."""
    begun, good = time.monotonic(), 0
    while good < 5 and time.monotonic() < begun + 60:
        answers = [visit(stack.port, text) for text in (LANDING, check(bearer, good))]
        good = good + 1 if all(one.status == 200 and one.seconds < 0.1 for one in answers) else 0
    return time.monotonic() - begun


def row(what: str, answers: list[Answer]) -> None:
    times = sorted(answer.seconds for answer in answers if answer.status == 200) or [0.0]
    done, statuses = len(times), Counter(answer.status for answer in answers)
    middle, late = times[done // 2], times[int(0.95 * done)]
    print(f"{what:18} {done / LOAD_S:6.0f} a second, p50 {middle:5.2f} s, p95 {late:5.2f} s, {dict(statuses)}")


if __name__ == "__main__":
    main()
