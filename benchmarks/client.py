"""What the Python package takes: its import, 100,000 results, and its own part of a run.

    make bench-client

Each is measured in a process of its own. Results come from a small local service that sends lines as the product does,
so that the memory is that of the package; the run is the long sample, from upload to its last result, against the whole
product on this machine, and the package's own part is its processor time from the first call on.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from benchmarks import figures
from tests.stack import ROOT, running_stack

ROWS, IMPORTS = 100_000, 11
IMPORT_MS, MEMORY_MB, SHARE_PERCENT = 120, 60, 5
_AT_ONCE = 1_000
SAMPLE = ROOT / "samples" / "list-20000.csv"
_STREAM = """
import resource, sys
from emailcheck_client import EmailCheck
with EmailCheck("ec_test_any", sys.argv[1], allow_http=True) as client:
    count = sum(1 for _ in client.job("bat_1").results())
print(count, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
_RUN = """
import sys, time
from emailcheck_client import EmailCheck
with EmailCheck(sys.argv[2], sys.argv[1], allow_http=True) as client:
    began, cpu = time.monotonic(), time.process_time()
    count = sum(1 for _ in client.upload(sys.argv[3]).results())
    print(count, time.process_time() - cpu, time.monotonic() - began)
"""


def main() -> None:
    alone, with_client = (statistics.median(import_ms(name) for _ in range(IMPORTS)) for name in ("", ".client"))
    print(f"import {alone:.0f} ms (bar {IMPORT_MS}); with the HTTP library, at its first use, {with_client:.0f} ms")
    figures.at_most("import of emailcheck_client", alone, IMPORT_MS, "ms")
    with serving_results() as address:
        count, memory_mb = map(float, run_python(_STREAM, address))
    print(f"{count:,.0f} results in {memory_mb:.0f} MB (bar {MEMORY_MB})")
    figures.tell(f"{ROWS:,} results come", "all", f"{count:,.0f}", met=count == ROWS)
    figures.at_most(f"memory of {ROWS:,} results", memory_mb, MEMORY_MB, "MB")
    with tempfile.TemporaryDirectory() as directory, running_stack(Path(directory)) as stack:
        key = stack.client.post("/api/user/api-keys", json={"name": "Benchmark"}).json()["key"]
        count, cpu_s, took_s = map(float, run_python(_RUN, stack.address, key, str(SAMPLE)))
    print(f"{count:,.0f} results of a run in {took_s:.1f} s, {cpu_s:.2f} s of them its own (bar {SHARE_PERCENT} %)")
    figures.at_most("own time of the client in a run", 100 * cpu_s / took_s, SHARE_PERCENT, "%", digits=1)


def import_ms(module: str) -> float:
    """Milliseconds that importing takes in a fresh interpreter, its own start not counted."""
    command = [sys.executable, "-X", "importtime", "-c", f"import emailcheck_client{module}"]
    told = subprocess.run(command, env=environment(), check=True, capture_output=True, text=True).stderr
    lines = [
        line.split("|") for line in told.splitlines() if line.split("|")[-1].strip().startswith("emailcheck_client")
    ]
    return max(int(line[1]) for line in lines) / 1_000


def run_python(code: str, *arguments: str) -> list[str]:
    """The words that a program prints."""
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment(), check=True, capture_output=True, text=True).stdout.split()


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT / "clients" / "python" / "src")}


@contextmanager
def serving_results() -> Iterator[str]:
    """The address of a service with one list that has ended."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Service) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


class _Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        if self.path.endswith("/status"):
            self._send_status()
        else:
            self._stream_lines()

    def _send_status(self) -> None:
        body = json.dumps(
            {"batch_id": "bat_1", "status": "completed", "total_emails": ROWS, "processed": ROWS}
        ).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _stream_lines(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for first in range(1, ROWS + 1, _AT_ONCE):
            piece = "".join(json.dumps(build_row(row)) + "\n" for row in range(first, first + _AT_ONCE)).encode()
            self.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
        self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: object) -> None:
        """Only figures are printed."""


def build_row(row: int) -> dict[str, Any]:
    """A result with the members and the size of a real one."""
    email = f"customer.number.{row}@harborquill.com"
    flags = ("syntax_valid", "domain_valid", "smtp_valid", "is_valid", "valid", "safe_to_send")
    nots = ("is_disposable", "disposable", "is_catch_all", "free_email", "reused")
    times = dict.fromkeys(("created_at", "validated_at"), "2026-11-28T16:17:27.241547Z")
    return {
        "id": f"res_{row:022}", "row": row, "email": email, "email_checked": email, "repaired_from": None,
        "repairs": [], "category": "valid", "reason": "mailbox_exists", "confidence_score": 0.97,
        "label": "Safe to send",
        **dict.fromkeys(flags, True), **dict.fromkeys(nots, False), **times, "is_spam_trap": None, "rechecked_at": None,
        "validation_type": "comprehensive", "checks": "full",
        "details": {"domain": "harborquill.com", "category_reason": "The mail server accepts mail for this mailbox."},
    }  # fmt: skip


if __name__ == "__main__":
    main()
