"""The families of processes that the commands run."""

import logging
import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial

from django.conf import settings
from django.core.checks import Tags
from django.core.management import CommandError
from django.core.management.base import BaseCommand
from django.db import connections

from emailcheck.common import files
from emailcheck.common.queue import scheduler, tasks, workers
from emailcheck.common.queue.family import Family, Member
from emailcheck.common.queue.liveness import FamilyLiveness, Liveness
from emailcheck.common.queue.tasks import Queue
from emailcheck.common.server import bounds, listening
from emailcheck.common.shared_state import machines
from emailcheck.common.storage.schema_age import count_missing_migrations

log = logging.getLogger(__name__)
# What a process takes to end when it has nothing left to do.
END_S = 1.0
# A turn of a worker, and time to end.
RESTART_WITHIN_S = settings.TURN_SECONDS + 20


def _say_nothing() -> None:
    """What most commands announce."""


def run_family(
    command: BaseCommand,
    queues: Sequence[Queue],
    *,
    web: bool = False,
    schedules: bool = False,
    announce: Callable[[], None] = _say_nothing,
) -> None:
    """Check the database and run processes of this machine until SIGTERM or SIGINT.

    Tasks of the schedules are made with `schedules`, and where `high` has workers, so that web and workers alone do
    all that there is to do; however many families make them, each is made once. `announce` is called once, when every
    port answers. Raises `CommandError` for a port that is taken, for a database without the tables of this edition, and
    for a machine that may not run beside another.
    """
    has_sandbox = settings.SANDBOX and web and bool(queues)
    ports = list_ports(sandbox=has_sandbox) if web else []
    _check_start(command, ports)
    files_at = _join_machines()
    makes_tasks = schedules or "high" in queues
    if makes_tasks:
        tasks.ensure_schedules()
    connections.close_all()
    listener = listening.open_listener() if web else None
    members = [
        *([build_sandbox_member()] if has_sandbox else []),
        *(listening.build_web_members(listener) if listener else []),
        *build_worker_members(queues),
    ]
    liveness = FamilyLiveness(len(members) + 1)
    shown = {
        queue: [each for one, each in zip(members, liveness.members, strict=False) if one.name.startswith(f"{queue}-")]
        for queue in queues
    }
    duties = scheduler.Duties(liveness, shown, makes_tasks, files_at)
    members.append(Member("scheduler", partial(scheduler.run_scheduler, duties)))
    if has_sandbox:
        outside = Readiness(ports[1:], lambda: None)
        for one in members[1:]:
            one.may_start = outside.look
    Family(
        members,
        liveness,
        log.warning,
        on_tick=Readiness(ports, announce).look,
        on_stop=listener.close if listener else _say_nothing,
        restart_within_s=RESTART_WITHIN_S,
        stop_within_s=bounds.drain_within_s(settings.WEB_GRACE_SECONDS if web else 0) + END_S,
    ).run()


def _check_start(command: BaseCommand, ports: Sequence[int]) -> None:
    for port in ports:
        if is_listening(port):
            raise CommandError(f"{settings.HOST}:{port} is taken: stop what runs there, or set EMAILCHECK_PORT")
    command.check(tags=[Tags.database], databases=["default"])
    if missing := count_missing_migrations():
        raise CommandError(f"{missing} migrations are missing in the database: run `python manage.py migrate` first")


def _join_machines() -> str:
    """Report this machine as one that runs; answers where it keeps its files.

    Raises `CommandError`, with what is missing, where it may not run beside another.
    """
    files_at = files.describe_place()
    machines.report_running(files_at)
    if refusal := machines.find_refusal(files_at):
        machines.report_stopped()
        raise CommandError(refusal)
    return files_at


def list_ports(*, sandbox: bool) -> list[int]:
    """Where this installation listens; those of the sandbox lie so far above `EMAILCHECK_PORT`, unless they are set."""
    simulated = (settings.SANDBOX_SOCKS_PORT, settings.SANDBOX_MAIL_PORT, settings.SANDBOX_HTTP_PORT)
    return [settings.PORT, *(simulated if sandbox else ())]


def build_worker_members(queues: Sequence[Queue]) -> list[Member]:
    """The workers of some queues."""
    return [
        Member(f"{queue}-{number}", partial(workers.run_worker, queue), is_worker=True)
        for queue in queues
        for number in range(settings.QUEUE_WORKERS[queue])
    ]


def build_sandbox_member() -> Member:
    """The simulated outside world: a program of its own."""
    return Member("sandbox", _run_sandbox, is_watched=False)


def _run_sandbox(liveness: Liveness) -> None:
    """Become the sandbox."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    command = [
        *(sys.executable, "-m", "emailcheck.sandbox", "--data-dir", str(settings.VAR_DIR / "sandbox")),
        *("--dns-port", str(settings.SANDBOX_DNS_PORT), "--socks-port", str(settings.SANDBOX_SOCKS_PORT)),
        *("--mail-port", str(settings.SANDBOX_MAIL_PORT), "--http-port", str(settings.SANDBOX_HTTP_PORT)),
        *("--site-url", settings.SITE_URL, "--webhook-id", settings.PAYPAL_WEBHOOK_ID),
        *("--webhook-url", f"http://{settings.HOST}:{settings.PORT}/api/payments/paypal/webhook"),
    ]
    os.execv(sys.executable, command)


class Readiness:
    """Whether every port answers; `announce` is called once, when that is so for the first time."""

    def __init__(self, ports: Sequence[int], announce: Callable[[], None]) -> None:
        self._awaited = list(ports)
        self._announce = announce

    def look(self) -> bool:
        """Whether they have all answered by now."""
        if self._awaited:
            self._awaited = [port for port in self._awaited if not is_listening(port)]
            if not self._awaited:
                with suppress(OSError):  # standard output on a full disk
                    self._announce()
        return not self._awaited


def is_listening(port: int) -> bool:
    """Whether a process accepts TCP connections at a port of `HOST`; of this machine where that is every address."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.HOST, settings.HOST)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        return probe.connect_ex((host, port)) == 0
