"""A new account's jobs run every check while its welcome covers them, then those of Free; each says which it got."""

import csv
import io
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.catalogue.plans import Cycle, Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditAccount, CreditLot, LotKind
from billing.subscriptions import services as subscriptions
from billing.subscriptions.lifecycle.trials import start_trial
from billing.subscriptions.models import Subscription
from conftest import client_of, end_welcome, make_user
from emailcheck.common.errors import BadInput, Conflict, Refused
from emailcheck.common.testing import drain_queue, run_sixteen
from tests.world import Sandbox
from validation.batches import services as batches
from validation.batches.control import rechecks
from validation.batches.coverage import checks_of
from validation.batches.models import Batch, BatchType
from validation.engine.vocabulary import EVERY_CHECK
from validation.tests import stored
from validation.tests.outside import all_asked, connect

LIVING = "ida.holm@harborquill.com"
GONE = "gone.hannah.park@twolines.net"
OPEN = "tom.reed@velvetcircuit.com"  # its host accepts everything
THROWAWAY = "somebody@mailinator.com"
NO_DOMAIN = "somebody@neverregistered.com"
LIST = [LIVING, GONE, THROWAWAY]


@pytest.fixture
def wes(db: None, world: Sandbox) -> User:
    return make_user("wes@willow.org", "Wes Willow", plan=Plan.FREE)


@pytest.fixture
def wes_api(wes: User) -> APIClient:
    return client_of(wes)


def leave(user: User, credits: int) -> None:
    """Leave so many welcome credits, and as many others as it takes for more than one list."""
    ledger.open_hold(organisation_id=user.pk, amount=100 - credits, reason="Spent", key="spent")
    ledger.grant_credits(organisation_id=user.pk, kind=LotKind.BONUS, amount=50, reason="Bonus", key="bonus")


def lots(user: User) -> dict[str, int]:
    return dict(CreditLot.objects.filter(organisation=user.own_organisation).values_list("kind", "remaining"))


def balance(user: User) -> int:
    return CreditAccount.objects.get(organisation=user.own_organisation).balance


def start(user: User, lines: list[str]) -> Batch:
    batch = batches.start_list(organisation=user.own_organisation, lines=lines, batch_type=BatchType.BULK_TEXTAREA)
    drain_queue()
    batch.refresh_from_db()
    return batch


def verdicts(batch: Batch) -> list[tuple[str, str, bool, bool]]:
    rows = batch.results.order_by("position")
    return list(rows.values_list("category", "reason", "basic", "charged"))


@pytest.mark.spec("PEN-021", "PEN-028")
@pytest.mark.finding("D2")
def test_a_new_account_gets_the_same_verdicts_as_the_try_box(wes_api: APIClient) -> None:
    """The try box runs every check, and so do the first 100 of an account."""
    found = {}
    for address in LIST:
        tried = APIClient().post("/api/try", {"email": address}, format="json")
        assert tried.status_code == 200
        mine = wes_api.post("/api/validate/single", {"email": address}, format="json").json()
        assert (mine["category"], mine["checks"]) == (tried.json()["category"], "full")
        found[address] = mine["category"]
    assert found == {LIVING: "valid", GONE: "invalid", THROWAWAY: "disposable"}


@pytest.mark.spec("PEN-021", "PEN-023")
def test_single_paste_file_and_api_alike_run_every_check(wes: User, wes_api: APIClient) -> None:
    single = wes_api.post("/api/validate/single", {"email": LIVING}, format="json").json()
    pasted = wes_api.post("/api/validate/bulk", {"emails": LIST}, format="json").json()
    file = io.BytesIO("\n".join(LIST).encode())
    file.name = "list.csv"
    draft = wes_api.post("/api/validate/upload/inspect", {"file": file}, format="multipart").json()
    started = wes_api.post(f"/api/validate/upload/{draft['upload_id']}/start").json()
    assert [answer["checks"] for answer in (single, pasted, draft, started)] == ["full"] * 4
    assert {row["checks"] for row in pasted["results"]} == {"full"}
    assert draft["welcome_credits"] == 96
    assert lots(wes) == {"welcome": 93}
    batch = f"/api/validate/batch/{started['batch_id']}"
    assert [wes_api.get(f"{batch}{path}").json()["checks"] for path in ("", "/status")] == ["full", "full"]
    assert {row["checks"] for row in wes_api.get(f"{batch}/results").json()["results"]} == {"full"}


@pytest.mark.spec("PEN-022", "PEN-024")
@pytest.mark.finding("D2")
def test_a_list_that_the_welcome_does_not_cover_has_basic_checks(wes: User) -> None:
    leave(wes, 3)
    batch = start(wes, [*LIST, NO_DOMAIN, "no address", LIVING])
    assert verdicts(batch) == [
        ("unknown", "not_in_plan", True, True),
        ("unknown", "not_in_plan", True, True),
        ("unknown", "not_in_plan", True, True),
        ("invalid", "no_domain", True, True),
        ("invalid", "syntax", True, False),
    ]
    assert (checks_of(batch), batch.credits_used, batch.duplicates_removed) == ("basic", 4, 1)
    assert lots(wes) == {"welcome": 3, "bonus": 46}
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PEN-022")
@pytest.mark.parametrize("way", ["paste", "file"])
def test_the_first_of_a_list_can_be_checked_in_full(wes: User, wes_api: APIClient, way: str) -> None:
    leave(wes, 2)
    lines = [LIVING, "no address", LIVING.upper(), GONE, "", THROWAWAY, NO_DOMAIN]
    if way == "paste":
        answer = wes_api.post("/api/validate/bulk", {"emails": lines, "max_credits": 2}, format="json").json()
    else:
        file = io.BytesIO("\n".join(lines).encode())
        file.name = "list.csv"
        upload = wes_api.post("/api/validate/upload/inspect", {"file": file}, format="multipart").json()
        assert (upload["checks"], upload["cost"], upload["welcome_credits"]) == ("basic", 4, 2)
        url = f"/api/validate/upload/{upload['upload_id']}"
        cut = wes_api.put(url, {"max_credits": 2}, format="json").json()
        assert (cut["checks"], cut["cost"], cut["max_credits"]) == ("full", 2, 2)
        answer = wes_api.post(f"{url}/start").json()
    drain_queue()
    assert answer["checks"] == "full"
    found = Batch.objects.get(public_id=answer["batch_id"])
    assert list(found.results.order_by("position").values_list("email", "category")) == [
        (LIVING, "valid"), ("no address", "invalid"), (GONE, "invalid"),
    ]  # fmt: skip
    assert lots(wes) == {"welcome": 0, "bonus": 50}


@pytest.mark.spec("PEN-022")
def test_a_list_keeps_the_checks_it_began_with_when_the_welcome_is_used_up(wes: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    leave(wes, 3)
    full = batches.start_list(organisation=wes.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    basic = batches.start_list(organisation=wes.own_organisation, lines=LIST, batch_type=BatchType.BULK_TEXTAREA)
    assert lots(wes) == {"welcome": 0, "bonus": 47}
    drain_queue()
    for batch in (full, basic):
        batch.refresh_from_db()
    assert [one.checks for one in (full, basic)] == [EVERY_CHECK, frozenset()]
    assert [row[0] for row in verdicts(full)] == ["valid", "invalid", "disposable"]
    assert [row[1] for row in verdicts(basic)] == ["not_in_plan"] * 3


@pytest.mark.spec("PEN-023", "VAL-070")
@pytest.mark.parametrize(("left", "checks"), [(3, "full"), (2, "basic")])
def test_the_files_say_which_checks_were_made(wes: User, wes_api: APIClient, left: int, checks: str) -> None:
    leave(wes, left)
    batch = start(wes, LIST)
    url = f"/api/validate/batch/{batch.public_id}/export"
    answer: Any = wes_api.get(url, {"format": "csv"})
    lines = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode("utf-8-sig"))))
    assert [line["Checks"] for line in lines] == [checks] * 3


@pytest.mark.spec("PEN-027", "PEN-024")
def test_bonus_credits_on_free_buy_basic_checks(wes: User, wes_api: APIClient) -> None:
    leave(wes, 0)
    result = wes_api.post("/api/validate/single", {"email": LIVING}, format="json").json()
    assert (result["category"], result["reason"], result["checks"]) == ("unknown", "not_in_plan", "basic")
    nulls = [result[name] for name in ("smtp_valid", "is_catch_all", "is_disposable")]
    assert (nulls, result["credits_used"], lots(wes)) == ([None] * 3, 1, {"welcome": 0, "bonus": 49})


@pytest.mark.spec("PEN-021")
def test_outside_providers_are_not_asked_for_the_welcome(
    wes: User, wes_api: APIClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = connect(monkeypatch)
    single = wes_api.post("/api/validate/single", {"email": OPEN}, format="json").json()
    batch = start(wes, [OPEN])
    assert (single["category"], [row[0] for row in verdicts(batch)], all_asked(outside)) == (
        "catch_all", ["catch_all"], [],
    )  # fmt: skip
    assert lots(wes) == {"welcome": 98}


@pytest.mark.spec("PEN-021", "ADM-607")
@pytest.mark.postgres
def test_outside_providers_are_not_asked_for_the_welcome_of_who_subscribes_meanwhile(
    wes: User, wes_api: APIClient, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = connect(monkeypatch)
    settings.IMMEDIATE_ADDRESSES = 0
    batch = batches.start_list(organisation=wes.own_organisation, lines=[OPEN], batch_type=BatchType.BULK_TEXTAREA)
    Subscription.objects.filter(organisation=wes.own_organisation).update(plan=Plan.PRO)
    drain_queue()
    wes_api.post("/api/validate/single", {"email": OPEN}, format="json")
    assert (verdicts(batch)[0][0], lots(wes), all_asked(outside)) == ("catch_all", {"welcome": 98}, [])
    end_welcome(wes)
    wes_api.post("/api/validate/single", {"email": OPEN}, format="json")
    again = batches.start_list(organisation=wes.own_organisation, lines=[OPEN], batch_type=BatchType.BULK_TEXTAREA)
    drain_queue()
    assert (verdicts(again)[0][0], all_asked(outside)) == ("valid", [OPEN] * 2)


@pytest.fixture
def basic(wes: User) -> Batch:
    """A list with three rows that basic checks left undecided, and one that they decided."""
    end_welcome(wes)
    return start(wes, [*LIST, NO_DOMAIN])


def give_pack(user: User, amount: int) -> None:
    ledger.grant_credits(organisation_id=user.pk, kind=LotKind.PACK, amount=amount, reason="Pack", key="pack")


@pytest.mark.spec("PEN-026")
def test_what_was_left_undecided_is_offered_once_it_can_be_had(basic: Batch, wes: User, wes_api: APIClient) -> None:
    url = f"/api/validate/batch/{basic.public_id}"

    def offer() -> tuple[int, int | None]:
        body = wes_api.get(url).json()
        return body["not_in_plan_count"], body["in_full_cost"]

    assert offer() == (3, None)
    answer = wes_api.post(f"{url}/check-in-full")
    assert (answer.status_code, answer.json()["code"], lots(wes)) == (403, "PLAN_REQUIRED", {"plan": 96})
    give_pack(wes, 2)
    assert offer() == (3, None)
    assert wes_api.post(f"{url}/check-in-full").status_code == 403
    ledger.grant_credits(organisation_id=wes.pk, kind=LotKind.PACK, amount=1, reason="Pack", key="another")
    assert offer() == (3, 3)


@pytest.mark.spec("PEN-026", "VAL-043")
@pytest.mark.parametrize("by", ["trial", "plan", "pack"])
def test_only_undecided_rows_run_in_full_each_charged_as_a_new_check(
    basic: Batch, wes: User, wes_api: APIClient, by: str
) -> None:
    if by == "trial":
        start_trial(organisation=wes.own_organisation)
    elif by == "plan":
        subscriptions.activate_plan(organisation_id=wes.pk, plan=Plan.STARTER, cycle=Cycle.MONTHLY, paid_until=None)
    else:
        give_pack(wes, 3)
    before = balance(wes)
    url = f"/api/validate/batch/{basic.public_id}"
    answer = wes_api.post(f"{url}/check-in-full")
    assert (answer.status_code, answer.json()["checking"]) == (200, 3)
    drain_queue()
    basic.refresh_from_db()
    assert verdicts(basic) == [
        ("valid", "mailbox_exists", False, True),
        ("invalid", "mailbox_not_found", False, True),
        ("disposable", "disposable_domain", False, True),
        ("invalid", "no_domain", True, True),
    ]
    assert (basic.credits_used, before - balance(wes), basic.unknown_count) == (7, 3, 0)
    body = wes_api.get(url).json()
    assert (body["checks"], body["not_in_plan_count"], body["in_full_cost"]) == ("full", 0, None)
    assert wes_api.post(f"{url}/check-in-full").json()["code"] == "NOTHING_TO_CHECK"
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PEN-026", "VAL-047")
def test_the_free_second_look_leaves_out_what_the_plan_left_undecided(basic: Batch, wes: User) -> None:
    give_pack(wes, 3)
    with pytest.raises(BadInput, match="There are no unknown addresses in this batch"):
        rechecks.recheck_unknown(batch=basic)
    basic.refresh_from_db()
    assert (basic.status, basic.rechecked_at, lots(wes)["pack"]) == ("completed", None, 3)


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgres
@pytest.mark.spec("PEN-026")
def test_sixteen_at_once_check_in_full_once(basic: Batch, wes: User) -> None:
    give_pack(wes, 100)

    def press(_: int) -> int:
        try:
            return rechecks.check_in_full(batch=Batch.objects.get(pk=basic.pk))
        except (BadInput, Conflict, Refused):
            return 0

    assert sorted(run_sixteen(press))[-2:] == [0, 3]
    drain_queue()
    basic.refresh_from_db()
    assert (basic.credits_used, balance(wes)) == (7, 193)
    assert ledger.reconcile_ledger() == []


@pytest.mark.spec("PEN-022")
def test_after_its_end_nothing_of_the_welcome_is_spent(wes: User, wes_api: APIClient) -> None:
    CreditLot.objects.filter(organisation=wes.own_organisation).update(expires_at=timezone.now() - timedelta(seconds=1))
    ledger.grant_credits(organisation_id=wes.pk, kind=LotKind.BONUS, amount=5, reason="Bonus", key="bonus")
    assert wes_api.post("/api/validate/single", {"email": LIVING}, format="json").json()["checks"] == "basic"
    assert wes_api.get("/api/credits").json()["welcome_credits"] == 0


@pytest.mark.spec("REP-043", "REP-045", "PEN-022")
def test_a_cut_list_never_costs_more_than_its_credits_where_it_gets_other_checks(wes: User, wes_api: APIClient) -> None:
    """The whole list gets basic checks, which take over basic verdicts; what is left of it gets full ones."""
    basic = stored.finished(wes, [(LIVING, "valid"), (GONE, "invalid")])
    basic.results.update(basic=True)
    leave(wes, 4)
    lines = [LIVING, GONE, OPEN, THROWAWAY, NO_DOMAIN]
    file = SimpleUploadedFile("list.csv", "\n".join(lines).encode())
    fields = {"file": file, "reuse_days": 30, "max_credits": 2}
    draft = wes_api.post("/api/validate/upload/inspect", fields, format="multipart").json()
    assert (draft["checks"], draft["cost"], draft["unique"], draft["left_out"]) == ("full", 2, 2, 3)
    body = wes_api.post(
        "/api/validate/bulk", {"emails": lines, "reuse_days": 30, "max_credits": 2}, format="json"
    ).json()
    assert (body["total_emails"], body["reused_count"], body["credits_used"]) == (2, 0, 2)
    assert len(list((Path(settings.MEDIA_ROOT) / "uploads").glob("*.srt_*"))) == 1
