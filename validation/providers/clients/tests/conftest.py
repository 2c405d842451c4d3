"""The adapters over real sockets: at the played services, and at a service that answers whatever a test says."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.world import Sandbox
from validation.providers.clients.base import Provider
from validation.providers.clients.configuration import SERVICES, Access
from validation.providers.clients.kickbox import Kickbox
from validation.providers.clients.neverbounce import NeverBounce
from validation.providers.clients.registry import load_providers
from validation.providers.clients.zerobounce import ZeroBounce

NAMES = ("zerobounce", "neverbounce", "kickbox")
KEY = "topsecretkey0123456789"


class Played:
    """The played services and our accounts there."""

    def __init__(self, sandbox: Sandbox) -> None:
        self.accounts = sandbox.simulation.providers.accounts
        self.base = f"http://127.0.0.1:{sandbox.http_port}/sandbox/providers"
        self.adapters: dict[str, Provider] = load_providers()

    def __getitem__(self, name: str) -> Provider:
        return self.adapters[name]

    @staticmethod
    def reached(name: str) -> Provider:
        """The adapter for the settings as they are now."""
        return load_providers()[name]

    def trouble(self, name: str, kind: str, *, times: int = 0, seconds: float = 0.0) -> None:
        self.accounts[name].make_trouble(kind, times, seconds)


@pytest.fixture
def played(running_sandbox: Sandbox, settings: Any) -> Iterator[Played]:
    settings.SANDBOX_HTTP_PORT = running_sandbox.http_port
    found = Played(running_sandbox)
    for account in found.accounts.values():
        account.reset()
    yield found
    for account in found.accounts.values():
        account.reset()


class Scripted:
    """A service that answers `body` with `status` to everything, and remembers what it was asked."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.status, self.body = 200, b""
        self.headers: dict[str, str] = {}
        self.bodies: list[bytes] = []
        self.looked_up_addresses: list[tuple[str, str, bytes]] = []

    def next_body(self) -> bytes:
        return self.bodies.pop(0) if self.bodies else self.body

    def adapter(self, name: str) -> Any:
        service = next(service for service in SERVICES if service.name == name)
        made = {"zerobounce": ZeroBounce, "neverbounce": NeverBounce, "kickbox": Kickbox}[name]
        return made(Access(service, self.url, self.url, KEY))


@pytest.fixture(scope="session")
def _server() -> Iterator[tuple[ThreadingHTTPServer, dict[str, Scripted]]]:
    holder: dict[str, Scripted] = {}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            script = holder["script"]
            length = int(self.headers.get("Content-Length") or 0)
            script.looked_up_addresses.append((self.command, self.path, self.rfile.read(length)))
            body = script.next_body()
            self.send_response(script.status)
            for name, value in ({"Content-Length": str(len(body))} | script.headers).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.do_GET()

        def do_PUT(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, name="scripted", kwargs={"poll_interval": 0.01})
    thread.start()
    yield server, holder
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def scripted(_server: tuple[ThreadingHTTPServer, dict[str, Scripted]]) -> Scripted:
    server, holder = _server
    holder["script"] = Scripted(f"http://127.0.0.1:{server.server_address[1]}")
    return holder["script"]
