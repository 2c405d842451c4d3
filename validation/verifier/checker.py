"""The bridge between Django and the engine: one warm engine per process.

The engine lives on an event loop in a thread of its own, started at first use, so that it starts after a fork and
keeps its DNS answers and mail sessions between requests. Which domains accept every name is stored in the database, for
all processes and over restarts; the engine's own memory stays the first level.
"""

import asyncio
import atexit
import threading
import time
from collections import deque
from collections.abc import AsyncGenerator, Collection, Iterable, Mapping, Sequence, Set
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import aclosing
from datetime import UTC, datetime
from itertools import chain
from typing import Any, Self

from django.conf import settings
from django.utils import timezone

from emailcheck.common.shared_state.machines import machine_id
from emailcheck.common.text.cleaning import make_storable
from emailcheck.common.web import metrics
from validation.egress.polling import refresh_egress
from validation.engine import (
    EVERY_CHECK,
    AddressSyntaxError,
    EngineConfig,
    FollowUp,
    OptionalCheck,
    RouteReport,
    RouteState,
    Verdict,
    parse,
)
from validation.engine.cli.garbage_collection import relax_garbage_collection
from validation.engine.egress.addresses import EgressState
from validation.engine.jobs import LIST_PATIENCE_S, Patience
from validation.engine.knowledge.domains import DomainOutcome
from validation.engine.limits.shared_limits import Lane, SharedLimits
from validation.engine.loop import new_event_loop
from validation.engine.profiles import Profiles
from validation.engine.verifier import Verifier
from validation.signals import routes_used
from validation.verifier.limits.heartbeats import MachineHeartbeats
from validation.verifier.limits.machine_file import MachineLimits
from validation.verifier.limits.redis_leases import RedisLimits
from validation.verifier.models import DomainMemory

Arrival = tuple[int, Verdict]
REPORTS_EVERY_S = 10.0
SHORT_PATIENCE = Patience(Lane.SHORT, 8.0)
LONG_PATIENCE = Patience(Lane.LONG, LIST_PATIENCE_S)


class Run:
    """A list under check in the engine."""

    def __init__(self, arrived: deque[Arrival], work: "Future[None]") -> None:
        self._arrived = arrived
        self.work = work

    @classmethod
    def make_ended(cls) -> Self:
        """A run of nothing."""
        work: Future[None] = Future()
        work.set_result(None)
        return cls(deque(), work)

    @property
    def ended(self) -> bool:
        """Whether all verdicts have been collected."""
        return self.work.done()

    def pop_arrived(self) -> list[Arrival]:
        """The (index, verdict) pairs that arrived since the last call."""
        return [self._arrived.popleft() for _ in range(len(self._arrived))]

    def pending_futures(self) -> list["Future[Any]"]:
        """Futures to wait for until verdicts arrive or the run ends."""
        return [self.work]

    def pop_postponed(self) -> list[tuple[int, Verdict, datetime]]:
        """The rows to ask about again, by index, with the time. The engine has none."""
        return []

    def stop(self) -> None:
        """Stop checking the remaining rows."""
        self.work.cancel()


class Checker:
    """Runs checks of the engine from ordinary threads."""

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
        """Stop the loop before the interpreter ends: libuv crashes when it calls into an ended interpreter."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    def check(
        self, address: str, *, checks: Set[OptionalCheck] = EVERY_CHECK, deadline_s: float | None = None
    ) -> Verdict:
        """The verdict on one address by the optional `checks`, at the latest after `deadline_s`.

        It is `not_asked` where the address would stand in line for too long; it passes long lists by.
        """
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
        """Start checking a list. Each index arrives once; undecided rows are unknown after `deadline_s` seconds.

        Rows that would stand in line for long arrive early, as `not_asked`. `follow_ups`: earlier probes by index.
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
        """The operators whose line in this process is full."""
        return self._verifier.groups.crowded()

    def set_egress(self, states: Mapping[str, EgressState]) -> None:
        """Set the states of our egress addresses, by key."""
        if states != self._states:
            self._states = dict(states)
            self._loop.call_soon_threadsafe(self._verifier.groups.set_egress, states)

    def set_profiles(self, profiles: Profiles) -> None:
        """Set the operators' limits."""
        if profiles is not self._profiles:
            self._profiles = profiles
            self._loop.call_soon_threadsafe(self._verifier.groups.set_profiles, profiles)

    def load_known_domains(self, addresses: Iterable[str]) -> None:
        """Pass the stored facts about some addresses' domains to the engine: one query, none where it remembers all."""
        domains = {domain for domain in set(map(_domain_of, addresses)) if domain}
        unknown = [domain for domain in domains if not self._verifier.remembers(domain)]
        if not unknown:
            return
        known = DomainMemory.objects.filter(domain__in=unknown, expires_at__gt=timezone.now())
        outcomes = [
            DomainOutcome(domain, accepts_all, reply, expires_at.timestamp())
            for domain, accepts_all, reply, expires_at in known.values_list()
        ]
        if outcomes:
            self._loop.call_soon_threadsafe(self._verifier.recall, outcomes)

    def store_learned(self) -> None:
        """Store the engine's new facts, the last one for each domain, and send the reports of its routes.

        Call it after the transaction of the results, so that neither waits for the other.
        """
        if reports := self._take_route_reports():
            routes_used.send(sender=None, reports=reports)
        fresh = {outcome.domain: outcome for outcome in self._verifier.learned()}
        if fresh:
            DomainMemory.objects.bulk_create(
                # in one order, so that two writers never wait in a circle
                [_build_memory(fresh[domain]) for domain in sorted(fresh)],
                update_conflicts=True,
                unique_fields=["domain"],
                update_fields=["accepts_all", "reply", "expires_at"],
            )

    def _take_route_reports(self) -> list[RouteReport]:
        """The operators' replies by route, at most every ten seconds, but at once after a rejection.

        A report that is not collected is merged into the next.
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


def _build_memory(outcome: DomainOutcome) -> DomainMemory:
    return DomainMemory(
        domain=outcome.domain,
        accepts_all=outcome.accepts_all,
        reply=make_storable(outcome.reply),
        expires_at=datetime.fromtimestamp(outcome.expires_at, UTC),
    )


def _domain_of(address: str) -> str:
    """The domain in the engine's spelling; "" for none. Only non-ASCII domains are converted."""
    domain = address.rpartition("@")[2].strip().lower()
    if domain.isascii():
        return domain[:255]
    try:
        return parse(address).domain
    except AddressSyntaxError:
        return ""


def wait_for_any(runs: Collection[Run], seconds: float) -> None:
    """Wait until one of the runs has ended or has verdicts, for at most `seconds`."""
    with metrics.waiting_for_mail_hosts():
        if runs:
            futures = chain.from_iterable(run.pending_futures() for run in runs)
            wait(futures, timeout=seconds, return_when=FIRST_COMPLETED)
        else:
            time.sleep(seconds)


_lock = threading.Lock()
_checkers: dict[tuple[object, ...], Checker] = {}
TEST_DOMAIN = "test.emailcheck.app"
"""The domain of the addresses of test mode."""
_CHOSEN = ("VERIFIER_DNS", "VERIFIER_SMTP_PORT", "VERIFIER_HELO", "VERIFIER_MAIL_FROM", "VERIFIER_ROUTES")


def checker() -> Checker:
    """The checker of this process for the present settings."""
    chosen = tuple([getattr(settings, name) for name in _CHOSEN])
    with _lock:
        if chosen not in _checkers:
            relax_garbage_collection()
            _checkers[chosen] = Checker(engine_config(), shared_limits())
        made = _checkers[chosen]
    refresh_egress(made)
    return made


def shared_limits() -> SharedLimits:
    """The shared limits: of all machines with Redis, else of this machine."""
    machine = MachineLimits(settings.SESSIONS_DIR)
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
        test_domains=frozenset({TEST_DOMAIN}),
    )


def delete_expired_domains() -> None:
    """Delete expired facts about domains."""
    DomainMemory.objects.filter(expires_at__lte=timezone.now()).delete()
