"""Pages at a million stored results: how long their calls take, and how many queries they ask.

    make bench-lists ARGS="--only pages"

A copy of the product of its own, results stored as the pipeline leaves them (`seeding`), then `ROUNDS` times each call
of the results page, the history and the dashboard, in random order, over HTTP, one after another. The 95th percentile
is over all calls of a page. Queries are counted inside the product, for the same calls, with all the results and with
a tenth of them; among fewer some calls find nothing, and have less to ask.
"""

import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks import figures
from tests.stack import Stack, running_stack

ROUNDS = 20
BAR_MS = 100
Calls = dict[str, list[tuple[str, dict[str, str]]]]


def pages(seed: int, divide: int) -> None:
    """Print the figures of a run."""
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory)) as stack:
        few = _queries(stack, seed, 10 * divide)
        many = _queries(stack, seed, divide)
        measured = _measure(stack, random.Random(seed))
    print(f"\n{'page':12}{'call':58}{'median ms':>10}{'p95 ms':>8}{'queries':>9}")
    for page, calls in measured.items():
        for call, times in calls.items():
            queries = f"{few[call]} → {many[call]}" if few[call] != many[call] else str(many[call])
            print(f"{page:12}{call:58}{statistics.median(times):10.1f}{_p95(times):8.1f}{queries:>9}")
        every = [one for times in calls.values() for one in times]
        print(f"{page:12}{'all':58}{statistics.median(every):10.1f}{_p95(every):8.1f}   (bar {BAR_MS})")
        figures.at_most(f"p95 of the calls of the {page} page, 1,000,000 stored results", _p95(every), BAR_MS, "ms")
    grown = sum(few[call] != many[call] for call in few)
    figures.at_most("calls of these pages that ask more queries of more results", grown, 0)


def calls_of(batch_id: str, cursors: dict[str, str]) -> Calls:
    """The calls that each page makes, with what people choose on it."""
    results = f"/api/validate/batch/{batch_id}/results"
    sorts = ("row", "-row", "email", "-email", "category", "confidence", "-confidence")
    explorer: list[dict[str, str]] = [
        *({"sort": sort} for sort in sorts),
        *({"sort": sort, "cursor": cursors[sort]} for sort in sorts),
        *({"category": category, "sort": "email"} for category in ("valid", "spam_trap")),
        *({"search": search} for search in ("anna", "anna.1", "@gmail.com", "company-7.com", "nobody@nowhere.org")),
        {"search": "@gmail.com", "sort": "-confidence", "category": "valid"},
    ]
    history: list[dict[str, str]] = [
        {},
        {"sort": "name"},
        {"active": "true"},
        {"category": "spam_trap"},
        {"search": "list-400"},
        {"search": "anna.1"},
        {"search": "@company-7.com"},
        {"page": "2000", "page_size": "50"},
    ]
    return {
        "results": [(f"/api/validate/batch/{batch_id}", {"page_size": "1"}), *((results, query) for query in explorer)],
        "history": [("/api/validate/batches", query) for query in history],
        "dashboard": [
            ("/api/analytics/dashboard", {}),
            ("/api/analytics/usage", {"range": "30d"}),
            ("/api/analytics/advanced", {"range": "1y", "scope": "me"}),
            ("/api/credits", {}),
            ("/dashboard", {"tab": "history"}),
        ],
    }


def _queries(stack: Stack, seed: int, divide: int) -> dict[str, int]:
    """Store results in the stack's database, in addition to what it has, and count the queries of every call."""
    code = f"from benchmarks.lists import inside; inside.main(seed={seed}, divide={divide})"
    *said, last = stack.manage("shell", "--no-imports", "-c", code).splitlines()
    print("\n".join(said), flush=True)
    counted: dict[str, int] = json.loads(last)
    return counted


def name_of(path: str, query: dict[str, str]) -> str:
    """A call as the table names it: without ids and cursors."""
    shown = {name: "…" if name == "cursor" else value for name, value in query.items()}
    words = " ".join(f"{name}={value}" for name, value in shown.items())
    parts = ["{id}" if part.startswith("bat_") else part for part in path.removeprefix("/api").split("/")]
    return f"{'/'.join(parts)} {words}".strip()


def _measure(stack: Stack, rng: random.Random) -> dict[str, dict[str, list[float]]]:
    calls = calls_of(*_longest(stack))
    measured: dict[str, dict[str, list[float]]] = {
        page: {name_of(*call): [] for call in asked} for page, asked in calls.items()
    }
    everything = [(page, call) for page, asked in calls.items() for call in asked] * ROUNDS
    rng.shuffle(everything)
    for page, (path, query) in everything:
        started = time.perf_counter()
        stack.client.get(path, params=query).raise_for_status()
        measured[page][name_of(path, query)].append(1_000 * (time.perf_counter() - started))
    return measured


def _longest(stack: Stack) -> tuple[str, dict[str, str]]:
    """The longest list, and for every order a cursor a good way into it."""
    batches = stack.get("/api/validate/batches")["batches"]
    batch_id = max(batches, key=lambda batch: int(batch["total_emails"]))["id"]
    return batch_id, cursors_into(batch_id, stack.get)


def cursors_into(batch_id: str, get: Any) -> dict[str, str]:
    """A cursor for every order, behind ten pages of a thousand; `get` answers the JSON of a path."""
    found = {}
    for sort in ("row", "-row", "email", "-email", "category", "confidence", "-confidence"):
        cursor = ""
        for _ in range(10):
            page = get(f"/api/validate/batch/{batch_id}/results?page_size=1000&sort={sort}&cursor={cursor}")
            cursor = page["next"] or cursor
        found[sort] = cursor
    return found


def _p95(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[18] if len(times) > 1 else times[0]
