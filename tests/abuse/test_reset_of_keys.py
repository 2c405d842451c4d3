"""A reset asks what becomes of what programs get in by, and the mail about it names what still works."""

from typing import Any

import pytest
from django.core import mail
from django.test import Client

from accounts.access.models import ApiKey
from accounts.activity.models import Activity
from accounts.keys import services as keys
from accounts.signin import services as signin
from accounts.signin.models import Purpose
from accounts.signin.one_time_tokens import create_token
from accounts.signin.sessions import start_sign_in
from accounts.tests.mailed import post_auth, read_mails
from accounts.users.models import User
from conftest import client_with
from emailcheck.common.testing import run_sixteen
from validation.webhooks.models import Webhook, WebhookHost

NEW = "fresh-horse-43"
PROFILE = "http://127.0.0.1:8000/account-settings?tab=profile"


@pytest.fixture
def shop(alice: User) -> tuple[ApiKey, str]:
    return keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")


@pytest.fixture
def hook(alice: User) -> Webhook:
    host = WebhookHost.objects.create(name="hooks.alder.com")
    return Webhook.objects.create(
        organisation=alice.own_organisation, url="https://hooks.alder.com/news", host=host, events=["quota.warning"]
    )


def reset(user: User, **choices: bool) -> str:
    """Reset the password; the text of the mail about it."""
    link = create_token(user=user, purpose=Purpose.RESET)
    assert post_auth(Client(), "reset-password", token=link, password=NEW, **choices).status_code == 200
    assert read_mails()[-1] == (user.email, "Your password was changed")
    return str(mail.outbox[-1].body)


def works(text: str) -> bool:
    return bool(client_with(text).get("/api/auth/me").status_code == 200)


@pytest.mark.spec("API-043", "AUTH-029")
def test_the_link_says_what_there_is_to_end(alice: User, shop: Any, hook: Webhook, client: Client) -> None:
    keys.revoke_key(
        organisation=alice.own_organisation,
        key_id=keys.create_key(organisation=alice.own_organisation, maker=alice, name="Old")[0].pk,
    )
    link = create_token(user=alice, purpose=Purpose.RESET)
    answer = client.get(f"/api/auth/verify-reset-token/{link}")
    assert answer.json() == {"valid": True, "api_keys": 1, "webhooks": 1}


@pytest.mark.finding("C6")
@pytest.mark.spec("API-043", "AUTH-033")
def test_what_is_kept_works_and_is_named_in_the_mail(alice: User, shop: tuple[ApiKey, str], hook: Webhook) -> None:
    sign_in = start_sign_in(user=alice, device="test")
    text = reset(alice)
    hook.refresh_from_db()
    assert (works(shop[1]), hook.is_active) == (True, True)
    assert f"  {shop[0].prefix}…" in text.splitlines()
    assert "  hooks.alder.com" in text.splitlines()
    assert {f"{PROFILE}#api-keys", f"{PROFILE}#webhooks"} <= set(text.splitlines())
    assert shop[1] not in text
    assert client_with(sign_in.access).get("/api/auth/me").status_code == 401


@pytest.mark.finding("C6")
@pytest.mark.spec("API-043")
def test_keys_end_on_request(bob: User, alice: User, shop: tuple[ApiKey, str], hook: Webhook) -> None:
    _, second = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Second")
    _, of_bob = keys.create_key(organisation=bob.own_organisation, maker=bob, name="Of Bob")
    text = reset(alice, revoke_keys=True)
    hook.refresh_from_db()
    assert [works(shop[1]), works(second), works(of_bob), hook.is_active] == [False, False, True, True]
    assert shop[0].prefix not in text
    assert "hooks.alder.com" in text
    assert Activity.objects.filter(user=alice, action=f"API key {shop[0].prefix} was revoked").exists()


@pytest.mark.finding("C6")
@pytest.mark.spec("API-043")
def test_webhooks_end_on_request(alice: User, shop: tuple[ApiKey, str], hook: Webhook) -> None:
    text = reset(alice, switch_webhooks_off=True)
    hook.refresh_from_db()
    assert (works(shop[1]), hook.is_active, hook.deleted_at) == (True, False, None)
    assert "hooks.alder.com" not in text
    assert shop[0].prefix in text
    assert Activity.objects.filter(user=alice, action="Webhook to hooks.alder.com was switched off").exists()


@pytest.mark.spec("API-043")
def test_a_refused_reset_ends_nothing(alice: User, shop: tuple[ApiKey, str], hook: Webhook, client: Client) -> None:
    link = create_token(user=alice, purpose=Purpose.RESET)
    both = {"revoke_keys": True, "switch_webhooks_off": True}
    for token, password in (("x", NEW), (link, "short-1")):
        assert post_auth(client, "reset-password", token=token, password=password, **both).status_code == 400
    hook.refresh_from_db()
    assert (works(shop[1]), hook.is_active) == (True, True)


@pytest.mark.spec("API-043")
def test_without_keys_the_mail_says_nothing_of_them(alice: User) -> None:
    text = reset(alice)
    assert "API key" not in text
    assert "webhook" not in text


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("API-043")
def test_of_sixteen_resets_one_ends_the_keys(alice: User, shop: tuple[ApiKey, str]) -> None:
    link = create_token(user=alice, purpose=Purpose.RESET)
    answers = run_sixteen(
        lambda one: signin.reset_password(token=link, password=f"fresh-horse-{one:02}", revoke_keys=True)
    )
    assert (answers.count(None), answers.count("INVALID_TOKEN")) == (1, 15)
    assert not works(shop[1])
    assert Activity.objects.filter(user=alice, action=f"API key {shop[0].prefix} was revoked").count() == 1
