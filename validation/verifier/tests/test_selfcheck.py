"""The self-check says plainly what does not work, and what to do about it."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import dns.flags
import dns.message
import dns.rcode
import dns.rrset
import pytest
from django.core.management import CommandError, call_command

from tests.world import WORLD_FILE, Sandbox, running_world
from validation.verifier.dns_reputation import ReputationResolver

VISITOR = "11.53.0.25"


def said(*, fails: bool) -> dict[str, tuple[bool | None, str, str]]:
    """What the command says, by name."""
    out = StringIO()
    if fails:
        with pytest.raises(CommandError, match="cannot verify mailboxes"):
            call_command("verifier_selfcheck", "--json", stdout=out)
    else:
        call_command("verifier_selfcheck", "--json", stdout=out)
    return {found["name"]: (found["ok"], found["seen"], found["advice"]) for found in json.loads(out.getvalue())}


@contextmanager
def resolver(address: str) -> Iterator[tuple[str, int]]:
    """A resolver that answers every question for an address record with `address`, and knows nothing else."""
    with socket.socket(type=socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 0))
        thread = threading.Thread(target=_answer, args=(server, address))
        thread.start()
        port = server.getsockname()[1]
        yield "127.0.0.1", port
        server.sendto(b"end", ("127.0.0.1", port))
        thread.join()


def _answer(server: socket.socket, address: str) -> None:
    while (received := server.recvfrom(4096))[0] != b"end":
        wire, client = received
        query = dns.message.from_wire(wire)
        response = dns.message.make_response(query)
        response.flags |= dns.flags.RA
        question = query.question[0]
        wanted = [address] * (question.rdtype == dns.rdatatype.A)
        response.answer = [dns.rrset.from_text(question.name, 60, "IN", "A", found) for found in wanted]
        server.sendto(response.to_wire(), client)


@contextmanager
def another_world(directory: Path, settings: Any, old: str, new: str) -> Iterator[Sandbox]:
    """The simulated world with one word of its description changed."""
    text = WORLD_FILE.read_text()
    assert text.count(old) == 1
    (directory / "world.toml").write_text(text.replace(old, new))
    with running_world(directory, directory / "world.toml") as sandbox:
        settings.VERIFIER_DNS = (("127.0.0.1", sandbox.dns_port),)
        settings.VERIFIER_ROUTES = (f"socks5://127.0.0.1:{sandbox.socks_port}",)
        yield sandbox


def test_in_the_simulated_world_everything_is_in_order(world: Sandbox) -> None:
    out = StringIO()
    call_command("verifier_selfcheck", stdout=out)
    lines = out.getvalue().splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "ok      DNS",
        "ok      Resolver",
        "ok      Sender",
        "",
        "Egress address socks5",
        "ok      Port 25",
        "ok      HELO",
        "ok      Reverse DNS",
        "ok      Names agree",
        "ok      Own mail hosts",
        "ok      Block list",
    ]
    assert lines[2].startswith("ok      Sender: <probe@emailcheck.app>: mx")
    assert lines[4] == f"Egress address socks5://127.0.0.1:{world.socks_port}"
    assert lines[5].endswith("3 of 3 operators greeted us")
    assert lines[6].endswith(f"verifier.emailcheck.app is {VISITOR}, the address that operators see")


@pytest.mark.spec("SCA-011", "SCA-013")
def test_each_egress_address_is_looked_at_under_its_own_name(world: Sandbox, settings: Any) -> None:
    port = world.socks_port
    settings.VERIFIER_HELO = "nobody.emailcheck.app"
    settings.VERIFIER_ROUTES = (
        f"socks5://127.0.0.1:{port};helo=verifier.emailcheck.app",
        f"socks5://localhost:{port};helo=mx1.northbeam-mail.net",
    )
    out = StringIO()
    with pytest.raises(CommandError, match="cannot verify mailboxes"):
        call_command("verifier_selfcheck", "--json", stdout=out)
    found = {(one["egress"], one["name"]): one for one in json.loads(out.getvalue())}
    first, second = f"socks5://127.0.0.1:{port}", f"socks5://localhost:{port}"
    named = [egress for egress, name in found if name == "HELO"]
    assert (named, found["", "DNS"]["ok"]) == ([first, second], True)
    assert found[first, "HELO"]["seen"].startswith(f"verifier.emailcheck.app is {VISITOR}, ")
    assert found[first, "Names agree"]["ok"] is True
    assert (found[second, "HELO"]["ok"], found[second, "Reverse DNS"]["ok"]) == (False, True)
    assert found[second, "Names agree"]["seen"] == f"the pointer of {VISITOR} does not say mx1.northbeam-mail.net"
    assert found[second, "Names agree"]["advice"].endswith("or the ;helo= of this route to what the pointer says.")


@pytest.mark.spec("SCA-013")
def test_a_source_address_that_reaches_nobody_is_looked_at_all_the_same(world: Sandbox, settings: Any) -> None:
    """This machine does not have it, so that no operator says where we come from."""
    settings.VERIFIER_ROUTES = (f"direct:{VISITOR};helo=verifier.emailcheck.app",)
    found = said(fails=True)
    assert found["Port 25"][:2] == (False, f"closed by direct:{VISITOR}: none of 3 operators could be reached")
    assert found["HELO"][:2] == (True, f"verifier.emailcheck.app is {VISITOR}, the address that operators see")
    assert [found[name][0] for name in ("Reverse DNS", "Names agree", "Block list")] == [True] * 3


def test_a_closed_port_25_is_named_with_what_to_do(world: Sandbox, settings: Any) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.VERIFIER_ROUTES = (f"socks5://user:secret@127.0.0.1:{closed.getsockname()[1]}",)
        found = said(fails=True)
    ok, seen, advice = found["Port 25"]
    assert (ok, "Have it opened" in advice, "secret" in str(found)) == (False, True, False)
    assert seen.startswith("closed by socks5://127.0.0.1:")
    assert found["DNS"][:2] == (True, f"3 of 3 well-known domains answered by {server_of(settings)}")
    assert [found[name][0] for name in ("HELO", "Reverse DNS", "Names agree", "Block list")] == [None] * 4


def server_of(settings: Any) -> str:
    return ":".join(map(str, settings.VERIFIER_DNS[0]))


def test_each_route_is_tried(world: Sandbox, settings: Any) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        settings.VERIFIER_ROUTES = (*settings.VERIFIER_ROUTES, f"socks5://127.0.0.1:{closed.getsockname()[1]}")
        out = StringIO()
        with pytest.raises(CommandError):
            call_command("verifier_selfcheck", stdout=out)
    ports = [line for line in out.getvalue().splitlines() if "Port 25" in line]
    assert [line[:6] for line in ports] == ["ok    ", "FAILED"]


def test_a_resolver_that_does_not_answer_is_named(world: Sandbox, settings: Any) -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as closed:
        closed.bind(("127.0.0.1", 0))
        unused = closed.getsockname()[1]
    settings.VERIFIER_DNS = (("127.0.0.1", unused),)
    found = said(fails=True)
    assert found["DNS"][:2] == (False, f"0 of 3 well-known domains answered by 127.0.0.1:{unused}")
    assert found["Port 25"][:2] == (False, "not tried, because DNS does not answer")


def test_a_helo_that_is_somebody_else_is_named(world: Sandbox, settings: Any) -> None:
    settings.VERIFIER_HELO = "mx1.northbeam-mail.net"
    found = said(fails=True)
    assert found["HELO"][0] is False
    assert f"operators see us come from {VISITOR}" in found["HELO"][1]
    assert found["Reverse DNS"][:2] == (True, f"{VISITOR} is verifier.emailcheck.app, and back")
    assert found["Names agree"][0] is False


def test_a_name_that_is_not_in_the_dns_is_named(tmp_path: Path, settings: Any) -> None:
    with another_world(tmp_path, settings, 'name = "verifier.emailcheck.app"', 'name = "elsewhere.emailcheck.app"'):
        found = said(fails=True)
    assert found["HELO"][1].startswith("verifier.emailcheck.app is not in the DNS")
    assert found["Names agree"][2].startswith(f"Set the PTR record of {VISITOR} to verifier.emailcheck.app")


@pytest.mark.parametrize(
    ("sender", "ok"),
    [
        ("gone.probe@emailcheck.app", False),
        ("probe@nomailhere.org", False),
        ("flaky@emailcheck.app", None),
        ("", None),
    ],
)
def test_a_sender_that_takes_no_mail_is_named(world: Sandbox, settings: Any, sender: str, ok: bool | None) -> None:
    settings.VERIFIER_MAIL_FROM = sender
    assert said(fails=ok is False)["Sender"][0] is ok


def test_probing_from_the_own_mail_host_is_named(tmp_path: Path, settings: Any, world: Sandbox) -> None:
    host = world.simulation.world.operators["northbeam"].hosts[0]
    with another_world(tmp_path, settings, f'address = "{VISITOR}"', f'address = "{host.addresses[0]}"'):
        found = said(fails=True)
    assert found["Own mail hosts"][:2] == (False, f"{host.name} has the address that we probe from")


def test_a_resolver_that_makes_names_up_is_named(world: Sandbox, settings: Any) -> None:
    with resolver("198.51.100.7") as lying:
        settings.VERIFIER_DNS = (lying,)
        found = said(fails=True)
    assert found["Resolver"][0] is False
    assert found["Resolver"][1].endswith("is 198.51.100.7")


@pytest.mark.parametrize(
    ("answer", "listed"), [("127.0.0.2", True), ("127.255.255.254", None)], ids=["listed", "refused"]
)
def test_what_a_block_list_says(answer: str, listed: bool | None) -> None:
    with resolver(answer) as list_server:
        assert ReputationResolver([list_server]).listed("192.0.2.1", "zen.spamhaus.org") is listed


def test_what_a_block_list_is_asked(world: Sandbox, settings: Any) -> None:
    names = ReputationResolver(settings.VERIFIER_DNS)
    assert (names.listed(VISITOR, "zen.spamhaus.org"), names.listed(VISITOR, "not.in.the.world.com")) == (False, None)
