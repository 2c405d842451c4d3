"""What the commands of a machine refuse, and when they call themselves ready."""

import socket
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from emailcheck.common.management.families import Readiness, build_worker_members, is_listening
from tests.stack import free_port


@pytest.mark.parametrize("name", ["PORT", "SANDBOX_SOCKS_PORT", "SANDBOX_MAIL_PORT", "SANDBOX_HTTP_PORT"])
def test_a_port_that_is_taken_is_named_and_nothing_starts(settings: Any, name: str) -> None:
    settings.PORT = settings.SANDBOX_SOCKS_PORT = settings.SANDBOX_MAIL_PORT = settings.SANDBOX_HTTP_PORT = 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        taken = server.getsockname()[1]
        setattr(settings, name, taken)
        with pytest.raises(CommandError, match=f"127.0.0.1:{taken} is taken"):
            call_command("serve")


@pytest.mark.django_db
def test_a_database_without_our_tables_is_refused_with_what_to_do(settings: Any) -> None:
    settings.PORT, settings.SANDBOX = free_port(), False
    MigrationRecorder(connection).migration_qs.filter(app="common", name="0004_leases").delete()
    with pytest.raises(
        CommandError, match=r"1 migrations are missing in the database: run `python manage\.py migrate` first"
    ):
        call_command("serve")


@pytest.mark.parametrize("queues", ["", "bulk,lists"])
def test_queues_that_there_are_not_are_refused(queues: str) -> None:
    with pytest.raises(CommandError, match="--queues takes names of high, mail, bulk, hooks"):
        call_command("work", queues=queues)


@pytest.mark.finding("B8")
@pytest.mark.parametrize(
    ("host", "bound"), [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "0.0.0.0"), ("127.0.0.7", "127.0.0.7"), ("::", "::1")]
)
def test_a_machine_is_ready_wherever_it_listens(settings: Any, host: str, bound: str) -> None:
    settings.HOST = host
    family = socket.AF_INET6 if ":" in bound else socket.AF_INET
    said: list[str] = []
    with socket.create_server((bound, 0), family=family) as server:
        port = server.getsockname()[1]
        ready = Readiness([port], lambda: said.append("ready"))
        ready.look()
        ready.look()
    assert (said, is_listening(port)) == (["ready"], False)


def test_readiness_waits_for_every_port() -> None:
    said: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        Readiness([server.getsockname()[1], free_port()], lambda: said.append("ready")).look()
    assert said == []


@pytest.mark.finding("B8")
def test_each_queue_has_as_many_workers_as_is_set_and_mail_has_its_own(settings: Any) -> None:
    settings.QUEUE_WORKERS = {"high": 2, "mail": 1, "bulk": 3, "hooks": 1}
    assert [one.name for one in build_worker_members(["high", "mail", "bulk"])] == [
        "high-0", "high-1", "mail-0", "bulk-0", "bulk-1", "bulk-2",
    ]  # fmt: skip
