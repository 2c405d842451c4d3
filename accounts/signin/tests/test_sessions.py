"""Open sessions, and proving again who one is."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient
from rest_framework_simplejwt.tokens import AccessToken

from accounts import tasks
from accounts.access import user_agents
from accounts.access.models import ApiKey, SignIn
from accounts.access.permissions import RecentlyConfirmed, require_confirmed
from accounts.keys import services as keys
from accounts.signin.models import OneTimeToken, Purpose
from accounts.signin.one_time_tokens import create_token
from accounts.tests.mailed import post_auth, read_mails
from accounts.tests.second_factor import compute_code, enable_second_factor
from accounts.users.models import User
from conftest import PASSWORD, client_of
from emailcheck.common.errors import Refused


def _access(sign_in: SignIn) -> str:
    """A token as the page renews it."""
    token = AccessToken.for_user(sign_in.user)
    token["sid"] = sign_in.pk
    return str(token)


CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:133.0) Gecko/20100101 Firefox/133.0"
PAIR = {"email": "alice@alder.com", "password": PASSWORD}


def sign_in(agent: str, ip: str = "127.0.0.1") -> tuple[Client, dict[str, str]]:
    client = Client(REMOTE_ADDR=ip)
    answer = client.post("/api/auth/login", PAIR, content_type="application/json", headers={"User-Agent": agent})
    return client, {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.mark.spec("AUTH-019", "SET-061")
def test_the_list_names_devices_and_marks_the_current_one(alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        sign_in(FIREFOX, "203.0.113.7")
        clock.shift(60)
        client, headers = sign_in(CHROME)
        listed = client.get("/api/user/sessions", headers=headers).json()["sessions"]
    newest, older = SignIn.objects.order_by("-pk")
    assert listed == [
        {
            "id": str(newest.pk), "device": "Chrome on Linux", "ip": "127.0.0.1", "current": True,
            "created_at": "2026-03-01T12:01:00Z", "last_used_at": "2026-03-01T12:01:00Z",
        },
        {
            "id": str(older.pk), "device": "Firefox on Windows", "ip": "203.0.113.7", "current": False,
            "created_at": "2026-03-01T12:00:00Z", "last_used_at": "2026-03-01T12:00:00Z",
        },
    ]  # fmt: skip


@pytest.mark.spec("AUTH-019")
def test_of_very_many_sessions_those_used_last_are_listed_and_all_can_be_ended(alice: User) -> None:
    client, headers = sign_in(CHROME)
    here = SignIn.objects.get()
    later = [
        SignIn(
            user=alice, device="curl", refresh_hash=f"r{number}", family_hash=f"f{number}", expires_at=here.expires_at,
            used_at=here.used_at + timedelta(seconds=number),
        )
        for number in range(1, 103)
    ]  # fmt: skip
    SignIn.objects.bulk_create(later)
    listed = client.get("/api/user/sessions", headers=headers).json()["sessions"]
    newest = SignIn.objects.exclude(pk=here.pk).order_by("-used_at")[:99]
    assert [one["id"] for one in listed] == [str(one.pk) for one in (here, *newest)]
    assert client.delete("/api/user/sessions", headers=headers).json()["ended_count"] == 103


@pytest.mark.spec("AUTH-019")
def test_ending_one_session_leaves_the_others(alice: User) -> None:
    here, headers = sign_in(CHROME)
    there, other = sign_in(FIREFOX)
    ended = SignIn.objects.get(device="Firefox on Windows")
    assert here.delete(f"/api/user/sessions/{ended.pk}", headers=headers).json() == {"message": "Signed out"}
    assert there.get("/api/auth/me", headers=other).status_code == 401
    assert there.post("/api/auth/refresh").status_code == 401
    assert there.get("/dashboard").status_code == 302
    assert here.get("/api/auth/me", headers=headers).status_code == 200
    again = here.delete(f"/api/user/sessions/{ended.pk}", headers=headers)
    assert (again.status_code, again.json()["detail"]) == (404, "Session not found")


@pytest.mark.spec("AUTH-019")
@pytest.mark.parametrize("session_id", ["0", "x", "9" * 30, "-1"])
def test_a_session_that_is_not_open_is_not_found(alice: User, alice_api: APIClient, session_id: str) -> None:
    assert alice_api.delete(f"/api/user/sessions/{session_id}").status_code == 404
    assert SignIn.objects.filter(ended_at=None).count() == 1


@pytest.mark.spec("AUTH-019")
def test_signing_out_everywhere_includes_here_and_nobody_else(alice: User, bob: User) -> None:
    bob_api = client_of(bob)
    here, headers = sign_in(CHROME)
    there, other = sign_in(FIREFOX)
    answer = here.delete("/api/user/sessions", headers=headers)
    assert answer.json() == {"message": "Signed out everywhere", "ended_count": 2}
    assert answer.cookies["refresh"].value == ""
    assert [
        client.get("/api/auth/me", headers=sent).status_code for client, sent in ((here, headers), (there, other))
    ] == [401, 401]
    assert here.get("/dashboard").status_code == 302
    assert bob_api.get("/api/auth/me").status_code == 200


@pytest.mark.spec("AUTH-014", "AUTH-016")
def test_signing_out_with_an_expired_token_ends_the_session_of_the_cookie(alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        client, headers = sign_in(CHROME)
        clock.shift(16 * 60)
        assert client.get("/api/auth/me", headers=headers).status_code == 401
        assert client.post("/api/auth/logout", headers=headers).status_code == 200
        assert client.post("/api/auth/refresh").status_code == 401
        assert client.get("/dashboard")["Location"] == "/"
    assert SignIn.objects.get().ended_at is not None


@pytest.mark.parametrize("headers", [{"Origin": "https://evil.com"}, {}])
def test_signing_out_by_cookie_takes_our_own_origin_and_a_cookie(alice: User, headers: dict[str, str]) -> None:
    client, _ = sign_in(CHROME)
    caller = client if headers else Client()
    assert caller.post("/api/auth/logout", headers=headers).status_code in {401, 403}
    assert SignIn.objects.get().ended_at is None


@pytest.mark.spec("AUTH-019")
def test_a_sign_in_from_a_new_device_is_told_to_the_owner(alice: User) -> None:
    sign_in(CHROME)
    assert read_mails() == []
    sign_in(CHROME)
    assert read_mails() == []
    sign_in(FIREFOX)
    sign_in(CHROME, "203.0.113.7")
    assert read_mails() == [("alice@alder.com", "New sign-in to your account")] * 2


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (CHROME, "Chrome on Linux"),
        (FIREFOX, "Firefox on Windows"),
        (CHROME + " Edg/131.0.0.0", "Edge on Linux"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Mobile Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/17.0 Safari/605", "Safari on macOS"),
        ("curl/8.5.0", "curl"),
        ("", "Unknown device"),
        ("\x00<script>" * 300, "Unknown device"),
    ],
)  # fmt: skip
def test_a_device_is_named_in_words(agent: str, name: str) -> None:
    assert user_agents.describe_user_agent(agent) == name


def needs_confirmation(sign_in: SignIn) -> None:
    require_confirmed(SignIn.objects.get(pk=sign_in.pk))


@pytest.mark.spec("SEC-015")
@pytest.mark.parametrize("by", ["password", "code"])
def test_a_confirmation_holds_for_a_quarter_of_an_hour(alice: User, by: str) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        secret, _ = enable_second_factor(alice)
        api = client_of(alice)
        session = SignIn.objects.get()
        needs_confirmation(session)
        clock.shift(14 * 60)
        given = {"password": PASSWORD} if by == "password" else {"code": compute_code(secret)}
        answer = api.post("/api/auth/reauthenticate", given, format="json")
        assert answer.json() == {"valid_until": "2026-03-01T12:29:00Z"}
        clock.shift(14 * 60 + 59)
        needs_confirmation(session)
        clock.shift(1)
        with pytest.raises(Refused) as refused:
            needs_confirmation(session)
    assert (refused.value.code, refused.value.detail) == (
        "REAUTH_REQUIRED", "Please confirm your password or code to continue.",
    )  # fmt: skip


@pytest.mark.spec("SEC-015")
@pytest.mark.parametrize(
    "given", [{"password": "wrong-horse-42"}, {"code": "000000"}, {}, {"password": "x", "code": "1"}]
)
def test_a_wrong_proof_confirms_nothing(alice: User, given: dict[str, str]) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        api = client_of(alice)
        clock.shift(60 * 10)
        before = SignIn.objects.values("confirmed_at").get()
        answer = api.post("/api/auth/reauthenticate", given, format="json")
    assert answer.status_code == 400
    assert len(given) != 1 or answer.json()["detail"] == "That password or code is not right."
    assert SignIn.objects.values("confirmed_at").get() == before


@pytest.mark.spec("SEC-011", "LIM-032")
def test_ten_wrong_proofs_are_all(alice: User, alice_api: APIClient) -> None:
    for _ in range(10):
        assert alice_api.post("/api/auth/reauthenticate", {"password": "wrong"}, format="json").status_code == 400
    assert alice_api.post("/api/auth/reauthenticate", {"password": PASSWORD}, format="json").status_code == 429


@pytest.mark.spec("SEC-015")
def test_what_lets_others_in_asks_again_and_goes_on_when_it_is_answered(alice: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        api = client_of(alice)
        kept = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Kept", scopes=["read"])[0]
        clock.shift(15 * 60)
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {_access(SignIn.objects.get())}")
        calls = [
            ("post", "/api/user/api-keys", {"name": "Shop"}),
            ("put", f"/api/user/api-keys/{kept.pk}", {"scopes": ["read", "write"]}),
            ("post", "/api/user/mfa/totp", {}),
        ]
        for method, path, body in calls:
            answer = getattr(api, method)(path, body, format="json")
            assert (answer.status_code, answer.json()["code"]) == (403, "REAUTH_REQUIRED")
            assert answer.json()["detail"] == "Please confirm your password or code to continue."
        assert [(key.name, key.scopes) for key in ApiKey.objects.all()] == [("Kept", ["read"])]
        assert not OneTimeToken.objects.exists()
        assert api.get("/api/user/api-keys").status_code == 200
        assert api.post("/api/auth/reauthenticate", {"password": PASSWORD}, format="json").status_code == 200
        assert [getattr(api, method)(path, body, format="json").status_code for method, path, body in calls] == [
            201, 200, 200,
        ]  # fmt: skip
        clock.shift(15 * 60)
        api.credentials(HTTP_AUTHORIZATION=f"Bearer {_access(SignIn.objects.get())}")
        assert api.delete(f"/api/user/api-keys/{kept.pk}").status_code == 200


def test_a_sign_in_at_a_machine_whose_clock_is_ahead_counts_at_others_at_once(alice: User) -> None:
    now = timezone.now()
    with time_machine.travel(now + timedelta(seconds=90), tick=False):
        api = client_of(alice)
    with time_machine.travel(now, tick=False):
        assert api.get("/api/auth/me").status_code == 200


@pytest.mark.spec("SEC-015")
def test_an_api_key_confirms_nothing(alice: User) -> None:
    key, _ = keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")
    asked: Any = type("Request", (), {"auth": key, "method": "POST"})()
    assert not RecentlyConfirmed().has_permission(asked, None)


def test_what_ended_a_month_ago_is_forgotten(alice: User, bob: User) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        client, _ = sign_in(CHROME)
        post_auth(client, "logout")
        create_token(user=alice, purpose=Purpose.RESET)
        client_of(bob)
        clock.shift(29 * 24 * 3_600)
        tasks.delete_old_rows()
        assert (SignIn.objects.count(), OneTimeToken.objects.count()) == (2, 1)
        clock.shift(3 * 24 * 3_600)
        client_of(bob)
        tasks.delete_old_rows()
    assert [sign_in.user for sign_in in SignIn.objects.all()] == [bob, bob]
    assert not OneTimeToken.objects.exists()
