"""Signing in, staying signed in, signing out."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import jwt
import pytest
import time_machine
from django.conf import settings
from django.contrib.auth.hashers import MD5PasswordHasher
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.organisations.roles import Right
from accounts.signin.sessions import rotate_tokens, start_sign_in
from accounts.staff import viewing
from accounts.users.models import User
from conftest import PASSWORD
from emailcheck.common.errors import NotAuthenticated

LOGIN = "/api/auth/login"


def sign_in(client: Client, email: str = "alice@alder.com", password: str = PASSWORD) -> str:
    answer = client.post(LOGIN, {"email": email, "password": password}, content_type="application/json")
    assert answer.status_code == 200
    token: str = answer.json()["token"]
    return token


@pytest.mark.spec("AUTH-004")
def test_a_right_pair_answers_account_and_token(alice: User, client: Client) -> None:
    answer = client.post(LOGIN, {"email": "ALICE@alder.com", "password": PASSWORD}, content_type="application/json")
    body = answer.json()
    assert answer.status_code == 200
    own = {"id": alice.own_organisation.public_id, "name": "Alice Alder", "role": "owner", "via": None}
    assert body["user"].pop("organisation") == own | {"rights": Right.values, "closed": None}
    assert body["user"].pop("organisations") == [own]
    assert body["user"] | {"created_at": ""} == {
        "id": alice.pk, "email": "alice@alder.com", "name": "Alice Alder",
        "company": None, "address": None, "vat_id": None, "picture": None, "role": "user",
        "status": "active", "is_staff": False, "email_verified": True,
        "subscription_plan": "growth", "credits": 100, "monthly_usage": 0, "created_at": "",
    }  # fmt: skip
    assert body["expires_in"] == 900
    cookie = answer.cookies["refresh"]
    assert (cookie["httponly"], cookie["samesite"], cookie["path"]) == (True, "Strict", "/api/auth")


@pytest.mark.parametrize("pair", [("alice@alder.com", "wrong-horse-42"), ("nobody@alder.com", PASSWORD)])
def test_a_wrong_pair_is_refused_alike(alice: User, client: Client, pair: tuple[str, str]) -> None:
    answer = client.post(LOGIN, {"email": pair[0], "password": pair[1]}, content_type="application/json")
    assert answer.status_code == 401
    assert (answer.json()["code"], answer.json()["detail"]) == (
        "INVALID_CREDENTIALS",
        "Invalid email or password",
    )
    assert not SignIn.objects.exists()


@pytest.mark.parametrize(
    ("change", "code", "detail"),
    [
        ({"is_active": False}, "ACCOUNT_SUSPENDED", "Account suspended"),
        (
            {"email_verified_at": None},
            "EMAIL_NOT_VERIFIED",
            "Please verify your email before logging in.",
        ),
    ],
)
def test_suspended_and_unverified_accounts_stay_out(
    alice: User, client: Client, change: dict[str, object], code: str, detail: str
) -> None:
    User.objects.filter(pk=alice.pk).update(**change)
    answer = client.post(LOGIN, {"email": alice.email, "password": PASSWORD}, content_type="application/json")
    assert answer.status_code == 403
    assert (answer.json()["code"], answer.json()["detail"]) == (code, detail)
    assert not SignIn.objects.exists()


@pytest.mark.parametrize("header", ["", "Bearer", "Bearer nonsense", "Basic YTpi"])
def test_no_or_bad_token_is_401_in_the_one_error_shape(db: None, anonymous_api: APIClient, header: str) -> None:
    answer = anonymous_api.get("/api/auth/me", headers={"Authorization": header, "X-Request-Id": "abc-12345"})
    assert answer.status_code == 401
    assert answer.json() == {
        "detail": "Authentication required", "message": "Authentication required", "error": "not_authenticated",
        "code": "NOT_AUTHENTICATED", "details": {}, "request_id": "abc-12345",
    }  # fmt: skip
    assert answer["X-Request-Id"] == "abc-12345"


def test_an_access_token_ends_after_15_minutes(alice: User, client: Client) -> None:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        headers = {"Authorization": f"Bearer {sign_in(client)}"}
        clock.shift(timedelta(minutes=14))
        assert client.get("/api/auth/me", headers=headers).status_code == 200
        clock.shift(timedelta(minutes=2))
        assert client.get("/api/auth/me", headers=headers).status_code == 401


def claims_of(user: User) -> dict[str, Any]:
    """What a good token of the user says."""
    tokens = start_sign_in(user=user, device="test")
    claims: dict[str, Any] = jwt.decode(tokens.access, settings.SECRET_KEY, algorithms=["HS256"])
    return claims


def answer_to(token: str) -> Any:
    return Client().get("/api/auth/me", headers={"Authorization": f"Bearer {token}"})


@pytest.mark.parametrize(
    "change",
    [
        {"sid": None}, {"sid": "1"}, {"sid": "x"}, {"sid": 10**30}, {"sid": -1}, {"sid": True}, {"sid": [1]},
        {"sid": {}}, {"user_id": "0"}, {"user_id": None}, {"token_type": "refresh"}, {"token_type": None}, {"exp": 1},
    ],
)  # fmt: skip
def test_a_token_that_says_anything_else_is_refused(alice: User, change: dict[str, object]) -> None:
    claims = claims_of(alice)
    assert answer_to(jwt.encode(claims, settings.SECRET_KEY, algorithm="HS256")).status_code == 200
    assert answer_to(jwt.encode(claims | change, settings.SECRET_KEY, algorithm="HS256")).status_code == 401


@pytest.mark.finding("C8")
@pytest.mark.parametrize("end", [None, "never", True, -1, 1.5e400])
@pytest.mark.parametrize("kind", ["sid", "viewing"])
def test_a_token_without_an_end_is_refused(alice: User, sam: User, kind: str, end: Any) -> None:
    by = SignIn.objects.get(pk=start_sign_in(user=sam, device="test").sign_in_id)
    _, look = viewing.start_viewing(user=alice, by=sam, sign_in=by, reason="A question")
    token = look if kind == "viewing" else start_sign_in(user=alice, device="test").access
    claims = jwt.decode(token, settings.SECRET_KEY, algorithms=["HS256"])
    assert answer_to(jwt.encode(claims, settings.SECRET_KEY, algorithm="HS256")).status_code == 200
    del claims["exp"]
    endless = claims if end is None else claims | {"exp": end}
    assert answer_to(jwt.api_jws.encode(json.dumps(endless).encode(), settings.SECRET_KEY)).status_code == 401


def test_a_token_signed_otherwise_is_refused(alice: User) -> None:
    claims = claims_of(alice)
    assert answer_to(jwt.encode(claims, "", algorithm="none")).status_code == 401
    assert answer_to(jwt.encode(claims, "another-secret-of-sufficient-length", algorithm="HS256")).status_code == 401
    assert answer_to("\xff\xfe.\xff").status_code == 401


def test_signing_in_changes_the_page_session(alice: User, client: Client) -> None:
    """A session that somebody else planted is worth nothing afterwards."""
    client.session["planted"] = "x"
    planted = client.session
    planted.save()
    client.cookies["sessionid"] = planted.session_key or ""
    sign_in(client)
    assert client.cookies["sessionid"].value != planted.session_key
    stranger = Client()
    stranger.cookies["sessionid"] = planted.session_key or ""
    assert stranger.get("/dashboard")["Location"] == "/"


def test_a_suspended_account_cannot_renew_its_token(alice: User, client: Client) -> None:
    sign_in(client)
    User.objects.filter(pk=alice.pk).update(is_active=False)
    answer = client.post("/api/auth/refresh")
    assert (answer.status_code, answer.json()["code"]) == (401, "SESSION_ENDED")
    assert client.get("/dashboard")["Location"] == "/"


def test_an_unknown_address_costs_as_much_hashing_as_a_known_one(
    alice: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    hashed: list[str] = []
    make = MD5PasswordHasher.encode

    def counting(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return make(self, password, salt)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counting)
    for email in ("alice@alder.com", "nobody@alder.com"):
        client.post(LOGIN, {"email": email, "password": "wrong-horse-42"}, content_type="application/json")
    assert hashed == ["wrong-horse-42"] * 2


@pytest.mark.spec("AUTH-016")
def test_signing_out_ends_token_cookie_and_pages(alice: User, client: Client) -> None:
    headers = {"Authorization": f"Bearer {sign_in(client)}"}
    assert client.get("/dashboard").status_code == 200
    assert client.post("/api/auth/logout", headers=headers).json() == {"message": "You are signed out."}
    assert client.get("/api/auth/me", headers=headers).status_code == 401
    assert client.post("/api/auth/refresh").status_code == 401
    assert client.get("/dashboard")["Location"] == "/"


def test_the_refresh_cookie_gives_a_new_token_and_is_rotated(alice: User, client: Client) -> None:
    sign_in(client)
    old = client.cookies["refresh"].value
    answer = client.post("/api/auth/refresh")
    assert answer.status_code == 200
    assert client.cookies["refresh"].value != old
    headers = {"Authorization": f"Bearer {answer.json()['token']}"}
    assert client.get("/api/auth/me", headers=headers).json()["email"] == "alice@alder.com"


@pytest.mark.spec("AUTH-017")
@pytest.mark.parametrize("times", [1, 3])
def test_a_copied_refresh_secret_ends_the_sign_in(alice: User, client: Client, times: int) -> None:
    headers = {"Authorization": f"Bearer {sign_in(client)}"}
    thief = Client()
    thief.cookies["refresh"] = client.cookies["refresh"].value
    for _ in range(times):
        assert client.post("/api/auth/refresh").status_code == 200
    refused = thief.post("/api/auth/refresh")
    assert (refused.status_code, refused.json()["code"]) == (401, "SESSION_ENDED")
    assert client.post("/api/auth/refresh").status_code == 401
    assert client.get("/api/auth/me", headers=headers).status_code == 401


@pytest.mark.parametrize("secret", ["", ".", "x", "x.y", "ä.\x7f", "a" * 5_000])
def test_an_invented_refresh_secret_ends_nothing(alice: User, client: Client, secret: str) -> None:
    sign_in(client)
    stranger = Client()
    stranger.cookies["refresh"] = secret
    assert stranger.post("/api/auth/refresh").status_code == 401
    assert client.post("/api/auth/refresh").status_code == 200


@pytest.mark.parametrize(
    "origin", ["https://evil.com", "null", "http://[", "http://testserver.evil.com", "http://testserver@evil.com", "x"]
)
def test_a_foreign_origin_may_not_refresh(alice: User, client: Client, origin: str) -> None:
    sign_in(client)
    old = SignIn.objects.get().refresh_hash
    answer = client.post("/api/auth/refresh", headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "ORIGIN_REFUSED")
    assert SignIn.objects.get().refresh_hash == old


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_refreshes_with_one_secret_one_succeeds(alice: User) -> None:
    secret = start_sign_in(user=alice, device="test").refresh

    def rotate(_: int) -> bool:
        try:
            rotate_tokens(refresh=secret)
        except NotAuthenticated:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(rotate, range(16))).count(True) == 1


def test_a_suspended_account_is_out_at_once(alice: User, alice_api: APIClient) -> None:
    assert alice_api.get("/api/auth/me").status_code == 200
    User.objects.filter(pk=alice.pk).update(is_active=False)
    answer = alice_api.get("/api/auth/me")
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCOUNT_SUSPENDED")


@pytest.mark.spec("DASH-001")
def test_a_visitor_is_sent_from_the_dashboard_to_the_landing_page(db: None, client: Client) -> None:
    for path in ("/dashboard", "/dashboard/batch/bat_x", "/dashboard/batch/bat_x/next-steps", "/dashboard/result/1"):
        assert client.get(path)["Location"] == "/"
