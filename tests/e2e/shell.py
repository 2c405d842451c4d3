"""The product's shell as a process that stays: `python -m tests.e2e.shell`, which prints its address.

A POST is code; what it prints is answered, or with 500 how it failed. To start a shell for each piece of code takes
longer than most of what the browser tests do. It ends with its input.
"""

import contextlib
import io
import os
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, HTTPServer

import django
from django.core.management import call_command
from django.db import close_old_connections


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        code = self.rfile.read(int(self.headers["Content-Length"])).decode()
        status, printed = _run(code)
        body = printed.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Playwright says what was done."""


def _run(code: str) -> tuple[int, str]:
    printed = io.StringIO()
    close_old_connections()
    try:
        with contextlib.redirect_stdout(printed):
            call_command("shell", no_imports=True, command=code)
    except Exception:
        return 500, traceback.format_exc()
    finally:
        close_old_connections()
    return 200, printed.getvalue()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "emailcheck.settings")
    django.setup()
    server = HTTPServer(("127.0.0.1", 0), _Handler)
    sys.stdout.write(f"http://127.0.0.1:{server.server_port}\n")
    sys.stdout.flush()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    sys.stdin.read()


if __name__ == "__main__":
    main()
