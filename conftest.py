"""The cast and the rules of every test.

Alice owns what a test makes, Bob is another customer, Sam is staff. No test reaches beyond loopback.
"""

import gc
import ipaddress
import os
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connections
from django.test import Client
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from accounts.keys import request_log
from accounts.signin import services as signin
from accounts.signin.sessions import start_sign_in
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditLot, LotKind
from billing.subscriptions.models import Subscription
from tests import quick
from tests.paypal import NOW as PAYPAL_NOW
from tests.paypal import Buyer
from tests.world import Sandbox, running_world
from validation.providers import sources

gc.disable()  # until all tests are read: what they are made of stays
request_log.WRITE_EVERY_S = 0.0
PASSWORD = "correct-horse-42"
DAY_S, NO_TEST_TAKES_S = 86_400, 15
_connect = socket.socket.connect


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--at-least", type=int, default=0, help="fail when fewer tests are chosen")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests whose transactions are real run on PostgreSQL too, without being marked one by one."""
    for item in items:
        marker = item.get_closest_marker("django_db")
        if (marker and marker.kwargs.get("transaction")) or "transactional_db" in getattr(item, "fixturenames", ()):
            item.add_marker("postgres")


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_sessionfinish(session: pytest.Session) -> None:
    least = session.config.getoption("--at-least")
    if session.testscollected < least:
        sys.stderr.write(f"\n{session.testscollected} tests were chosen, and there must be at least {least}\n")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_runtest_setup() -> None:
    """What is counted by day has one day: shortly before midnight (UTC) a test waits for the next."""
    left = DAY_S - time.time() % DAY_S
    if left < NO_TEST_TAKES_S:
        time.sleep(left)


class OutsideWorld(AssertionError):
    """A test tried to reach something that is not this machine."""


def _loopback_only(self: socket.socket, address: Any) -> None:
    if self.family in {socket.AF_INET, socket.AF_INET6} and not ipaddress.ip_address(address[0]).is_loopback:
        raise OutsideWorld(f"a test tried to reach {address[0]}")
    _connect(self, address)


@pytest.fixture(autouse=True, scope="session")
def _stay_at_home() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    patch.setattr(socket.socket, "connect", _loopback_only)
    yield
    patch.undo()


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings_parallel_suffix: None) -> None:
    """In `make test` a database of tests is a copy of a migrated one; on PostgreSQL the server makes it
    (`tests/with_postgres.sh --template`)."""
    connections["default"].settings_dict["TEST"]["TEMPLATE"] = os.environ.get("TEMPLATE_DATABASE")
    quick.begin_with_a_migrated_database()


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_keepdb: bool, django_db_blocker: DjangoDbBlocker) -> None:
    """With `--reuse-db` a run that was ended in the middle of a test has left rows."""
    if django_db_keepdb:
        with django_db_blocker.unblock():
            quick.empty_tables()


@pytest.fixture(autouse=True, scope="session")
def _once_for_all_tests() -> Iterator[None]:
    patch = pytest.MonkeyPatch()
    quick.leave_the_log_to_the_system(patch)
    quick.begin_again_when_the_file_is_busy(patch)
    quick.empty_tables_quickly(patch)
    quick.ask_paypal_again_at_once(patch)
    quick.come_back_to_mail_hosts_soon(patch)
    quick.act_on_commits(patch)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def _test_settings(settings: Any, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.MEDIA_ROOT = tmp_path / "media"
    settings.LOGS_DIR = tmp_path / "logs"
    settings.BACKUP_DIR = tmp_path / "backups"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    settings.LIMITS_FILE = tmp_path / "requests"
    settings.METRICS_DIR = tmp_path / "metrics"
    settings.GREYLIST_SECONDS = 0
    settings.WHITENOISE_AUTOREFRESH = True  # else every test client lists some 700 files
    request_log.discard_waiting()
    settings.SESSIONS_DIR = tmp_path_factory.getbasetemp() / "shared"


@pytest.fixture(autouse=True)
def _nobody_outside_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our own engine answers by itself, unless a test connects outside providers."""
    monkeypatch.setattr(sources, "list_connected", tuple)


@pytest.fixture(scope="session")
def running_sandbox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    with running_world(tmp_path_factory.mktemp("sandbox")) as sandbox:
        yield sandbox


@pytest.fixture
def world(running_sandbox: Sandbox, settings: Any) -> Sandbox:
    """The simulated mail internet, with the product's addresses pointing at it."""
    settings.VERIFIER_DNS = (("127.0.0.1", running_sandbox.dns_port),)
    settings.VERIFIER_ROUTES = (f"socks5://127.0.0.1:{running_sandbox.socks_port}",)
    settings.WEBHOOK_ROUTE, settings.WEBHOOK_CA_FILE = settings.VERIFIER_ROUTES[0], running_sandbox.authority
    settings.SANDBOX_HTTP_PORT = running_sandbox.http_port
    settings.EMAIL_PORT = running_sandbox.mail_port
    running_sandbox.simulation.reset()
    running_sandbox.simulation.rebind(inside=False)
    return running_sandbox


@pytest.fixture
def buyer(running_sandbox: Sandbox, settings: Any) -> Iterator[Buyer]:
    """The simulated PayPal as new, time standing still, webhooks held; the product's addresses point at it."""
    base = f"http://127.0.0.1:{running_sandbox.http_port}"
    settings.PAYPAL_API_BASE, settings.PAYPAL_WEB_BASE = base, f"{base}/sandbox/paypal"
    with Buyer(base) as found:
        found.control("reset", to=PAYPAL_NOW)
        found.control("webhooks", hold=1)
        yield found


def make_user(email: str, name: str, *, credits: int = 0, plan: Plan = Plan.GROWTH, **fields: Any) -> User:
    """A verified account with the 100 credits of its first month, on a plan with every check, and with pack credits."""
    user = signin.register_account(email=email, password=PASSWORD, name=name, **fields)
    signin.verify_address(user=user)
    Subscription.objects.filter(organisation=user.own_organisation).update(plan=plan, started_at=user.created_at)
    if plan != Plan.FREE:
        end_welcome(user)
    if credits:
        ledger.grant_credits(
            organisation_id=user.own_organisation.pk,
            kind=LotKind.PACK,
            amount=credits,
            reason="Test",
            key=f"test:{user.pk}",
        )
    return user


def end_welcome(user: User) -> User:
    """An account whose first month has passed: its credits are those that come every month."""
    CreditLot.objects.filter(organisation=user.own_organisation, kind=LotKind.WELCOME).update(kind=LotKind.PLAN)
    return user


@pytest.fixture
def alice(db: None) -> User:
    return make_user("alice@alder.com", "Alice Alder")


@pytest.fixture
def bob(db: None) -> User:
    return make_user("bob@birch.net", "Bob Birch")


@pytest.fixture
def sam(db: None) -> User:
    return make_user("sam@emailcheck.app", "Sam Staff", role="admin")


def client_of(user: User) -> APIClient:
    """An API client that sends the user's token."""
    return client_with(start_sign_in(user=user, device="test").access)


def client_with(credential: str) -> APIClient:
    """An API client that sends a token or an API key."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {credential}")
    return client


def browser_of(user: User) -> Client:
    """A browser in which the user has signed in."""
    browser = Client()
    pair = {"email": user.email, "password": PASSWORD}
    assert browser.post("/api/auth/login", pair, content_type="application/json").status_code == 200
    return browser


@pytest.fixture
def alice_api(alice: User) -> APIClient:
    return client_of(alice)


@pytest.fixture
def bob_api(bob: User) -> APIClient:
    return client_of(bob)


@pytest.fixture
def anonymous_api() -> APIClient:
    return APIClient()
