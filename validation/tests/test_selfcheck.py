"""The self-check says plainly what does not work."""

import socket
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tests.world import Sandbox


def test_in_the_simulated_world_everything_is_in_order(world: Sandbox) -> None:
    out = StringIO()
    call_command("verifier_selfcheck", stdout=out)
    lines = out.getvalue().splitlines()
    assert [line[:6] for line in lines] == ["ok    "] * 3
    assert lines[1].endswith("3 of 3 operators greeted us")


def test_a_closed_port_25_is_named_with_what_to_do(world: Sandbox, settings: Any) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.VERIFIER_ROUTES = (f"socks5://127.0.0.1:{closed.getsockname()[1]}",)
        out = StringIO()
        with pytest.raises(CommandError, match="cannot verify mailboxes"):
            call_command("verifier_selfcheck", stdout=out)
    assert "ok      DNS: 3 of 3 well-known domains answered" in out.getvalue()
    assert "FAILED  Port 25: closed by socks5://127.0.0.1" in out.getvalue()
    assert "Have it opened" in out.getvalue()


def test_a_resolver_that_does_not_answer_is_named(world: Sandbox, settings: Any) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as closed:
        closed.bind(("127.0.0.1", 0))
        unused = closed.getsockname()[1]
    settings.VERIFIER_DNS = (("127.0.0.1", unused),)
    out = StringIO()
    with pytest.raises(CommandError):
        call_command("verifier_selfcheck", stdout=out)
    assert f"FAILED  DNS: 0 of 3 well-known domains answered by 127.0.0.1:{unused}" in out.getvalue()
    assert "FAILED  Port 25: not tried, because DNS does not answer" in out.getvalue()
