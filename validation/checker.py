"""The bridge between Django and the engine: one warm engine per process.

The engine lives on an event loop in a thread of its own, started at first use, so that it starts after a fork and
keeps its DNS answers and mail sessions between requests.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future

from django.conf import settings

from validation.engine import EngineConfig, Verdict, Verifier

Arrivals = list[tuple[int, Verdict]]


class OutOfTime(Exception):
    """The time that was given for a list has passed; verdicts are missing."""


class Checker:
    """Asks the engine from ordinary threads."""

    def __init__(self, config: EngineConfig) -> None:
        self._loop = asyncio.new_event_loop()
        self._verifier = Verifier.build(config)
        threading.Thread(target=self._loop.run_forever, name="engine", daemon=True).start()

    def check(self, address: str) -> Verdict:
        """The verdict on one address."""
        return asyncio.run_coroutine_threadsafe(self._verifier.verify(address), self._loop).result()

    def check_many(
        self,
        addresses: Sequence[str],
        *,
        progress: Callable[[Arrivals], None],
        every_s: float = 1.0,
        deadline_s: float | None = None,
        within_s: float | None = None,
    ) -> None:
        """Verdicts on a list: `progress` gets the (index, verdict) pairs that arrived, every `every_s` seconds.

        Each index arrives once; an address that is not decided after `deadline_s` seconds is unknown. Raises
        `OutOfTime` when the list takes longer than `within_s` seconds, and whatever `progress` raises; the work is
        stopped then.
        """
        arrived: deque[tuple[int, Verdict]] = deque()
        work = asyncio.run_coroutine_threadsafe(self._collect(addresses, arrived, deadline_s, within_s), self._loop)
        try:
            while not _done(work, every_s):
                progress(_drain(arrived))
            work.result()
            progress(_drain(arrived))
        except TimeoutError as error:
            raise OutOfTime from error
        finally:
            work.cancel()

    async def _collect(
        self,
        addresses: Sequence[str],
        arrived: deque[tuple[int, Verdict]],
        deadline_s: float | None,
        within_s: float | None,
    ) -> None:
        async with asyncio.timeout(within_s):
            async for pair in self._verifier.verify_many(addresses, deadline_s=deadline_s):
                arrived.append(pair)


def _done(work: "Future[None]", wait_s: float) -> bool:
    try:
        work.exception(timeout=wait_s)
    except TimeoutError:
        return work.done()
    except CancelledError:
        return True
    return True


def _drain(arrived: deque[tuple[int, Verdict]]) -> Arrivals:
    return [arrived.popleft() for _ in range(len(arrived))]


_lock = threading.Lock()
_checkers: dict[EngineConfig, Checker] = {}


def checker() -> Checker:
    """The checker of this process for the settings of now."""
    config = engine_config()
    with _lock:
        if config not in _checkers:
            _checkers[config] = Checker(config)
        return _checkers[config]


def engine_config() -> EngineConfig:
    """The engine's configuration from the settings."""
    return EngineConfig(
        dns_servers=settings.VERIFIER_DNS,
        smtp_port=settings.VERIFIER_SMTP_PORT,
        helo=settings.VERIFIER_HELO,
        mail_from=settings.VERIFIER_MAIL_FROM,
        routes=settings.VERIFIER_ROUTES,
    )
