"""What staff change on an account, and what refuses it."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.access.models import SignIn
from accounts.activity.models import Activity, ActivityKind
from accounts.keys import services as keys
from accounts.signals import organisation_suspended
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.balances import count_all_credits, count_frozen_credits, list_spendable_lots
from billing.ledger.models import CreditAccount, CreditAdjustment, CreditEntry, LotKind
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Status, Subscription
from conftest import PASSWORD, client_of, client_with, make_user
from emailcheck.common.errors import Conflict
from emailcheck.common.testing import drain_queue, run_sixteen

SUSPEND = {"status": "suspended", "suspension_reason": "Abuse"}


def put(sam: User, user: User, **wishes: Any) -> Any:
    return client_of(sam).put(f"/api/admin/users/{user.pk}", wishes, format="json")


def refused(answer: Any) -> tuple[int, str, str]:
    return answer.status_code, answer.json()["code"], answer.json()["detail"]


def state(user: User) -> list[Any]:
    """What a refusal must leave as it is."""
    account = User.objects.values_list("role", "is_active").get(pk=user.pk)
    plan = Subscription.objects.values_list("plan", "status").get(organisation=user.own_organisation)
    entries = CreditEntry.objects.filter(organisation=user.own_organisation).count()
    recorded = Activity.objects.filter(kind=ActivityKind.STAFF).count()
    return [account, plan, entries, CreditAccount.objects.get(organisation=user.own_organisation).balance, recorded]


@pytest.mark.spec("ADM-207", "ADM-220", "SEC-003")
def test_credits_change_by_one_recorded_adjustment(sam: User, alice: User) -> None:
    wishes = {"credits": 250, "credits_read": 100, "reason": "Lost in a fault", "plan": "growth", "status": "active"}
    for _ in range(2):
        answer = put(sam, alice, role="user", **wishes)
        assert answer.status_code == 200
        assert (answer.json()["success"], answer.json()["message"]) == (True, "User updated successfully!")
        assert (answer.json()["user"]["credits"], answer.json()["user"]["subscription_plan"]) == (250, "growth")
    made = CreditAdjustment.objects.get()
    assert (made.organisation, made.staff_id, made.before, made.after) == (alice.own_organisation, sam.pk, 100, 250)
    entry = CreditEntry.objects.get(reference=made.key)
    assert (entry.amount, entry.reason, entry.lot.kind) == (150, "Lost in a fault", LotKind.BONUS)
    line = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (line.user, line.staff_id, line.action) == (alice, sam.pk, "Credits changed from 100 to 250")
    assert line.changes == {"credits": [100, 250], "reason": "Lost in a fault"}
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-228")
def test_credits_are_taken_from_what_can_be_spent(sam: User, alice: User) -> None:
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=50, reason="Pack", key="pack")
    assert put(sam, alice, credits=20, credits_read=150, reason="Bought by mistake").json()["user"]["credits"] == 20
    assert [lot.remaining for lot in list_spendable_lots(organisation_id=alice.pk)] == [20]
    assert CreditAccount.objects.get(organisation=alice.own_organisation).debt == 0
    ledger.freeze_credits(organisation_id=alice.pk)
    assert put(sam, alice, credits=5, credits_read=20, reason="More").json()["user"]["credits"] == 5
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-228")
def test_frozen_credits_stay_as_they_are(sam: User, alice: User) -> None:
    ledger.freeze_credits(organisation_id=alice.pk)
    ledger.grant_credits(organisation_id=alice.pk, kind=LotKind.PACK, amount=50, reason="Pack", key="pack")
    assert put(sam, alice, credits=10, credits_read=50, reason="Less").json()["user"]["credits"] == 10
    assert count_frozen_credits(organisation_id=alice.pk) == 100
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-228", "ADM-220")
@pytest.mark.parametrize(
    ("wishes", "status", "code"),
    [
        ({"credits": 500, "credits_read": 99, "reason": "x"}, 409, "BALANCE_CHANGED"),
        ({"credits": 500, "credits_read": 100}, 400, "VALIDATION_ERROR"),
        ({"credits": 500, "credits_read": 100, "reason": "  "}, 400, "VALIDATION_ERROR"),
        ({"credits": 500}, 400, "VALIDATION_ERROR"), ({"credits": -1, "reason": "x"}, 400, "VALIDATION_ERROR"),
        ({"plan": "gold"}, 400, "VALIDATION_ERROR"), ({"status": "away"}, 400, "VALIDATION_ERROR"),
        ({"role": "owner"}, 400, "VALIDATION_ERROR"), ({"role": "admin"}, 400, "WRONG_DOMAIN"),
        ({"plan": "pro", "credits": 500, "credits_read": 1, "reason": "x"}, 409, "BALANCE_CHANGED"),
        ({"status": "suspended", "plan": "pro", "role": "admin"}, 400, "WRONG_DOMAIN"),
        ({"status": "suspended"}, 400, "VALIDATION_ERROR"),
        ({"status": "suspended", "suspension_reason": " ", "plan": "pro"}, 400, "VALIDATION_ERROR"),
        ({"status": "suspended", "reason": "Of the credits"}, 400, "VALIDATION_ERROR"),
        ({"status": "suspended", "suspension_reason": "x" * 501}, 400, "VALIDATION_ERROR"),
        ({"credits": 500, "credits_read": 100, "reason": "x", "role": "admin"}, 400, "WRONG_DOMAIN"),
    ],
)  # fmt: skip
def test_what_is_refused_changes_nothing(
    sam: User, alice: User, wishes: dict[str, Any], status: int, code: str
) -> None:
    before = state(alice)
    answer = put(sam, alice, **wishes)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert state(alice) == before


@pytest.mark.spec("ADM-228")
def test_an_unchanged_field_is_no_change_whatever_moved_meanwhile(sam: User, alice: User) -> None:
    ledger.open_hold(organisation_id=alice.pk, amount=30, reason="A list", key="list:1")
    answer = put(sam, alice, credits=100, credits_read=100, status="active")
    assert (answer.status_code, answer.json()["user"]["credits"]) == (200, 70)
    assert not CreditAdjustment.objects.exists()


@pytest.mark.spec("ADM-220")
def test_an_unknown_account_is_not_found(sam: User) -> None:
    answer = client_of(sam).put("/api/admin/users/4711", {"status": "active"}, format="json")
    assert refused(answer) == (404, "NOT_FOUND", "User not found")


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-228")
def test_sixteen_edits_at_once_adjust_once(sam: User, alice: User) -> None:
    api = client_of(sam)
    wishes = {"credits": 250, "credits_read": 100, "reason": "Once", "plan": "pro", **SUSPEND}

    def once(_: int) -> int:
        return api.put(f"/api/admin/users/{alice.pk}", wishes, format="json").status_code

    answers = run_sixteen(once)
    assert set(answers) <= {200, 409}
    assert 200 in answers
    assert CreditAdjustment.objects.count() == 1
    actions = sorted(Activity.objects.filter(kind=ActivityKind.STAFF).values_list("action", flat=True))
    assert actions == ["Credits changed from 100 to 250", "Plan changed from Growth to Pro", "Role or status changed"]
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-207", "ADM-223", "ADM-228")
def test_plans_are_given_without_a_charge(sam: User, bob: User) -> None:
    Subscription.objects.filter(organisation=bob.own_organisation).update(plan=Plan.FREE)
    answer = put(sam, bob, plan="starter").json()
    assert answer["message"] == ("User updated successfully! Starter is given from now on; nobody is charged for it.")
    found = Subscription.objects.get(organisation=bob.own_organisation)
    assert (found.plan, found.paid_until, found.agreement) == (Plan.STARTER, None, None)
    assert "It gives 5,000 credits a month" in put(sam, bob, plan="enterprise").json()["message"]
    assert put(sam, bob, plan="free").json()["user"]["subscription_plan"] == "free"
    recorded = Activity.objects.filter(kind=ActivityKind.STAFF).order_by("pk").values_list("changes", flat=True)
    assert [line["plan"] for line in recorded] == [
        ["Free Trial", "Starter"], ["Starter", "Enterprise"], ["Enterprise", "Free Trial"],
    ]  # fmt: skip
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-228")
def test_a_trial_is_ended_by_going_back_to_free(sam: User, bob: User) -> None:
    Subscription.objects.filter(organisation=bob.own_organisation).update(plan=Plan.FREE)
    start_trial(organisation=bob.own_organisation)
    before = count_all_credits()
    assert put(sam, bob, plan="free").json()["user"]["subscription_plan"] == "free"
    found = Subscription.objects.get(organisation=bob.own_organisation)
    assert (found.status, found.trial_status, found.plan) == (Status.ACTIVE, "expired", Plan.FREE)
    assert count_all_credits() < before
    assert not list_spendable_lots(organisation_id=bob.pk).filter(kind=LotKind.TRIAL).exists()
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("ADM-222", "ADM-207")
def test_a_suspension_shuts_out_and_readmitting_lets_in(sam: User, alice: User) -> None:
    token, key = (
        client_of(alice),
        client_with(keys.create_key(organisation=alice.own_organisation, maker=alice, name="Shop")[1]),
    )
    anybody = client_with("")
    for _ in range(2):
        assert put(sam, alice, **SUSPEND).json()["user"]["status"] == "suspended"
    for api in (token, key):
        assert refused(api.get("/api/auth/me")) == (403, "ACCOUNT_SUSPENDED", "Account suspended")
    pair = {"email": alice.email, "password": PASSWORD}
    assert refused(anybody.post("/api/auth/login", pair, format="json"))[1:] == (
        "ACCOUNT_SUSPENDED", "Account suspended",
    )  # fmt: skip
    wrong = anybody.post("/api/auth/login", pair | {"password": "wrong-horse-42"}, format="json")
    assert refused(wrong) == (401, "INVALID_CREDENTIALS", "Invalid email or password")
    assert put(sam, alice, status="active").json()["user"]["status"] == "active"
    assert key.get("/api/auth/me").status_code == 200
    recorded = Activity.objects.filter(kind=ActivityKind.STAFF, staff_id=sam.pk).order_by("pk")
    assert [line.changes for line in recorded] == [
        {"is_active": [True, False], "reason": "Abuse"}, {"is_active": [False, True]},
    ]  # fmt: skip


@pytest.mark.spec("ADM-228", "ADM-222")
def test_credits_plan_and_suspension_come_together_or_not_at_all(sam: User, alice: User) -> None:
    def refuse(**_: Any) -> None:
        raise Conflict("Not now.")

    before = state(alice)
    wishes = {"credits": 250, "credits_read": 100, "reason": "x", "plan": "pro", **SUSPEND}
    organisation_suspended.connect(refuse, dispatch_uid="refuse")
    try:
        assert put(sam, alice, **wishes).status_code == 409
    finally:
        organisation_suspended.disconnect(dispatch_uid="refuse")
    assert state(alice) == before
    assert not CreditAdjustment.objects.exists()
    assert put(sam, alice, **wishes).json()["user"]["credits"] == 20_250


@pytest.mark.spec("ADM-206", "ADM-223", "SEC-009")
def test_another_role_asks_who_is_there(sam: User, settings: Any) -> None:
    settings.STAFF_AUTO_ADMIN = False
    ada = make_user("ada@emailcheck.app", "Ada")
    api = client_of(sam)
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    path = f"/api/admin/users/{ada.pk}"
    assert refused(api.put(path, {"role": "admin"}, format="json"))[1] == "REAUTH_REQUIRED"
    ada.refresh_from_db()
    assert ada.role == "user"
    assert api.put(path, {"role": "user", "status": "active"}, format="json").status_code == 200
    assert api.post("/api/auth/reauthenticate", {"password": PASSWORD}, format="json").status_code == 200
    assert api.put(path, {"role": "admin"}, format="json").json()["user"]["role"] == "admin"
    assert client_of(ada).get("/api/admin/audit").status_code == 200


@pytest.mark.spec("ADM-219", "ADM-224", "ADM-210")
@pytest.mark.parametrize("wishes", [{"status": "suspended"}, {"role": "user"}, {"role": "user", "plan": "pro"}])
def test_protected_accounts_and_the_own_one_stay(sam: User, settings: Any, wishes: dict[str, Any]) -> None:
    ada = make_user("ada@emailcheck.app", "Ada")
    settings.PROTECTED_ADMIN_EMAILS = ("ada@emailcheck.app", "bea@emailcheck.app")
    before = [state(user) for user in (ada, sam)]
    assert refused(put(sam, ada, **wishes)) == (403, "PROTECTED_ACCOUNT", "This account is protected")
    assert refused(put(sam, sam, **wishes)) == (
        403, "PROTECTED_ACCOUNT", "You cannot change your own role or status.",
    )  # fmt: skip
    own = client_of(sam).delete(f"/api/admin/users/{sam.pk}")
    assert refused(own) == (
        403, "PROTECTED_ACCOUNT", "You cannot delete your own account here. Your settings can.",
    )  # fmt: skip
    assert refused(client_of(sam).delete(f"/api/admin/users/{ada.pk}"))[1] == "PROTECTED_ACCOUNT"
    assert [state(user) for user in (ada, sam)] == before


@pytest.mark.spec("ADM-208", "ADM-209", "ADM-226")
def test_a_deleted_account_is_gone_and_recorded(sam: User, alice: User) -> None:
    token, path = client_of(alice), f"/api/admin/users/{alice.pk}"
    answer = client_of(sam).delete(path)
    assert answer.json() == {"success": True, "message": "User alice@alder.com deleted successfully!"}
    assert token.get("/api/auth/me").status_code == 401
    assert refused(client_of(sam).delete(path)) == (404, "NOT_FOUND", "User not found")
    drain_queue()
    assert not User.objects.filter(pk=alice.pk).exists()
    line = Activity.objects.get(kind=ActivityKind.STAFF)
    assert (line.staff_id, line.action, line.target, line.user) == (
        sam.pk, "Account deleted", f"account {alice.pk}", None,
    )  # fmt: skip


@pytest.mark.spec("SEC-015", "ADM-208")
def test_deleting_asks_who_is_there(sam: User, alice: User) -> None:
    api = client_of(sam)
    SignIn.objects.filter(user=sam).update(confirmed_at=timezone.now() - timedelta(minutes=16))
    before = state(alice)
    assert refused(api.delete(f"/api/admin/users/{alice.pk}"))[1] == "REAUTH_REQUIRED"
    assert state(alice) == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-208")
def test_of_sixteen_deletions_one_deletes(sam: User, alice: User) -> None:
    api = client_of(sam)
    answers = run_sixteen(lambda _: api.delete(f"/api/admin/users/{alice.pk}").status_code)
    assert sorted(answers) == [200] + [404] * 15
    assert Activity.objects.filter(action="Account deleted").count() == 1
