"""A login token alone changes nothing about the second factor: the owner has to have proved to be there."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.activity.models import Activity
from accounts.signin import second_factor
from accounts.signin.models import OneTimeToken
from accounts.tests.mailed import read_mails
from accounts.tests.second_factor import compute_code, enable_second_factor
from accounts.users.models import User
from conftest import PASSWORD

STALE = {"code": "REAUTH_REQUIRED", "detail": "Please confirm your password or code to continue."}


@pytest.fixture(autouse=True)
def clock() -> Any:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        yield clock


def confirm_long_ago() -> None:
    """As after a quarter of an hour, in which the token was renewed."""
    SignIn.objects.update(confirmed_at=timezone.now() - timedelta(minutes=15))


def call_second_factor(api: APIClient, what: str, code: str) -> Any:
    method, path = {
        "start": ("post", "totp"),
        "confirm": ("post", "totp/confirm"),
        "off": ("delete", "totp"),
        "codes": ("post", "recovery-codes"),
    }[what]
    return getattr(api, method)(f"/api/user/mfa/{path}", {"code": code}, format="json")


def load_changeable_rows() -> list[Any]:
    """All that the calls could change."""
    tables = (Authenticator, OneTimeToken, Activity)
    return [list(table._default_manager.order_by("pk").values()) for table in tables]


@pytest.mark.finding("C6")
@pytest.mark.spec("API-041", "AUTH-018")
@pytest.mark.parametrize("what", ["start", "confirm", "off", "codes"])
def test_a_token_of_a_while_ago_changes_nothing(alice: User, alice_api: APIClient, what: str) -> None:
    is_on = what in {"off", "codes"}
    confirm_long_ago()
    secret = enable_second_factor(alice)[0] if is_on else second_factor.start_setup(user=alice).secret
    read_mails()
    before = load_changeable_rows()
    answer = call_second_factor(alice_api, what, compute_code(secret))
    assert (answer.status_code, answer.json() | STALE) == (403, answer.json())
    assert (load_changeable_rows(), read_mails(), alice.has_second_factor) == (before, [], is_on)
    assert alice_api.post("/api/auth/reauthenticate", {"password": PASSWORD}, format="json").status_code == 200
    assert call_second_factor(alice_api, what, compute_code(secret)).status_code == 200


@pytest.mark.finding("C6")
@pytest.mark.spec("API-041")
@pytest.mark.parametrize(
    ("what", "subject", "line"),
    [
        ("confirm", "Two-factor sign-in was turned on", "Two-factor sign-in turned on"),
        ("off", "Two-factor sign-in was turned off", "Two-factor sign-in turned off"),
        ("codes", "New recovery codes were made", "New recovery codes were made"),
    ],
)
def test_each_change_is_mailed_and_logged(
    alice: User, alice_api: APIClient, what: str, subject: str, line: str
) -> None:
    secret = second_factor.start_setup(user=alice).secret if what == "confirm" else enable_second_factor(alice)[0]
    read_mails()
    assert call_second_factor(alice_api, what, compute_code(secret)).status_code == 200
    assert read_mails() == [("alice@alder.com", subject)]
    assert Activity.objects.filter(user=alice).latest("pk").action == line


@pytest.mark.spec("API-041")
def test_a_wrong_password_confirms_nothing(alice: User, alice_api: APIClient) -> None:
    confirm_long_ago()
    refused = alice_api.post("/api/auth/reauthenticate", {"password": "wrong-horse-42"}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_CREDENTIALS")
    assert call_second_factor(alice_api, "start", "").status_code == 403
    assert not OneTimeToken.objects.exists()
