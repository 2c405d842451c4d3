"""`python -m emailcheck.sandbox`: run the simulated outside world until SIGTERM or SIGINT."""

import argparse
import asyncio
import json
import signal
from pathlib import Path

import uvloop

from emailcheck.sandbox import SandboxOptions, start_sandbox


def main() -> None:
    """Listen, print the ports as one line of JSON, and serve until told to end."""
    parser = argparse.ArgumentParser(prog="python -m emailcheck.sandbox", description=__doc__)
    for service, port in (("dns", 8153), ("socks", 8125), ("mail", 8126), ("http", 8180)):
        parser.add_argument(f"--{service}-port", type=int, default=port, help="0 for any free port")
    parser.add_argument("--data-dir", type=Path, default=Path("var/sandbox"), help="where mails are kept")
    parser.add_argument("--site-url", default="", help="where browsers find the pages below /sandbox")
    parser.add_argument("--webhook-id", default="", help="the webhook that PayPal signs its events for")
    parser.add_argument("--webhook-url", default="", help="where PayPal sends them")
    parser.add_argument("--latency-ms", type=float, default=0.0, help="how long a flush waits for its replies")
    parser.add_argument("--limits-factor", type=float, help="rates that the companies bear, in times those of life")
    uvloop.run(_serve_sandbox(SandboxOptions(**vars(parser.parse_args()))))


async def _serve_sandbox(options: SandboxOptions) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    async with start_sandbox(options) as sandbox:
        ports = {
            "dns": sandbox.dns_port,
            "socks": sandbox.socks_port,
            "mail": sandbox.mail_port,
            "http": sandbox.http_port,
        }
        print(json.dumps(ports), flush=True)
        await ended.wait()


if __name__ == "__main__":
    main()
