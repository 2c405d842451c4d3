"""Starts and stops the simulated outside world: name server, mail hosts, mail sink and pages on loopback."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakSet

import uvicorn

from emailcheck.sandbox.mailworld.certificate import build_self_signed_context, build_trusted_context
from emailcheck.sandbox.mailworld.dns.server import DnsDatagrams, DnsStream
from emailcheck.sandbox.mailworld.scenario.loader import WORLD_FILE, load_world
from emailcheck.sandbox.mailworld.socks_server import SocksConnection
from emailcheck.sandbox.outbox.sink import build_sink_protocol
from emailcheck.sandbox.receiver.host_names import NAMES
from emailcheck.sandbox.receiver.server import Receiver
from emailcheck.sandbox.simulation import Simulation
from emailcheck.sandbox.web.app import create_app

_LOOPBACK = "127.0.0.1"
_BACKLOG = 4096
_PORT_ATTEMPTS = 20
_CLOSING_TURNS = 20  # turns of the loop in which the transports let go of their sockets


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxOptions:
    """The sandbox's options: ports on loopback (0: any free one), the folder of mails, the reply latency in ms.

    `site_url`: the address of the pages below `/sandbox` for browsers (default: our own address). PayPal sends the
    events of `webhook_id` to `webhook_url`. `limits_factor` multiplies the companies' rates (None: the world's own
    factor). `clock` measures rates and greylisting.
    """

    data_dir: Path
    dns_port: int = 0
    socks_port: int = 0
    mail_port: int = 0
    http_port: int = 0
    latency_ms: float = 0.0
    site_url: str = ""
    webhook_id: str = ""
    webhook_url: str = ""
    world_file: Path = WORLD_FILE
    limits_factor: float | None = None
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The running simulation, the ports that it listens on, and whose certificates its receivers have."""

    simulation: Simulation
    dns_port: int
    socks_port: int
    mail_port: int
    http_port: int
    authority: Path


@asynccontextmanager
async def start_sandbox(options: SandboxOptions) -> AsyncIterator[Sandbox]:
    """Run the simulated outside world in this event loop until the context is left.

    Raises `OSError` when a port is taken, and what `load_world` raises for a faulty scenario.
    """
    simulation = Simulation(
        load_world(options.world_file),
        options.data_dir,
        latency_ms=options.latency_ms,
        limits_factor=options.limits_factor,
        clock=options.clock,
    )
    tls, authority = build_self_signed_context(), options.data_dir / "authority.pem"
    secure = build_trusted_context(*NAMES, saved_as=authority)
    async with AsyncExitStack() as stack:
        listeners = _Listeners()
        stack.push_async_callback(listeners.close)
        yield Sandbox(
            simulation,
            await listeners.dns(simulation, options.dns_port),
            await listeners.tcp(
                lambda: SocksConnection(simulation.hosts, tls, lambda: Receiver(simulation.inbox, secure)),
                options.socks_port,
            ),
            await listeners.tcp(lambda: build_sink_protocol(simulation.outbox), options.mail_port),
            await _serve_http(stack, simulation, options),
            authority,
        )


class _Listeners:
    """The listening sockets, and the connections that are still open when they end."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._servers: list[asyncio.Server | asyncio.DatagramTransport] = []
        self._protocols: WeakSet[Any] = WeakSet()

    async def tcp(self, factory: Callable[[], asyncio.Protocol], port: int) -> int:
        """Listen for connections; answers the port."""

        def tracked() -> asyncio.Protocol:
            protocol = factory()
            self._protocols.add(protocol)
            return protocol

        server = await self._loop.create_server(tracked, _LOOPBACK, port, backlog=_BACKLOG)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def dns(self, simulation: Simulation, port: int) -> int:
        """Listen for DNS on UDP and TCP, on the same port; answers the port."""
        for attempt in range(_PORT_ATTEMPTS):
            found = await self.tcp(lambda: DnsStream(simulation.names), port)
            try:
                transport, _ = await self._loop.create_datagram_endpoint(
                    lambda: DnsDatagrams(simulation.names), (_LOOPBACK, found)
                )
            except OSError:
                self._servers.pop().close()
                if port or attempt == _PORT_ATTEMPTS - 1:
                    raise
                continue
            self._servers.append(transport)
            return found
        raise AssertionError("the loop returns or raises")

    async def close(self) -> None:
        """Stop listening and end every connection."""
        for server in self._servers:
            server.close()
        for protocol in list(self._protocols):
            transport = getattr(protocol, "transport", None)
            if transport is not None:
                transport.abort()
        for _ in range(_CLOSING_TURNS):
            await asyncio.sleep(0)


class _HttpServer(uvicorn.Server):
    """uvicorn inside an existing loop: it does not handle signals, and reports when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


async def _serve_http(stack: AsyncExitStack, simulation: Simulation, options: SandboxOptions) -> int:
    listener = stack.enter_context(socket.create_server((_LOOPBACK, options.http_port)))
    port = int(listener.getsockname()[1])
    simulation.paypal.configure(
        api=f"http://{_LOOPBACK}:{port}",
        site_url=options.site_url,
        webhook_id=options.webhook_id,
        webhook_url=options.webhook_url,
    )
    config = uvicorn.Config(
        create_app(simulation), lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    server = _HttpServer(config)
    task = asyncio.create_task(server.serve([listener]))

    async def end() -> None:
        server.should_exit = True
        await task

    stack.push_async_callback(end)
    await server.listening.wait()
    simulation.paypal.courier.start(simulation.paypal.catch_up)
    stack.push_async_callback(simulation.paypal.courier.stop)
    return port
