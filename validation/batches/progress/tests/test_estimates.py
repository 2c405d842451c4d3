"""How long a list takes at least, said before it costs anything."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.subscriptions.models import Subscription
from validation.batches import services as batches
from validation.batches.intake.operators import count_operators, operator_of
from validation.batches.models import Batch, BatchType
from validation.batches.progress import estimates
from validation.batches.progress.estimates import OperatorShare
from validation.engine.profiles import SHIPPED

YAHOO_110_000 = {"operator": "yahoo", "name": "Yahoo", "rows": 110_000, "per_minute": 1_200, "seconds": 5_500}


@pytest.fixture(autouse=True)
def as_in_life(settings: Any) -> None:
    """The limits that come with the engine, not the quicker pace of the sandbox."""
    settings.EGRESS_PROFILES = SHIPPED


def inspected(api: APIClient, lines: Sequence[str]) -> dict[str, Any]:
    file = SimpleUploadedFile("list.csv", "\n".join(["email", *lines]).encode())
    answer = api.post("/api/validate/upload/inspect", {"file": file})
    assert answer.status_code == 200
    found: dict[str, Any] = answer.json()
    return found


@pytest.mark.parametrize(
    ("domain", "operator"),
    [
        ("gmail.com", "google"),
        ("googlemail.com", "google"),
        ("hotmail.co.uk", "microsoft"),
        ("live.nl", "microsoft"),
        ("msn.com", "microsoft"),
        ("yahoo.com", "yahoo"),
        ("yahoo.com.br", "yahoo"),
        ("aol.com", "yahoo"),
        ("me.com", "apple"),
        ("web.de", "gmx"),
        ("bk.ru", "mailru"),
        ("yandex.ru", "yandex"),
        ("qq.com", "tencent"),
        ("126.com", "netease"),
        ("wanadoo.fr", "orange"),
        ("comcast.net", "comcast"),
        ("live.example.com", ""),
        ("hotmail", ""),
        ("mygmail.com", ""),
    ],
)
def test_domains_of_free_mailboxes_have_a_known_operator(domain: str, operator: str) -> None:
    assert operator_of(domain) == operator


def test_every_operator_that_is_known_has_a_profile() -> None:
    domains = ("gmail.com", "live.fr", "aol.com", "mac.com", "gmx.at", "list.ru", "ya.ru", "foxmail.com", "yeah.net",
               "orange.fr", "comcast.net")  # fmt: skip
    counts = count_operators((domain, 3) for domain in (*domains, "harborquill.com"))
    assert (len(counts), set(counts.values())) == (11, {3})
    assert all(estimates.limit_per_minute(operator) for operator in counts)


@pytest.mark.finding("A6")
def test_the_slowest_operator_says_how_long_a_list_takes() -> None:
    told = estimates.estimate_duration({"google": 250_000, "yahoo": 110_000, "apple": 200})
    assert told is not None
    assert (told.seconds, told.over_a_day) == (5_500, False)
    assert told.operators == (OperatorShare("yahoo", 110_000, 1_200), OperatorShare("google", 250_000, 6_000))
    assert [share.seconds for share in told.operators] == [5_500, 2_500]


@pytest.mark.spec("SCA-011")
def test_more_egress_addresses_take_less_time(settings: Any) -> None:
    settings.VERIFIER_ROUTES = tuple(f"direct:192.0.2.{number}" for number in range(1, 11))
    told = estimates.estimate_duration({"yahoo": 110_000})
    assert told is not None
    assert (told.seconds, told.operators[0].per_minute) == (550, 12_000)


def test_what_is_not_known_is_not_said() -> None:
    assert (
        estimates.estimate_duration(None),
        estimates.estimate_duration({}),
        estimates.estimate_duration({"nobody": 7}),
    ) == (None,) * 3


@pytest.mark.finding("A6")
def test_the_review_of_a_file_says_it_by_operator(alice_api: APIClient) -> None:
    lines = [f"a{number}@{domain}" for number in range(300) for domain in ("yahoo.com", "aol.com", "harborquill.com")]
    found = inspected(alice_api, [*lines, "a0@gmail.com", "A0@yahoo.com", "no address"])
    assert found["estimate"] == {
        "seconds": 30,
        "over_a_day": False,
        "operators": [{"operator": "yahoo", "name": "Yahoo", "rows": 600, "per_minute": 1_200, "seconds": 30}],
    }
    assert inspected(alice_api, ["a@gmail.com"])["estimate"] == {"seconds": 0, "over_a_day": False, "operators": []}
    assert inspected(alice_api, ["a@harborquill.com"])["estimate"] is None


@pytest.mark.finding("A6")
@pytest.mark.parametrize(("rows", "is_over"), [(1_728_000, False), (1_728_020, True)])
def test_a_list_that_takes_over_a_day_says_so(rows: int, is_over: bool) -> None:
    told = estimates.estimate_duration({"yahoo": rows})
    assert told is not None
    assert told.over_a_day is is_over


@pytest.mark.finding("A6")
def test_the_answer_of_a_start_says_it_too(alice: User, alice_api: APIClient, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    lines = [f"a{number}@yahoo.de" for number in range(50)]
    started = alice_api.post("/api/validate/bulk", {"emails": lines}, format="json")
    assert (started.status_code, started.json()["estimate"]) == (
        202, {"seconds": 2, "over_a_day": False, "operators": []},
    )  # fmt: skip
    upload = inspected(alice_api, lines[:40])
    answer = alice_api.post(f"/api/validate/upload/{upload['upload_id']}/start").json()
    assert answer["estimate"] == {"seconds": 2, "over_a_day": False, "operators": []}
    assert Batch.objects.get(public_id=answer["batch_id"]).operators == {"yahoo": 40}


def test_whose_mailboxes_are_not_asked_about_nothing_is_said(alice: User, alice_api: APIClient) -> None:
    Subscription.objects.filter(organisation=alice.own_organisation).update(plan=Plan.FREE)
    assert inspected(alice_api, ["a@yahoo.com"])["estimate"] is None


def test_a_second_look_says_nothing(alice: User, settings: Any) -> None:
    settings.IMMEDIATE_ADDRESSES = 0
    batch = batches.start_list(
        organisation=alice.own_organisation, lines=["a@yahoo.com"], batch_type=BatchType.BULK_TEXTAREA
    )
    assert estimates.estimate_batch(batch) is not None
    batch.operators = None
    assert estimates.estimate_batch(batch) is None
