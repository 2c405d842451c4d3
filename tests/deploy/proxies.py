"""nginx and Caddy with the configurations of `deploy/`, on ports of their own, in front of webs or what plays them."""

import os
import re
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2

from tests.deploy.tools import DEPLOY, find_tool
from tests.stack import free_port, wait_until

SITE = "check.example"
_WHOLE = """
{1}
daemon off;
pid {0}/nginx.pid;
error_log {0}/error.log;
worker_processes 1;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {0}/body;
    proxy_temp_path {0}/proxy;
    fastcgi_temp_path {0}/fastcgi;
    uwsgi_temp_path {0}/uwsgi;
    scgi_temp_path {0}/scgi;
    include {0}/emailcheck.conf;
}}
"""


@dataclass(frozen=True)
class Proxy:
    """A running proxy and how to reach it."""

    port: int
    tls: ssl.SSLContext

    def client(self, *, source: str = "127.0.0.1") -> httpx2.Client:
        """A caller at an address of its own."""
        return httpx2.Client(
            base_url=f"https://localhost:{self.port}",
            transport=httpx2.HTTPTransport(local_address=source, verify=self.tls),
            headers={"Host": SITE},
            event_hooks={"request": [_name_site]},
            timeout=60,
        )

    def connect(self) -> ssl.SSLSocket:
        """A connection on which nothing was said."""
        return self.tls.wrap_socket(socket.create_connection(("127.0.0.1", self.port), 30), server_hostname=SITE)


def write_nginx(directory: Path, webs: list[int]) -> int:
    """The example with other ports and a shorter patience; answers the port. The whole is `nginx.conf`."""
    port = free_port()
    make_certificate(directory)
    text = (DEPLOY / "nginx" / "emailcheck.conf").read_text()
    for old, new in (
        ("    listen 80;\n    listen [::]:80;\n", f"    listen 127.0.0.1:{free_port()};\n"),
        ("    listen 443 ssl http2;\n    listen [::]:443 ssl http2;\n", f"    listen 127.0.0.1:{port} ssl http2;\n"),
        ("/etc/ssl/", f"{directory}/"),
        ("127.0.0.1:8001", f"127.0.0.1:{webs[0]}"),
        ("127.0.0.1:8002", f"127.0.0.1:{webs[1]}"),
        ("client_header_timeout 10s", "client_header_timeout 2s"),
        ("client_body_timeout 15s", "client_body_timeout 2s"),
    ):
        assert old in text
        text = text.replace(old, new)
    (directory / "emailcheck.conf").write_text(text)
    (directory / "nginx.conf").write_text(_WHOLE.format(directory, "user root;" if os.getuid() == 0 else ""))
    return port


@contextmanager
def running_nginx(directory: Path, webs: list[int]) -> Iterator[Proxy]:
    """nginx by its example in front of two ports."""
    port = write_nginx(directory, webs)
    command = [find_tool("nginx"), "-p", str(directory), "-c", str(directory / "nginx.conf")]
    with _running(command, port):
        yield Proxy(port, _trust_all())


@contextmanager
def running_caddy(directory: Path, webs: list[int]) -> Iterator[Proxy]:
    """Caddy by its example in front of two ports, with a certificate of its own making."""
    port = free_port()
    text = (DEPLOY / "caddy" / "Caddyfile").read_text()
    begin = (
        f"{{\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system {directory}\n"
    )
    text = begin + text[text.index("{\n") + 2 :].replace("read_header 10s", "read_header 2s")
    text = text.replace("request_body {", "tls internal\n\trequest_body {")
    (directory / "Caddyfile").write_text(text)
    command = [
        "/usr/bin/env", f"SITE_ADDRESS={SITE}:{port}", f"WEBS={' '.join(f'127.0.0.1:{web}' for web in webs)}",
        f"HOME={directory}", find_tool("caddy"), "run", "--config", str(directory / "Caddyfile"),
        "--adapter", "caddyfile",
    ]  # fmt: skip
    with _running(command, port):
        yield Proxy(port, _trust_all())


@contextmanager
def _running(command: list[str], port: int) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: process.poll() is not None or _listens(port), 30)
        assert process.poll() is None
        yield
    finally:
        process.terminate()
        process.wait(20)


def make_certificate(directory: Path) -> None:
    """A certificate for `SITE` that nobody trusts."""
    key, certificate = (str(directory / f"{SITE}.{end}") for end in ("key", "crt"))
    command = [find_tool("openssl"), "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes",
               "-subj", f"/CN={SITE}", "-keyout", key, "-out", certificate]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True)


def _name_site(request: httpx2.Request) -> None:
    """Say in the handshake which site is meant, as a caller does that knows it by its name."""
    request.extensions["sni_hostname"] = SITE


def _trust_all() -> ssl.SSLContext:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class DyingWeb:
    """Plays a web that reads each request whole and dies without an answer; it answers probes of its readiness."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.seen: list[str] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            line = _read_request(connection)
            if line == "GET /readyz":
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            elif line:
                self.seen.append(line)
                self.answer(connection)

    def answer(self, connection: socket.socket) -> None:
        """Say nothing."""

    def close(self) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


class StreamingWeb(DyingWeb):
    """Plays a web that sends the first half of an answer, and the other when `go_on` is set."""

    def __init__(self) -> None:
        self.go_on = threading.Event()
        super().__init__()

    def answer(self, connection: socket.socket) -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\nContent-Length: 12\r\nConnection: close\r\n\r\n"
        connection.sendall(head + b"first,")
        self.go_on.wait(30)
        connection.sendall(b"second")


def _read_request(connection: socket.socket) -> str:
    """Read head and body; answers method and path, nothing when the caller is gone."""
    head, body = b"", b""
    while b"\r\n\r\n" not in head and (octets := connection.recv(65_536)):
        head += octets
    head, _, body = head.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    while length and len(body) < int(length[1]) and (octets := connection.recv(65_536)):
        body += octets
    return head.partition(b"\r\n")[0].decode().rpartition(" ")[0]
