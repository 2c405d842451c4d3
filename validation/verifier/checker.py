"""The bridge between Django and the engine: one warm engine per process.

The engine lives on an event loop in a thread of its own, started at first use, so that it starts after a fork and
keeps its DNS answers and mail sessions between requests.
"""

import asyncio
import atexit
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import aclosing
from datetime import datetime
from itertools import chain
from typing import Any

from django.conf import settings

from emailcheck.common.web import metrics
from validation.egress.addresses import refresh_egress
from validation.engine import EVERY_CHECK, EngineConfig, FollowUp, OptionalCheck, RouteReport, RouteState, Verdict
from validation.engine.calls.context import LIST_PATIENCE_S, Patience
from validation.engine.cli.garbage_collection import relax_garbage_collection
from validation.engine.egress.addresses import EgressState
from validation.engine.limits.shared_limits import Lane, SharedLimits
from validation.engine.loop import new_event_loop
from validation.engine.probes.catch_all import DomainOutcome
from validation.engine.profiles import Profiles
from validation.engine.verifier import Verifier
from validation.verifier.limits.heartbeats import MachineHeartbeats, machine_id
from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.limits.redis_leases import RedisLimits

Arrival = tuple[int, Verdict]
REPORTS_EVERY_S = 10.0
SHORT_PATIENCE = Patience(Lane.SHORT, 8.0)
LONG_PATIENCE = Patience(Lane.LONG, LIST_PATIENCE_S)


class Run:
    """A list on its way through the engine."""

    def __init__(self, arrived: deque[Arrival], work: "Future[None]") -> None:
        self._arrived = arrived
        self.work = work

    @property
    def ended(self) -> bool:
        """Nothing more will arrive."""
        return self.work.done()

    def pop_arrived(self) -> list[Arrival]:
        """The (index, verdict) pairs that arrived since the last call."""
        return [self._arrived.popleft() for _ in range(len(self._arrived))]

    def pending_futures(self) -> list["Future[Any]"]:
        """What to wait for until there is something to take, or an end."""
        return [self.work]

    def pop_postponed(self) -> list[tuple[int, Verdict, datetime]]:
        """The rows, by index, that have to be asked about again, with the time; the engine has none."""
        return []

    def stop(self) -> None:
        """Give up what has not arrived."""
        self.work.cancel()


class Checker:
    """Asks the engine from ordinary threads."""

    def __init__(self, config: EngineConfig, shared: SharedLimits | None = None) -> None:
        self._loop = new_event_loop()
        self._verifier = Verifier.build(config, shared=shared)
        self._states: dict[str, EgressState] = {}
        self._profiles = config.profiles
        self._reports: dict[tuple[str, str], RouteReport] = {}
        self._reported_at = -REPORTS_EVERY_S
        self._thread = threading.Thread(target=self._loop.run_forever, name="engine", daemon=True)
        self._thread.start()
        atexit.register(self._stop)

    def _stop(self) -> None:
        """Stop the loop before the interpreter goes: libuv that calls into one which is gone is a crash."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def check(
        self, address: str, *, checks: Set[OptionalCheck] = EVERY_CHECK, deadline_s: float | None = None
    ) -> Verdict:
        """The verdict on one address, of the optional checks by `checks` alone, at the latest after `deadline_s`; it
        is `not_asked` where the address would stand in line for too long, though it passes long lists by."""
        verdict = self._verifier.verify(address, checks=checks, deadline_s=deadline_s, patience=SHORT_PATIENCE)
        asked = asyncio.run_coroutine_threadsafe(verdict, self._loop)
        with metrics.waiting_for_mail_hosts():
            return asked.result()

    def start(
        self,
        addresses: Sequence[str],
        *,
        deadline_s: float,
        checks: Set[OptionalCheck] = EVERY_CHECK,
        follow_ups: Mapping[int, FollowUp] | None = None,
        lane: Lane = Lane.LONG,
    ) -> Run:
        """Begin with a list. Each index arrives once; what is not decided after `deadline_s` seconds is unknown.

        What has to stand in line for long arrives early, as `not_asked`. `follow_ups` says, by index, how an address
        was asked for before.
        """
        arrived: deque[Arrival] = deque()
        run = self._verifier.verify_many(
            addresses,
            deadline_s=deadline_s,
            follow_ups=follow_ups or {},
            checks=checks,
            patience=SHORT_PATIENCE if lane is Lane.SHORT else LONG_PATIENCE,
        )
        return Run(arrived, asyncio.run_coroutine_threadsafe(self._collect(run, arrived), self._loop))

    def crowded(self) -> frozenset[str]:
        """The operators at whom as many addresses stand in line in this process as may."""
        return self._verifier.crowded()

    def set_egress(self, states: Mapping[str, EgressState]) -> None:
        """Tell the engine what the calendar and people say of our egress addresses, by key."""
        if states != self._states:
            self._states = dict(states)
            self._loop.call_soon_threadsafe(self._verifier.set_egress, states)

    def set_profiles(self, profiles: Profiles) -> None:
        """Have the engine go by other limits of operators."""
        if profiles is not self._profiles:
            self._profiles = profiles
            self._loop.call_soon_threadsafe(self._verifier.set_profiles, profiles)

    def recall(self, outcomes: Collection[DomainOutcome]) -> None:
        """Tell the engine what was learned elsewhere, before what is begun after this call."""
        if outcomes:
            self._loop.call_soon_threadsafe(self._verifier.recall, outcomes)

    def remembers(self, domain: str) -> bool:
        """Whether the engine knows by itself, and it still counts, if a domain accepts every name."""
        return self._verifier.remembers(domain)

    def learned(self) -> list[DomainOutcome]:
        """What the engine has learned about domains since the last call."""
        return self._verifier.learned()

    def route_reports(self) -> list[RouteReport]:
        """How operators took us, in portions of ten seconds, but at once when one turned us away.

        A portion that nobody asks for goes with the next.
        """
        fresh = self._verifier.route_reports()
        for one in fresh:
            self._reports[one.route, one.operator] = _merge_reports(self._reports.get((one.route, one.operator)), one)
        is_urgent = any(one.state is not RouteState.WORKING for one in fresh)
        if not is_urgent and time.monotonic() < self._reported_at + REPORTS_EVERY_S:
            return []
        self._reported_at = time.monotonic()
        reports, self._reports = self._reports, {}
        return list(reports.values())

    async def _collect(self, run: AsyncGenerator[Arrival, None], arrived: deque[Arrival]) -> None:
        async with aclosing(run) as verdicts:
            async for pair in verdicts:
                arrived.append(pair)


def _merge_reports(before: RouteReport | None, after: RouteReport) -> RouteReport:
    if before is None:
        return after
    after.probes += before.probes
    after.refusals += before.refusals
    after.refusal = after.refusal or before.refusal
    return after


def wait_for_any(runs: Collection[Run], seconds: float) -> None:
    """Return when one of the runs has ended, or been answered, at the latest after `seconds`."""
    with metrics.waiting_for_mail_hosts():
        if runs:
            futures = chain.from_iterable(run.pending_futures() for run in runs)
            wait(futures, timeout=seconds, return_when=FIRST_COMPLETED)
        else:
            time.sleep(seconds)


_lock = threading.Lock()
_checkers: dict[EngineConfig, Checker] = {}


def checker() -> Checker:
    """The checker of this process for the settings of now."""
    config = engine_config()
    with _lock:
        if config not in _checkers:
            relax_garbage_collection()
            _checkers[config] = Checker(config, shared_limits())
        made = _checkers[config]
    refresh_egress(made)
    return made


def shared_limits() -> SharedLimits:
    """The count of what operators are asked for: all machines' where there is a Redis, else that of this machine."""
    machine = MachineLimits(settings.PLACES_FILE)
    if not settings.REDIS_URL:
        return machine
    machines = MachineHeartbeats(
        machine_id(settings.MACHINE_FILE), lambda: limits.is_reaching or machine.is_another_reaching()
    )
    limits = RedisLimits(settings.REDIS_URL, machine, machines.share)
    machines.start()
    return limits


def engine_config() -> EngineConfig:
    """The engine's configuration from the settings."""
    return EngineConfig(
        dns_servers=settings.VERIFIER_DNS,
        smtp_port=settings.VERIFIER_SMTP_PORT,
        helo=settings.VERIFIER_HELO,
        mail_from=settings.VERIFIER_MAIL_FROM,
        routes=settings.VERIFIER_ROUTES,
    )
