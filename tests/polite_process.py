"""One process of several that check addresses at once, as the product's processes do: an engine behind a shared
count.

Takes the ports of the simulated world, the directory of the count and, where there is one, the address of a Redis;
reads addresses from standard input and prints `ready`, then every verdict's category and reason as it comes.
"""

import asyncio
import sys
from pathlib import Path

from validation.engine import EngineConfig
from validation.engine.profiles import Profiles
from validation.engine.verifier import Verifier
from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.limits.redis_leases import RedisLimits, Times
from validation.verifier.limits.shares import Share

PACE = Path(__file__).parent.parent / "emailcheck" / "sandbox" / "profiles.toml"
ALONE = Share(0, 1, may_take=True)
TIMES = Times(lease_s=4.0, margin_s=1.0)


async def check(dns_port: int, socks_port: int, directory: Path, redis_url: str) -> None:
    """Check what is read from standard input."""
    machine = MachineLimits(directory)
    config = EngineConfig(
        dns_servers=(("127.0.0.1", dns_port),),
        routes=(f"socks5://127.0.0.1:{socks_port}",),
        helo="verifier.emailcheck.app",
        mail_from="probe@emailcheck.app",
        idle_s=1.0,
        profiles=Profiles.read(PACE),
    )
    shared = RedisLimits(redis_url, machine, lambda: ALONE, times=TIMES) if redis_url else machine
    verifier = Verifier.build(config, shared=shared)
    _say("ready")
    addresses = sys.stdin.read().split()
    async for _, verdict in verifier.verify_many(addresses):
        _say(f"{verdict.category} {verdict.reason}")
    await verifier.aclose()


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    dns, socks, folder, *redis = sys.argv[1:]
    asyncio.run(check(int(dns), int(socks), Path(folder), redis[0] if redis else ""))
