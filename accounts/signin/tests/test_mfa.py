"""The second factor: authenticator app and recovery codes."""

import base64
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from accounts.access.models import SignIn
from accounts.signin import one_time_tokens, second_factor
from accounts.signin import services as signin
from accounts.signin.models import Purpose
from accounts.signin.sessions import start_sign_in
from accounts.tests.mailed import post_auth, read_mails
from accounts.tests.second_factor import compute_code, enable_second_factor
from accounts.users.models import User
from conftest import PASSWORD, browser_of
from emailcheck.common import secrecy
from emailcheck.common.errors import NotAuthenticated

WRONG = "That code is not right. Please try again."
PAIR = {"email": "alice@alder.com", "password": PASSWORD}


@pytest.fixture(autouse=True)
def clock() -> Any:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        yield clock


def request_mfa_token(client: Client) -> str:
    """The token of the second step."""
    answer = post_auth(client, "login", **PAIR)
    assert (answer.status_code, answer.json()["code"]) == (401, "MFA_REQUIRED")
    assert answer.json()["detail"] == "Enter the code from your authenticator app."
    token: str = answer.json()["mfa_token"]
    return token


def verify_code(client: Client, token: str, code: str) -> Any:
    return post_auth(client, "mfa/verify", mfa_token=token, code=code)


@pytest.mark.spec("AUTH-018")
def test_turning_on_signing_in_and_turning_off(alice: User, alice_api: APIClient, client: Client, clock: Any) -> None:
    assert alice_api.get("/api/user/mfa").json() == {"totp": False, "recovery_codes_left": 0, "required": False}
    setup = alice_api.post("/api/user/mfa/totp").json()
    assert setup["otpauth_url"] == f"otpauth://totp/alice%40alder.com?secret={setup['secret']}&issuer=EmailCheck"
    assert "<svg" in setup["qr_svg"]
    assert post_auth(client, "login", **PAIR).status_code == 200
    answer = alice_api.post("/api/user/mfa/totp/confirm", {"code": compute_code(setup["secret"])}, format="json")
    assert len(set(answer.json()["recovery_codes"])) == 10
    assert alice_api.get("/api/user/mfa").json() == {"totp": True, "recovery_codes_left": 10, "required": False}
    clock.shift(30)
    fresh = Client()
    signed_in = verify_code(fresh, request_mfa_token(fresh), compute_code(setup["secret"]))
    assert (signed_in.status_code, signed_in.json()["user"]["email"]) == (200, "alice@alder.com")
    assert fresh.get("/dashboard").status_code == 200
    assert fresh.post("/api/auth/refresh").status_code == 200
    clock.shift(30)
    answer = alice_api.delete("/api/user/mfa/totp", {"code": compute_code(setup["secret"])}, format="json")
    assert answer.json() == {"message": "Two-factor sign-in is off"}
    assert post_auth(client, "login", **PAIR).status_code == 200
    assert not Authenticator.objects.exists()
    assert ("alice@alder.com", "Two-factor sign-in was turned off") in read_mails()


@pytest.mark.spec("AUTH-018")
def test_without_the_code_nothing_is_handed_out(alice: User, client: Client) -> None:
    enable_second_factor(alice)
    token = request_mfa_token(client)
    assert set(client.cookies) == set()
    assert client.get("/api/auth/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert client.get("/dashboard")["Location"] == "/"
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-018")
@pytest.mark.parametrize("code", ["000000", "12345", "0", " ", "------", "١٢٣٤٥٦"])
def test_a_wrong_code_is_refused(alice: User, client: Client, code: str) -> None:
    enable_second_factor(alice)
    answer = verify_code(client, request_mfa_token(client), code)
    assert (answer.status_code, answer.json()["code"]) in {(401, "INVALID_CODE"), (400, "VALIDATION_ERROR")}
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-018")
def test_a_code_works_once_and_a_spaced_one_too(alice: User, client: Client) -> None:
    secret, _ = enable_second_factor(alice)
    code = compute_code(secret)
    assert verify_code(client, request_mfa_token(client), f"{code[:3]} {code[3:]}").status_code == 200
    answer = verify_code(client, request_mfa_token(client), code)
    assert (answer.status_code, answer.json()["detail"]) == (401, WRONG)
    assert SignIn.objects.count() == 1


@pytest.mark.parametrize(("steps", "status"), [(-2, 401), (0, 200), (1, 200), (2, 401)])
def test_a_clock_may_be_half_a_minute_off(alice: User, client: Client, steps: int, status: int) -> None:
    secret, _ = enable_second_factor(alice)
    assert verify_code(client, request_mfa_token(client), compute_code(secret, steps=steps)).status_code == status


@pytest.mark.spec("AUTH-018")
def test_an_earlier_code_is_not_good_after_a_later_one(alice: User, client: Client) -> None:
    secret, _ = enable_second_factor(alice)
    assert verify_code(client, request_mfa_token(client), compute_code(secret, steps=1)).status_code == 200
    assert verify_code(client, request_mfa_token(client), compute_code(secret)).status_code == 401


@pytest.mark.spec("AUTH-018")
def test_each_recovery_code_works_once(alice: User, client: Client) -> None:
    _, codes = enable_second_factor(alice)
    for code in codes[:2]:
        assert verify_code(client, request_mfa_token(client), code).status_code == 200
        assert verify_code(client, request_mfa_token(client), code).status_code == 401
    assert second_factor.load_state(user=alice).recovery_codes_left == 8


@pytest.mark.spec("AUTH-018")
def test_new_recovery_codes_end_the_old_ones(alice: User, alice_api: APIClient, client: Client) -> None:
    secret, old = enable_second_factor(alice)
    refused = alice_api.post("/api/user/mfa/recovery-codes", {"code": old[0]}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_CODE")
    new = alice_api.post("/api/user/mfa/recovery-codes", {"code": compute_code(secret)}, format="json")
    assert len(set(new.json()["recovery_codes"]) | set(old)) == 20
    assert verify_code(client, request_mfa_token(client), old[1]).status_code == 401
    assert verify_code(client, request_mfa_token(client), new.json()["recovery_codes"][1]).status_code == 200


@pytest.mark.spec("AUTH-018")
def test_a_token_ends_after_five_minutes_and_with_its_use(alice: User, client: Client, clock: Any) -> None:
    secret, codes = enable_second_factor(alice)
    used, late = request_mfa_token(client), request_mfa_token(client)
    assert verify_code(client, used, compute_code(secret)).status_code == 200
    clock.shift(301)
    for token in (used, late, "x"):
        answer = verify_code(client, token, codes[0])
        assert (answer.status_code, answer.json()["code"]) == (401, "INVALID_MFA_TOKEN")
        assert answer.json()["detail"] == "Please sign in again."
    assert second_factor.load_state(user=alice).recovery_codes_left == 10


@pytest.mark.spec("AUTH-018", "SEC-011")
def test_five_wrong_codes_end_the_token(alice: User, client: Client) -> None:
    secret, _ = enable_second_factor(alice)
    token = request_mfa_token(client)
    for _ in range(5):
        assert verify_code(client, token, "000000").json()["code"] == "INVALID_CODE"
    assert verify_code(client, token, compute_code(secret)).json()["code"] == "INVALID_MFA_TOKEN"


@pytest.mark.spec("AUTH-018", "SEC-011", "LIM-032")
def test_ten_wrong_codes_are_all_in_a_quarter_of_an_hour(alice: User, client: Client, clock: Any) -> None:
    secret, _ = enable_second_factor(alice)
    for _ in range(2):
        token = request_mfa_token(client)
        for _ in range(5):
            assert verify_code(client, token, "000000").status_code == 401
    answer = verify_code(client, request_mfa_token(client), compute_code(secret))
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (429, "RATE_LIMIT_EXCEEDED", "900")
    clock.shift(901)
    assert verify_code(client, request_mfa_token(client), compute_code(secret)).status_code == 200


@pytest.mark.spec("AUTH-018")
def test_turning_on_takes_a_code_of_this_secret(alice: User, alice_api: APIClient, clock: Any) -> None:
    first = alice_api.post("/api/user/mfa/totp").json()["secret"]
    second = alice_api.post("/api/user/mfa/totp").json()["secret"]
    confirm = "/api/user/mfa/totp/confirm"
    answer = alice_api.post(confirm, {"code": compute_code(first)}, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (400, "INVALID_CODE", WRONG)
    clock.shift(901)
    assert alice_api.post(confirm, {"code": compute_code(second)}, format="json").status_code == 401
    assert not Authenticator.objects.exists()


@pytest.mark.spec("AUTH-018")
def test_what_is_on_is_not_set_up_again(alice: User, alice_api: APIClient) -> None:
    secret, _ = enable_second_factor(alice)
    answer = alice_api.post("/api/user/mfa/totp")
    assert (answer.status_code, answer.json()["code"]) == (400, "MFA_ACTIVE")
    assert answer.json()["detail"] == "Two-factor sign-in is already on"
    assert alice_api.delete("/api/user/mfa/totp", {"code": "000000"}, format="json").status_code == 400
    assert second_factor.is_valid_code(user=alice, code=compute_code(secret))


@pytest.mark.spec("AUTH-018", "SEC-009")
def test_staff_who_must_have_it_are_staff_with_it_alone(sam: User, settings: Any) -> None:
    settings.STAFF_MFA_REQUIRED = True
    client = browser_of(sam)
    assert client.get("/django-admin/").status_code == 302
    assert second_factor.load_state(user=sam).required
    secret, _ = enable_second_factor(sam)
    assert client.get("/django-admin/").status_code == 200
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {start_sign_in(user=sam, device='test').access}")
    answer = api.delete("/api/user/mfa/totp", {"code": compute_code(secret)}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "MFA_ENFORCED")
    assert sam.has_second_factor


@pytest.mark.spec("AUTH-018")
def test_what_allauth_has_stored_stays_good(alice: User, client: Client) -> None:
    """A seed, from which allauth 65 made these codes, and a secret, whose code of 2005 is in RFC 6238."""
    rows = {
        "totp": {"secret": secrecy.seal_text(base64.b32encode(b"12345678901234567890").decode()), "last_counter": 0},
        "recovery_codes": {"seed": secrecy.seal_text("0123456789" * 8), "used_mask": 0b10},
    }
    for kind, data in rows.items():
        Authenticator.objects.create(user=alice, type=kind, data=data)
    assert second_factor.load_state(user=alice).recovery_codes_left == 9
    for code, status in (("90088395", 200), ("32632457", 401), ("7197-8584", 200), ("90088395", 401)):
        assert verify_code(client, request_mfa_token(client), code).status_code == status
    with time_machine.travel("2005-03-18 01:58:29+00:00", tick=False):
        assert second_factor.is_valid_code(user=alice, code="081804")
        assert not second_factor.is_valid_code(user=alice, code="081804")
    assert second_factor.load_state(user=alice).recovery_codes_left == 7


def test_secrets_are_sealed_in_the_database(alice: User) -> None:
    secret, codes = enable_second_factor(alice)
    kept = str(list(Authenticator.objects.values()))
    assert not [text for text in (secret, *codes) if text in kept]


@pytest.mark.spec("AUTH-018")
def test_a_suspension_between_the_steps_holds(alice: User, client: Client) -> None:
    secret, _ = enable_second_factor(alice)
    token = request_mfa_token(client)
    User.objects.update(is_active=False)
    answer = verify_code(client, token, compute_code(secret))
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCOUNT_SUSPENDED")
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-018", "AUTH-033")
def test_a_new_password_ends_what_the_old_one_began(alice: User, client: Client) -> None:
    secret, _ = enable_second_factor(alice)
    token = request_mfa_token(client)
    signin.reset_password(
        token=one_time_tokens.create_token(user=alice, purpose=Purpose.RESET), password="battery-43-staple"
    )
    answer = verify_code(client, token, compute_code(secret))
    assert (answer.status_code, answer.json()["code"]) == (401, "INVALID_MFA_TOKEN")
    assert not SignIn.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-018")
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_of_sixteen_uses_of_one_code_one_succeeds(alice: User, kind: str) -> None:
    secret, codes = enable_second_factor(alice)
    code = compute_code(secret) if kind == "app" else codes[0]
    tokens = []
    for _ in range(16):
        with pytest.raises(second_factor.CodeRequired) as asked:
            second_factor.require_code(user=alice)
        tokens.append(asked.value.extra["mfa_token"])

    def use(token: str) -> bool:
        try:
            second_factor.verify_sign_in(mfa_token=token, code=code)
        except NotAuthenticated:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(use, tokens)).count(True) == 1
