"""What machines share: PostgreSQL, Redis, an object store, and the simulated outside world."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import boto3
import psycopg
from botocore.config import Config

from tests.cluster.place import BEHIND, Place, Program
from tests.stack import wait_until
from tests.world import WEBHOOK_ID

BUCKET = "emailcheck"
STORE_KEY, STORE_SECRET = "cluster", "cluster-secret"
_AS_POSTGRES = ["setpriv", "--reuid", "postgres", "--regid", "postgres", "--clear-groups"]
_START_S = 120.0


def find_postgres() -> Path | None:
    """The folder of the newest PostgreSQL's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda one: float(one.parts[4]))
    return found[-1].parent if found else None


class Postgres:
    """A server on a port, whose commits are durable."""

    def __init__(self, place: Place, port: int) -> None:
        self.port = port
        self._bin = find_postgres()
        self._data = place.folder("postgres") / "data"
        self._as_owner = _AS_POSTGRES if os.getuid() == 0 else []
        options = {
            "listen_addresses": "127.0.0.1",
            "port": str(port),
            "unix_socket_directories": "",
            "fsync": "on",
            "max_connections": "200",
            "jit": "off",
        }
        command = [*self._as_owner, f"{self._bin}/postgres", "-D", str(self._data)]
        for name, value in options.items():
            command += ["-c", f"{name}={value}"]
        self._program = Program(place, "postgres", command, directory=Path("/"))

    def url(self, port: int = 0, database: str = "emailcheck") -> str:
        """Its address, at another port where a link leads to it."""
        return f"postgresql://emailcheck@127.0.0.1:{port or self.port}/{database}"

    def prepare(self) -> None:
        """Make an empty database, and start."""
        if os.getuid() == 0:
            shutil.chown(self._data.parent, "postgres")
        command = [*self._as_owner, f"{self._bin}/initdb", "-D", str(self._data)]
        options = ["-U", "emailcheck", "--auth", "trust", "--no-sync", "-E", "UTF8"]
        subprocess.run([*command, *options], check=True, capture_output=True, cwd="/")
        self.start()
        with psycopg.connect(self.url(database="postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE emailcheck")

    def start(self) -> None:
        self._program.start()
        wait_until(self._answers, _START_S)

    def kill(self) -> None:
        """End it at once; it comes back through its log."""
        self._program.stop(signal.SIGQUIT)

    def query(self, sql: str, *values: object) -> list[tuple[object, ...]]:
        """The rows of a query. Waits while it is killed and started again."""
        wait_until(self._answers, _START_S)
        with psycopg.connect(self.url(), autocommit=True) as connection:
            found = connection.execute(sql, values or None)
            return found.fetchall() if found.description else []

    def _answers(self) -> bool:
        try:
            psycopg.connect(self.url(database="postgres"), connect_timeout=2).close()
        except psycopg.OperationalError:
            return False
        return True


class Redis:
    """An empty server on a port, which forgets all when it is killed."""

    def __init__(self, place: Place, port: int) -> None:
        self.port = port
        options = ["--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(place.folder("redis"))]
        # With a title of its own it would write over its environment, by which what is left over is found.
        self._program = Program(place, "redis", ["redis-server", *options, "--set-proc-title", "no"])

    def start(self) -> None:
        self._program.start()
        self._program.wait_for_port(self.port)

    def kill(self) -> None:
        self._program.stop(signal.SIGKILL)


class ObjectStore:
    """An S3 server on a port, in memory."""

    def __init__(self, place: Place, port: int) -> None:
        self.port = port
        self._program = Program(
            place, "store", [*BEHIND, sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        )

    def settings(self, port: int) -> dict[str, str]:
        """What tells the product of it, at the port of a link."""
        return {
            "FILE_STORE": "s3",
            "FILE_STORE_ENDPOINT": f"http://127.0.0.1:{port}",
            "FILE_STORE_BUCKET": BUCKET,
            "FILE_STORE_KEY": STORE_KEY,
            "FILE_STORE_SECRET": STORE_SECRET,
        }

    def start(self) -> None:
        """With an empty bucket."""
        self._program.start()
        self._program.wait_for_port(self.port)
        self._client().create_bucket(Bucket=BUCKET)

    def list_keys(self, prefix: str) -> set[str]:
        """The keys below a prefix, without it."""
        pages = self._client().get_paginator("list_objects_v2").paginate(Bucket=BUCKET, Prefix=prefix)
        return {str(one["Key"]).removeprefix(prefix) for page in pages for one in page.get("Contents", ())}

    def _client(self) -> Any:
        return boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{self.port}",
            region_name="us-east-1",
            aws_access_key_id=STORE_KEY,
            aws_secret_access_key=STORE_SECRET,
            config=Config(proxies={}),
        )


class Outside:
    """The simulated mail internet, PayPal and receivers of webhooks, on four ports from the first."""

    def __init__(self, place: Place, first_port: int, site_url: str) -> None:
        self.dns, self.socks, self.mail, self.http = range(first_port, first_port + 4)
        self.folder = place.folder("world")
        command = [*BEHIND, sys.executable, "-m", "emailcheck.sandbox", "--data-dir", str(self.folder)]
        command += ["--dns-port", str(self.dns), "--socks-port", str(self.socks)]
        command += ["--mail-port", str(self.mail), "--http-port", str(self.http), "--site-url", site_url]
        command += ["--webhook-id", WEBHOOK_ID, "--webhook-url", f"{site_url}/api/payments/paypal/webhook"]
        self._program = Program(place, "outside", [*command, "--latency-ms", "5"])

    def settings(self) -> dict[str, str]:
        """What tells the product of it."""
        return {
            "SANDBOX_DNS_PORT": str(self.dns),
            "SANDBOX_SOCKS_PORT": str(self.socks),
            "SANDBOX_MAIL_PORT": str(self.mail),
            "SANDBOX_HTTP_PORT": str(self.http),
            "WEBHOOK_CA_FILE": str(self.folder / "authority.pem"),
        }

    def start(self) -> None:
        self._program.start()
        self._program.wait_for_port(self.http)
