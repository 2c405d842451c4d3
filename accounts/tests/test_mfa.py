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

from accounts import mfa, services, tokens
from accounts.models import Purpose, SignIn, User
from accounts.tests.mailed import post, read_mails
from accounts.tests.second_factor import code_of, turn_on
from conftest import PASSWORD, browser_of
from emailcheck.common import sealing
from emailcheck.common.errors import NotAuthenticated

WRONG = "That code is not right. Please try again."
PAIR = {"email": "alice@alder.com", "password": PASSWORD}


@pytest.fixture(autouse=True)
def clock() -> Any:
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        yield clock


def asked_for_code(client: Client) -> str:
    """The token of the second step."""
    answer = post(client, "login", **PAIR)
    assert (answer.status_code, answer.json()["code"]) == (401, "MFA_REQUIRED")
    assert answer.json()["detail"] == "Enter the code from your authenticator app."
    token: str = answer.json()["mfa_token"]
    return token


def verify(client: Client, token: str, code: str) -> Any:
    return post(client, "mfa/verify", mfa_token=token, code=code)


@pytest.mark.spec("AUTH-018")
def test_turning_on_signing_in_and_turning_off(alice: User, alice_api: APIClient, client: Client, clock: Any) -> None:
    assert alice_api.get("/api/user/mfa").json() == {"totp": False, "recovery_codes_left": 0, "required": False}
    setup = alice_api.post("/api/user/mfa/totp").json()
    assert setup["otpauth_url"] == f"otpauth://totp/alice%40alder.com?secret={setup['secret']}&issuer=EmailCheck"
    assert "<svg" in setup["qr_svg"]
    assert post(client, "login", **PAIR).status_code == 200
    answer = alice_api.post("/api/user/mfa/totp/confirm", {"code": code_of(setup["secret"])}, format="json")
    assert len(set(answer.json()["recovery_codes"])) == 10
    assert alice_api.get("/api/user/mfa").json() == {"totp": True, "recovery_codes_left": 10, "required": False}
    clock.shift(30)
    fresh = Client()
    signed_in = verify(fresh, asked_for_code(fresh), code_of(setup["secret"]))
    assert (signed_in.status_code, signed_in.json()["user"]["email"]) == (200, "alice@alder.com")
    assert fresh.get("/dashboard").status_code == 200
    assert fresh.post("/api/auth/refresh").status_code == 200
    clock.shift(30)
    answer = alice_api.delete("/api/user/mfa/totp", {"code": code_of(setup["secret"])}, format="json")
    assert answer.json() == {"message": "Two-factor sign-in is off"}
    assert post(client, "login", **PAIR).status_code == 200
    assert not Authenticator.objects.exists()
    assert ("alice@alder.com", "Two-factor sign-in was turned off") in read_mails()


@pytest.mark.spec("AUTH-018")
def test_without_the_code_nothing_is_handed_out(alice: User, client: Client) -> None:
    turn_on(alice)
    token = asked_for_code(client)
    assert set(client.cookies) == set()
    assert client.get("/api/auth/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401
    assert client.get("/dashboard")["Location"] == "/"
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-018")
@pytest.mark.parametrize("code", ["000000", "12345", "0", " ", "------", "١٢٣٤٥٦"])
def test_a_wrong_code_is_refused(alice: User, client: Client, code: str) -> None:
    turn_on(alice)
    answer = verify(client, asked_for_code(client), code)
    assert (answer.status_code, answer.json()["code"]) in {(401, "INVALID_CODE"), (400, "VALIDATION_ERROR")}
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-018")
def test_a_code_works_once_and_a_spaced_one_too(alice: User, client: Client) -> None:
    secret, _ = turn_on(alice)
    code = code_of(secret)
    assert verify(client, asked_for_code(client), f"{code[:3]} {code[3:]}").status_code == 200
    answer = verify(client, asked_for_code(client), code)
    assert (answer.status_code, answer.json()["detail"]) == (401, WRONG)
    assert SignIn.objects.count() == 1


@pytest.mark.parametrize(("steps", "status"), [(-2, 401), (0, 200), (1, 200), (2, 401)])
def test_a_clock_may_be_half_a_minute_off(alice: User, client: Client, steps: int, status: int) -> None:
    secret, _ = turn_on(alice)
    assert verify(client, asked_for_code(client), code_of(secret, steps=steps)).status_code == status


@pytest.mark.spec("AUTH-018")
def test_an_earlier_code_is_not_good_after_a_later_one(alice: User, client: Client) -> None:
    secret, _ = turn_on(alice)
    assert verify(client, asked_for_code(client), code_of(secret, steps=1)).status_code == 200
    assert verify(client, asked_for_code(client), code_of(secret)).status_code == 401


@pytest.mark.spec("AUTH-018")
def test_each_recovery_code_works_once(alice: User, client: Client) -> None:
    _, codes = turn_on(alice)
    for code in codes[:2]:
        assert verify(client, asked_for_code(client), code).status_code == 200
        assert verify(client, asked_for_code(client), code).status_code == 401
    assert mfa.state(user=alice).recovery_codes_left == 8


@pytest.mark.spec("AUTH-018")
def test_new_recovery_codes_end_the_old_ones(alice: User, alice_api: APIClient, client: Client) -> None:
    secret, old = turn_on(alice)
    refused = alice_api.post("/api/user/mfa/recovery-codes", {"code": old[0]}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (400, "INVALID_CODE")
    new = alice_api.post("/api/user/mfa/recovery-codes", {"code": code_of(secret)}, format="json")
    assert len(set(new.json()["recovery_codes"]) | set(old)) == 20
    assert verify(client, asked_for_code(client), old[1]).status_code == 401
    assert verify(client, asked_for_code(client), new.json()["recovery_codes"][1]).status_code == 200


@pytest.mark.spec("AUTH-018")
def test_a_token_ends_after_five_minutes_and_with_its_use(alice: User, client: Client, clock: Any) -> None:
    secret, codes = turn_on(alice)
    used, late = asked_for_code(client), asked_for_code(client)
    assert verify(client, used, code_of(secret)).status_code == 200
    clock.shift(301)
    for token in (used, late, "x"):
        answer = verify(client, token, codes[0])
        assert (answer.status_code, answer.json()["code"]) == (401, "INVALID_MFA_TOKEN")
        assert answer.json()["detail"] == "Please sign in again."
    assert mfa.state(user=alice).recovery_codes_left == 10


@pytest.mark.spec("AUTH-018", "SEC-011")
def test_five_wrong_codes_end_the_token(alice: User, client: Client) -> None:
    secret, _ = turn_on(alice)
    token = asked_for_code(client)
    for _ in range(5):
        assert verify(client, token, "000000").json()["code"] == "INVALID_CODE"
    assert verify(client, token, code_of(secret)).json()["code"] == "INVALID_MFA_TOKEN"


@pytest.mark.spec("AUTH-018", "SEC-011", "LIM-032")
def test_ten_wrong_codes_are_all_in_a_quarter_of_an_hour(alice: User, client: Client, clock: Any) -> None:
    secret, _ = turn_on(alice)
    for _ in range(2):
        token = asked_for_code(client)
        for _ in range(5):
            assert verify(client, token, "000000").status_code == 401
    answer = verify(client, asked_for_code(client), code_of(secret))
    assert (answer.status_code, answer.json()["code"], answer["Retry-After"]) == (429, "RATE_LIMIT_EXCEEDED", "900")
    clock.shift(901)
    assert verify(client, asked_for_code(client), code_of(secret)).status_code == 200


@pytest.mark.spec("AUTH-018")
def test_turning_on_takes_a_code_of_this_secret(alice: User, alice_api: APIClient, clock: Any) -> None:
    first = alice_api.post("/api/user/mfa/totp").json()["secret"]
    second = alice_api.post("/api/user/mfa/totp").json()["secret"]
    confirm = "/api/user/mfa/totp/confirm"
    answer = alice_api.post(confirm, {"code": code_of(first)}, format="json")
    assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (400, "INVALID_CODE", WRONG)
    clock.shift(901)
    assert alice_api.post(confirm, {"code": code_of(second)}, format="json").status_code == 401
    assert not Authenticator.objects.exists()


@pytest.mark.spec("AUTH-018")
def test_what_is_on_is_not_set_up_again(alice: User, alice_api: APIClient) -> None:
    secret, _ = turn_on(alice)
    answer = alice_api.post("/api/user/mfa/totp")
    assert (answer.status_code, answer.json()["code"]) == (400, "MFA_ACTIVE")
    assert answer.json()["detail"] == "Two-factor sign-in is already on"
    assert alice_api.delete("/api/user/mfa/totp", {"code": "000000"}, format="json").status_code == 400
    assert mfa.is_right(user=alice, code=code_of(secret))


@pytest.mark.spec("AUTH-018", "SEC-009")
def test_staff_who_must_have_it_are_staff_with_it_alone(sam: User, settings: Any) -> None:
    settings.STAFF_MFA_REQUIRED = True
    client = browser_of(sam)
    assert client.get("/django-admin/").status_code == 302
    assert mfa.state(user=sam).required
    secret, _ = turn_on(sam)
    assert client.get("/django-admin/").status_code == 200
    api = APIClient()
    api.credentials(HTTP_AUTHORIZATION=f"Bearer {services.start_sign_in(user=sam, device='test').access}")
    answer = api.delete("/api/user/mfa/totp", {"code": code_of(secret)}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "MFA_ENFORCED")
    assert sam.has_second_factor


@pytest.mark.spec("AUTH-018")
def test_what_allauth_has_stored_stays_good(alice: User, client: Client) -> None:
    """A seed, from which allauth 65 made these codes, and a secret, whose code of 2005 is in RFC 6238."""
    rows = {
        "totp": {"secret": sealing.seal(base64.b32encode(b"12345678901234567890").decode()), "last_counter": 0},
        "recovery_codes": {"seed": sealing.seal("0123456789" * 8), "used_mask": 0b10},
    }
    for kind, data in rows.items():
        Authenticator.objects.create(user=alice, type=kind, data=data)
    assert mfa.state(user=alice).recovery_codes_left == 9
    for code, status in (("90088395", 200), ("32632457", 401), ("7197-8584", 200), ("90088395", 401)):
        assert verify(client, asked_for_code(client), code).status_code == status
    with time_machine.travel("2005-03-18 01:58:29+00:00", tick=False):
        assert mfa.is_right(user=alice, code="081804")
        assert not mfa.is_right(user=alice, code="081804")
    assert mfa.state(user=alice).recovery_codes_left == 7


def test_secrets_are_sealed_in_the_database(alice: User) -> None:
    secret, codes = turn_on(alice)
    kept = str(list(Authenticator.objects.values()))
    assert not [text for text in (secret, *codes) if text in kept]


@pytest.mark.spec("AUTH-018")
def test_a_suspension_between_the_steps_holds(alice: User, client: Client) -> None:
    secret, _ = turn_on(alice)
    token = asked_for_code(client)
    User.objects.update(is_active=False)
    answer = verify(client, token, code_of(secret))
    assert (answer.status_code, answer.json()["code"]) == (403, "ACCOUNT_SUSPENDED")
    assert not SignIn.objects.exists()


@pytest.mark.spec("AUTH-018", "AUTH-033")
def test_a_new_password_ends_what_the_old_one_began(alice: User, client: Client) -> None:
    secret, _ = turn_on(alice)
    token = asked_for_code(client)
    services.reset_password(token=tokens.make(user=alice, purpose=Purpose.RESET), password="battery-43-staple")
    answer = verify(client, token, code_of(secret))
    assert (answer.status_code, answer.json()["code"]) == (401, "INVALID_MFA_TOKEN")
    assert not SignIn.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("AUTH-018")
@pytest.mark.parametrize("kind", ["app", "recovery"])
def test_of_sixteen_uses_of_one_code_one_succeeds(alice: User, kind: str) -> None:
    secret, codes = turn_on(alice)
    code = code_of(secret) if kind == "app" else codes[0]
    tokens = []
    for _ in range(16):
        with pytest.raises(mfa.CodeRequired) as asked:
            mfa.demand(user=alice)
        tokens.append(asked.value.extra["mfa_token"])

    def use(token: str) -> bool:
        try:
            mfa.finish(mfa_token=token, code=code)
        except NotAuthenticated:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(16) as pool:
        assert list(pool.map(use, tokens)).count(True) == 1
