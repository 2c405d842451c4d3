"""A text that holds an address: judged as it stands, or repaired when asked, and never charged for nothing."""

from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.keys import services as keys
from accounts.users.models import User
from billing.ledger.models import CreditAccount
from conftest import client_with
from tests.world import Sandbox
from validation.daily.models import Day
from validation.results.ids import write_result_id
from validation.results.models import Result

SINGLE = "/api/validate/single"
KEYED = "/api/v1/validate/single"
IDA = "ida.holm@harborquill.com"
TYPED = f"Ida Holm <{IDA}>"
REPAIR = ("email", "email_checked", "repaired_from", "repairs", "did_you_mean", "found_addresses", "found_count")
CHARGE = ("category", "reason", "credits_used")


@pytest.fixture
def key_api(alice: User) -> APIClient:
    return client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1])


@pytest.fixture
def trial_api(alice: User) -> APIClient:
    return client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Trial", test=True)[1])


def check(api: APIClient, email: object, *, path: str = SINGLE, **more: object) -> Any:
    return api.post(path, {"email": email, **more}, format="json")


def pick(body: dict[str, Any], *names: str) -> list[Any]:
    return [body[name] for name in names]


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


@pytest.mark.spec("REP-007", "REP-008")
def test_with_repair_the_address_in_a_text_is_checked(world: Sandbox, alice: User, alice_api: APIClient) -> None:
    body = check(alice_api, f" {TYPED} ", repair=True).json()
    assert pick(body, *REPAIR) == [TYPED, IDA, TYPED, ["name"], None, [], 0]
    assert pick(body, *CHARGE) == ["valid", "mailbox_exists", 1]
    assert balance(alice) == 99
    assert Result.objects.get().email == IDA


@pytest.mark.spec("REP-008")
@pytest.mark.parametrize("text", [TYPED, IDA.replace("@", "\uff20"), f"mailto:{IDA}", f"{IDA};"])
@pytest.mark.parametrize("more", [{}, {"repair": False}])
def test_without_repair_the_address_is_named_and_nothing_is_charged(
    world: Sandbox, alice: User, alice_api: APIClient, text: str, more: dict[str, Any]
) -> None:
    body = check(alice_api, text, **more).json()
    assert pick(body, *REPAIR) == [text, text, None, [], IDA, [], 0]
    assert pick(body, *CHARGE) == ["invalid", "syntax", 0]
    assert balance(alice) == 100
    assert world.simulation.stats.report()["connections"] == 0


@pytest.mark.spec("REP-008")
@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize("count", [2, 20, 21, 53])
def test_several_addresses_are_named_and_none_is_checked(
    world: Sandbox, alice: User, alice_api: APIClient, count: int, repair: bool
) -> None:
    addresses = [f"p{number}@twolines.net" for number in range(count)]
    text = ",".join(addresses)
    body = check(alice_api, text, repair=repair).json()
    assert pick(body, *REPAIR) == [text, text, None, [], None, addresses[:20], count]
    assert [write_result_id(row.pk) for row in Result.objects.all()] == ([] if repair else [body["id"]])
    assert not repair or (body["id"], Day.objects.count()) == ("", 0)
    assert pick(body, *CHARGE) == ["invalid", "syntax", 0]
    assert balance(alice) == 100
    assert world.simulation.stats.report()["connections"] == 0


@pytest.mark.spec("REP-004", "REP-008")
@pytest.mark.parametrize("text", ["not an address", "ida(at)harborquill.com", "ida@harborquill"])
def test_what_cannot_be_repaired_is_judged_as_it_stands(
    world: Sandbox, alice: User, alice_api: APIClient, text: str
) -> None:
    body = check(alice_api, text, repair=True).json()
    assert pick(body, *REPAIR) == [text, text, None, [], None, [], 0]
    assert pick(body, *CHARGE) == ["invalid", "syntax", 0]
    assert balance(alice) == 100


@pytest.mark.spec("REP-008", "DOC-033")
@pytest.mark.parametrize("repair", [False, True])
@pytest.mark.parametrize(
    "email", ["", " \u00a0", None, 7, ["a@b.com"], "no address", "ida(at)harborquill.com", "\u200b"]
)
def test_a_key_is_refused_what_has_no_at_sign(alice: User, key_api: APIClient, email: object, repair: bool) -> None:
    answer = check(key_api, email, path=KEYED, repair=repair)
    assert (answer.status_code, answer.json()["code"]) == (400, "INVALID_EMAIL")
    assert not Result.objects.exists()
    assert balance(alice) == 100


@pytest.mark.spec("REP-008")
@pytest.mark.parametrize("text", [IDA.replace("@", "\uff20"), IDA.replace("@", "\ufe6b"), f"({IDA})", "(ida@)"])
def test_a_full_width_at_sign_counts_for_a_key(world: Sandbox, key_api: APIClient, text: str) -> None:
    answer = check(key_api, text, path=KEYED)
    assert (answer.status_code, answer.json()["reason"]) == (200, "syntax")


@pytest.mark.spec("REP-008")
@pytest.mark.parametrize("value", ["maybe", 2, None, [], {}, ""])
def test_another_value_of_repair_is_refused(alice: User, alice_api: APIClient, value: object) -> None:
    answer = check(alice_api, TYPED, repair=value)
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert answer.json()["details"]["field"] == "repair"
    assert not Result.objects.exists()
    assert balance(alice) == 100


@pytest.mark.spec("REP-008")
def test_test_mode_repairs_alike(alice: User, trial_api: APIClient) -> None:
    typed = "Val <valid@test.emailcheck.app>"
    body = check(trial_api, typed, path=KEYED, repair=True).json()
    assert pick(body, *REPAIR[:4]) == [typed, "valid@test.emailcheck.app", typed, ["name"]]
    assert pick(body, *CHARGE) == ["valid", "mailbox_exists", 0]
    plain = check(trial_api, typed, path=KEYED).json()
    assert pick(plain, *CHARGE, "did_you_mean") == ["invalid", "syntax", 0, "valid@test.emailcheck.app"]
    several = check(trial_api, "valid@test.emailcheck.app; role@test.emailcheck.app", path=KEYED, repair=True).json()
    assert pick(several, "id", "category", "did_you_mean", "found_count") == ["", "invalid", None, 2]
    history = trial_api.get("/api/v1/validate/batches").json()
    assert {row["email"]: row["email_checked"] for row in history["individual_validations"]}[typed] == body[
        "email_checked"
    ]


@pytest.mark.spec("REP-006", "REP-007")
def test_the_text_as_typed_is_kept(world: Sandbox, alice_api: APIClient, bob_api: APIClient) -> None:
    number = check(alice_api, TYPED, repair=True).json()["id"]
    plain = check(alice_api, IDA).json()["id"]
    kept = alice_api.get(f"/api/validate/result/{number}").json()
    assert pick(kept, *REPAIR[:4]) == [TYPED, IDA, TYPED, ["name"]]
    history = alice_api.get("/api/validate/batches").json()
    rows = {row["id"]: row for row in history["individual_validations"]}
    assert pick(rows[number], *REPAIR[:4]) == [TYPED, IDA, TYPED, ["name"]]
    assert pick(rows[plain], *REPAIR[:4]) == [IDA, IDA, None, []]
    assert {row["id"]: row["email"] for row in history["validations"]} == {number: TYPED, plain: IDA}
    recent = alice_api.get("/api/analytics/dashboard").json()["recent_validations"]
    assert [pick(row, *REPAIR[:4]) for row in recent if row["id"] == number] == [[TYPED, IDA, TYPED, ["name"]]]
    assert bob_api.get(f"/api/validate/result/{number}").status_code == 404
