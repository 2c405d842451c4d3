"""The balancer: HAProxy, because it asks each web whether it is ready, which nginx from Debian cannot."""

import csv
import io
import shutil
import socket
from pathlib import Path

from tests.cluster.place import Place, Program

_HEAD = """
global
  maxconn 2000
  stats socket {control} mode 600
  log stdout format raw local0

defaults
  mode http
  log global
  option httplog
  option forwardfor
  option redispatch
  retries 3
  timeout connect 2s
  timeout check 2s
  timeout client 90s
  timeout server 90s
  timeout http-request 15s
  timeout http-keep-alive 15s

frontend site
  bind 127.0.0.1:{port}
  default_backend webs

backend webs
  balance leastconn
  option httpchk
  http-check send meth GET uri {health} ver HTTP/1.1 hdr Host 127.0.0.1
  http-check expect status 200
  default-server check inter 500ms fall 2 rise 1 slowstart 10s
"""


def find_haproxy() -> str | None:
    """The program, where Debian puts it for root too."""
    return shutil.which("haproxy") or shutil.which("haproxy", path="/usr/sbin")


class Balancer:
    """One address for all webs: a web that does not answer /readyz with 200 gets no calls."""

    def __init__(self, place: Place, port: int, webs: dict[str, int]) -> None:
        self.port = port
        self.address = f"http://127.0.0.1:{port}"
        lines = [f"  server {name} 127.0.0.1:{web_port}" for name, web_port in webs.items()]
        self._file: Path = place.folder("balancer") / "haproxy.cfg"
        self._control = self._file.with_name("control")
        head = _HEAD.format(port=port, health="/readyz", control=self._control)
        self._file.write_text(head + "\n".join(lines) + "\n", encoding="utf-8")
        self._program = Program(place, "balancer", [find_haproxy() or "haproxy", "-db", "-f", str(self._file)])

    def start(self) -> None:
        self._program.start()
        self._program.wait_for_port(self.port)

    def is_used(self, name: str) -> bool:
        """Whether a web gets calls."""
        with socket.socket(socket.AF_UNIX) as control:
            control.connect(str(self._control))
            control.sendall(b"show stat\n")
            said = b"".join(iter(lambda: control.recv(65536), b"")).decode()
        rows = csv.DictReader(io.StringIO(said.removeprefix("# ")))
        return any((row["pxname"], row["svname"]) == ("webs", name) and row["status"] == "UP" for row in rows)
