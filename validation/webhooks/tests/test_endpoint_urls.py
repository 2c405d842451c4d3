"""Webhooks never reach inside: not by an address, a name, a name that moves, nor a redirect."""

import errno
import socket
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.users.models import User
from emailcheck.common.errors import BadInput
from emailcheck.common.outbound.http import NotSent, Origin
from tests.hooks import EVERY_EVENT, HOST, Endpoint, Mode, endpoint, sent
from tests.world import Sandbox
from validation.egress import public_hosts
from validation.egress.public_hosts import NotPublic
from validation.tests import stored
from validation.webhooks import endpoint_urls
from validation.webhooks import services as webhooks
from validation.webhooks.endpoint_urls import HTTPS, LOGIN, MALFORMED, PORT, PRIVATE, TOO_LONG, UNKNOWN
from validation.webhooks.events import announce_single
from validation.webhooks.models import Webhook, WebhookAttempt

pytestmark = pytest.mark.django_db
MOVING = "https://rebind.hookbarn.com/hook"
INSIDE = "The address leads to a private or reserved network, so nothing was sent."


@pytest.fixture(autouse=True)
def _world(world: Sandbox) -> Sandbox:
    return world


@pytest.fixture
def listener(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Whoever is dialled by this process, but for the world's own ports."""
    dialled: list[Any] = []
    connect = socket.create_connection

    def note(address: Any, *rest: Any, **more: Any) -> socket.socket:
        dialled.append(address)
        return connect(address, *rest, **more)

    monkeypatch.setattr(socket, "create_connection", note)
    return dialled


@pytest.mark.spec("DOC-055")
@pytest.mark.parametrize(
    ("url", "detail"),
    [
        ("http://inbox.hookbarn.com/a", HTTPS),
        ("ftp://inbox.hookbarn.com/a", HTTPS),
        ("inbox.hookbarn.com/a", HTTPS),
        ("https:///a", HTTPS),
        ("https://", HTTPS),
        ("https://inbox.hookbarn.com:8443/a", PORT),
        ("https://inbox.hookbarn.com:80/a", PORT),
        ("https://inbox.hookbarn.com:0/a", PORT),
        ("https://me:secret@inbox.hookbarn.com/a", LOGIN),
        ("https://inbox.hookbarn.com@127.0.0.1/a", LOGIN),
        ("https://inbox.hookbarn.com:port/a", MALFORMED),
        ("https://inbox.hookbarn.com/a b", MALFORMED),
        ("https://inbox.hookbarn.com/a\r\nHost: x", MALFORMED),
        ("https://inbox.hookbarn.com\\@127.0.0.1/", MALFORMED),
        ("https://[::1/a", MALFORMED),
        ("https://[fe80::1%25eth0]/a", PRIVATE),
        ("https://-a-.com/", MALFORMED),
        ("https://nobody-knows-this.com/a", UNKNOWN),
        (f"https://inbox.hookbarn.com/{'é' * 400}", TOO_LONG),
        *(
            (f"https://{host}/a", PRIVATE)
            for host in (
                "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001", "0",
                "１２７.０.０.１", "127。0。0。1", "127.0.0.1.", "10.0.0.5", "192.168.1.1", "172.16.0.1",
                "169.254.169.254", "100.64.0.1", "224.0.0.1", "255.255.255.255", "198.18.0.1", "203.0.113.7",
                "[::1]", "[::]", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "[fd00::1]",
                "[fe80::1]", "[::127.0.0.1]", "[2001:db8::1]", "[ff02::1]", "localhost", "intranet",
                "private.hookbarn.com", "loopback.hookbarn.com", "metadata.hookbarn.com", "mapped.hookbarn.com",
                "nat64.hookbarn.com", "mixed.hookbarn.com",
            )
        ),
    ],
)  # fmt: skip
def test_what_is_no_public_https_address_is_refused(alice_api: APIClient, url: str, detail: str) -> None:
    answer = alice_api.post("/api/user/webhooks", {"url": url, "events": ["batch.completed"]}, format="json")
    body = answer.json()
    assert (answer.status_code, body["code"], body["detail"]) == (400, "INVALID_WEBHOOK_URL", detail)
    assert body["details"]["field"] == "url"
    assert Webhook.objects.count() == 0


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("  HTTPS://Inbox.HookBarn.COM:443  ", f"https://{HOST}/"),
        (f"https://{HOST}./a?b=c&d=%20#frag", f"https://{HOST}/a?b=c&d=%20"),
        (f"https://{HOST}/grüße/%7E", f"https://{HOST}/gr%C3%BC%C3%9Fe/%7E"),
        (f"https://{HOST}?x=1", f"https://{HOST}/?x=1"),
        ("https://ｉｎｂｏｘ.hookbarn.com/a", f"https://{HOST}/a"),
        ("https://11.90.0.10/a", "https://11.90.0.10/a"),
        ("https://[2A0E:5EC0:90:0::10]/a", "https://[2a0e:5ec0:90::10]/a"),
    ],
)
def test_an_address_is_kept_in_one_spelling(url: str, kept: str) -> None:
    assert endpoint_urls.check_url(url).url == kept


@pytest.mark.parametrize("url", ["http://a.com/", "https://127.0.0.1/", "https://private.hookbarn.com/"])
def test_a_change_is_checked_like_a_new_one(world: Sandbox, alice: User, url: str) -> None:
    shop = endpoint(world, alice)
    with pytest.raises(BadInput):
        webhooks.update_endpoint(
            organisation=alice.own_organisation, webhook_id=shop.hook.pk, url=url, events=["quota.warning"]
        )
    hook = Webhook.objects.get()
    assert (hook.url, len(hook.events)) == (f"https://{HOST}/shop", len(EVERY_EVENT))


@pytest.mark.spec("DOC-055")
def test_a_name_that_moves_inside_after_it_was_saved_is_not_dialled(
    world: Sandbox, alice: User, listener: list[Any], settings: Any
) -> None:
    settings.SLICE_SECONDS = 0.2  # the worker does not stay for the second try
    hook, _ = webhooks.create_endpoint(organisation=alice.own_organisation, url=MOVING, events=["validation.completed"])
    before = len(listener)
    world.simulation.rebind(inside=True)
    sent()
    announce_single(stored.single(alice, "ida.holm@harborquill.com"))
    listener.clear()
    sent()
    attempt = WebhookAttempt.objects.earliest("pk")
    assert (attempt.status, attempt.error) == (None, INSIDE)
    assert listener == []
    assert before == 0
    world.simulation.rebind(inside=False)
    assert webhooks.send_test(organisation=alice.own_organisation, webhook_id=hook.pk).delivered


def test_what_is_dialled_is_the_address_that_was_checked(world: Sandbox, alice: User, listener: list[Any]) -> None:
    """One question to the name server for each connection: there is no second answer that could differ."""
    webhooks.create_endpoint(organisation=alice.own_organisation, url=MOVING, events=["validation.completed"])
    asked = world.simulation.names.questions
    announce_single(stored.single(alice, "ida.holm@harborquill.com"))
    asked.clear()
    listener.clear()
    sent()
    assert (asked["A"], asked["AAAA"], len(listener)) == (1, 1, 1)


def test_a_redirect_inside_is_not_followed(world: Sandbox, alice: User, listener: list[Any]) -> None:
    shop = endpoint(world, alice)
    shop.answers(Mode.REDIRECT)
    outcome = webhooks.send_test(organisation=alice.own_organisation, webhook_id=shop.hook.pk)
    assert (outcome.status, outcome.error, len(shop.arrived), len(listener)) == (
        302,
        "Redirects are not followed.",
        1,
        1,
    )


def test_a_host_without_a_certificate_that_counts_gets_nothing(world: Sandbox, alice: User, settings: Any) -> None:
    shop: Endpoint = endpoint(world, alice)
    settings.WEBHOOK_CA_FILE = ""
    outcome = webhooks.send_test(organisation=alice.own_organisation, webhook_id=shop.hook.pk)
    assert (outcome.status, outcome.error) == (None, "No secure connection could be made.")
    settings.WEBHOOK_CA_FILE = "/nowhere/authority.pem"
    assert (
        webhooks.send_test(organisation=alice.own_organisation, webhook_id=shop.hook.pk).error
        == "No secure connection could be made."
    )
    assert shop.arrived == []


def test_an_address_without_its_name_has_no_certificate(world: Sandbox, alice: User) -> None:
    hook, _ = webhooks.create_endpoint(
        organisation=alice.own_organisation, url="https://11.90.0.10/a", events=["batch.completed"]
    )
    assert (
        webhooks.send_test(organisation=alice.own_organisation, webhook_id=hook.pk).error
        == "No secure connection could be made."
    )


def test_without_a_way_out_it_is_tried_again(world: Sandbox, alice: User, settings: Any) -> None:
    shop = endpoint(world, alice)
    settings.WEBHOOK_ROUTE = "socks5://127.0.0.1:9"
    assert (
        webhooks.send_test(organisation=alice.own_organisation, webhook_id=shop.hook.pk).error
        == "No secure connection could be made."
    )


def test_without_a_proxy_the_checked_addresses_are_dialled_one_after_another(settings: Any) -> None:
    settings.WEBHOOK_ROUTE = "direct"
    dialled = []

    def dial(address: str, port: int) -> Any:
        dialled.append((address, port))
        raise NotSent("nobody there")

    with pytest.raises(NotSent, match="nobody there"):
        public_hosts.dial_public(HOST, 443, dial)
    assert dialled == [("11.90.0.10", 443), ("2a0e:5ec0:90::10", 443)]
    dialled.clear()
    with pytest.raises(NotPublic):
        public_hosts.dial_public("mixed.hookbarn.com", 443, dial)
    assert dialled == []


def test_a_host_that_the_proxy_cannot_reach_is_not_asked() -> None:
    origin = Origin("https://11.90.0.99", route=public_hosts.dial_public, tls=public_hosts.tls_context())
    with pytest.raises(NotSent, match=f"Errno {errno.EHOSTUNREACH}"):
        origin.send("GET", "/")
