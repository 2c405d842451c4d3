"""Receives webhooks on this machine, for tests."""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler, HTTPServer

from emailcheck_client.errors import BadSignature
from emailcheck_client.webhooks import verify

_MOST_BYTES = 2**20


class Receiver(HTTPServer):
    """Prints the body of each message, and marks those that are refused. `port` 0: any that is free."""

    def __init__(self, port: int, secret: str, *, as_json: bool) -> None:
        super().__init__(("127.0.0.1", port), _Message)
        self.secret, self.as_json, self.printed = secret, as_json, 0


class _Message(BaseHTTPRequestHandler):
    server: Receiver
    timeout = 10

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(int(length)) if length.isdecimal() and int(length) <= _MOST_BYTES else b""
        refused = None
        try:
            verify(body, dict(self.headers), self.server.secret)
        except BadSignature as error:
            refused = str(error)
        text = body.decode(errors="replace")
        shown = json.dumps({"refused": refused, "body": text}) if self.server.as_json else text
        print(f"REFUSED: {refused} {shown}" if refused and not self.server.as_json else shown, flush=True)
        self.server.printed += 1
        self.send_response(400 if refused else 204)
        self.end_headers()

    def log_message(self, format: str, *_: object) -> None:
        """What is printed is all that is said."""
