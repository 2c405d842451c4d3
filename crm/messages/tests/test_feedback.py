"""Feedback: once for each and everything, and the satisfaction that comes of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from accounts.organisations.models import Membership, Organisation
from accounts.users.models import User
from conftest import client_of
from crm.messages import feedback
from crm.messages.models import Feedback
from emailcheck.common.testing import run_sixteen

pytestmark = pytest.mark.postgres

SEND, DOCS, LIST = "/api/feedback", "/api/docs/feedback", "/api/admin/feedback"
ADVANCED = "/api/analytics/advanced"


def list_of(user: User, public_id: str) -> None:
    apps.get_model("validation", "Batch").objects.create(
        organisation=user.own_organisation, public_id=public_id, batch_type="bulk_textarea", total_emails=1
    )


@pytest.fixture
def lists(alice: User, bob: User) -> None:
    """Alice has two lists, Bob one."""
    for user, public_id in ((alice, "bat_1"), (alice, "bat_2"), (bob, "bat_3")):
        list_of(user, public_id)


def send_feedback(api: APIClient, **body: Any) -> tuple[int, str]:
    answer = api.post(SEND, {"context": "bat_1"} | body, format="json")
    return answer.status_code, answer.json().get("message", "")


def list_stored() -> list[tuple[str, int, str]]:
    return list(Feedback.objects.order_by("pk").values_list("context", "rating", "text"))


@pytest.mark.spec("ADM-125")
@pytest.mark.usefixtures("lists")
def test_a_rating_belongs_to_the_account_and_counts_once(alice_api: APIClient, bob_api: APIClient) -> None:
    assert send_feedback(alice_api, rating=4, text="Quick") == (200, "Thank you for your feedback")
    assert send_feedback(alice_api, rating=2) == (200, "Thank you for your feedback")
    assert list_stored() == [("bat_1", 2, "")]
    send_feedback(alice_api, rating=5, context="bat_2")
    send_feedback(bob_api, thumb="down", context="bat_3")
    assert list_stored() == [("bat_1", 2, ""), ("bat_2", 5, ""), ("bat_3", 1, "")]


@pytest.mark.spec("ADM-125")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize("context", ["bat_3", "bat_4"])
def test_a_list_of_somebody_else_is_not_rated(alice_api: APIClient, context: str) -> None:
    answer = alice_api.post(SEND, {"context": context, "rating": 1}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (400, "You have no list with this id.")
    assert list_stored() == []


@pytest.mark.spec("ADM-125", "ORG-022")
@pytest.mark.usefixtures("lists")
@pytest.mark.parametrize(
    ("role", "private", "status"),
    [("viewer", False, 200), ("admin", True, 200), ("member", True, 400), ("billing", False, 400)],
)
def test_a_list_of_another_own_organisation_is_rated_by_who_may_read_it(
    alice: User, bob: User, bob_api: APIClient, role: str, private: bool, status: int
) -> None:
    apps.get_model("validation", "Batch").objects.filter(public_id="bat_1").update(private=private)
    Membership.objects.create(organisation=alice.own_organisation, user=bob, role=role)
    assert send_feedback(bob_api, rating=4)[0] == status
    assert send_feedback(bob_api, rating=5, context="bat_3")[0] == 200
    assert list_stored() == [("bat_1", 4, "")] * (status == 200) + [("bat_3", 5, "")]


@pytest.mark.spec("ADM-125", "ORG-035")
@pytest.mark.usefixtures("lists")
def test_a_list_of_a_suspended_organisation_is_not_rated(alice: User, bob: User, bob_api: APIClient) -> None:
    Membership.objects.create(organisation=alice.own_organisation, user=bob, role="member")
    Organisation.objects.filter(pk=alice.pk).update(is_active=False)
    assert send_feedback(bob_api, rating=4) == (400, "You have no list with this id.")
    assert list_stored() == []


@pytest.mark.spec("ADM-125", "DOC-011")
def test_a_visitor_rates_pages_once_each(db: None, anonymous_api: APIClient) -> None:
    for helpful in (False, True, True):
        answer = anonymous_api.post(DOCS, {"section": "quickstart", "helpful": helpful}, format="json")
        assert (answer.status_code, answer.json()) == (200, {"message": "Thank you for your feedback"})
    send_feedback(anonymous_api, context="help/search", thumb="down")
    assert list_stored() == [("docs/quickstart", 5, ""), ("help/search", 1, "")]
    anonymous_api.post(DOCS, {"section": "quickstart", "helpful": False}, format="json", HTTP_USER_AGENT="Another")
    assert list_stored()[-1] == ("docs/quickstart", 1, "")
    assert {len(row.visitor) for row in Feedback.objects.all()} == {64}


@pytest.mark.spec("ADM-125")
@pytest.mark.parametrize(
    "body",
    [{}, {"rating": 0}, {"rating": 6}, {"rating": "x"}, {"rating": 3, "thumb": "up"}, {"thumb": "sideways"},
     {"rating": 3, "context": ""}, {"rating": 3, "context": "a b"}, {"rating": 3, "context": "x" * 101},
     {"rating": 3, "text": "x" * 2_001}],
)  # fmt: skip
def test_what_is_no_rating_is_refused(alice_api: APIClient, body: dict[str, Any]) -> None:
    assert send_feedback(alice_api, **body)[0] == 400
    assert list_stored() == []


@pytest.mark.spec("ADM-125")
def test_only_who_is_signed_in_rates_a_list(db: None, anonymous_api: APIClient) -> None:
    assert send_feedback(anonymous_api, rating=5) == (400, "Please sign in to rate a list.")
    assert list_stored() == []


@pytest.mark.spec("LIM-032")
def test_feedback_is_limited_by_address(db: None, anonymous_api: APIClient, settings: Any) -> None:
    settings.AUTH_REQUESTS_PER_MINUTE = 2
    assert [send_feedback(anonymous_api, rating=5, context=f"help/{number}")[0] for number in range(3)] == [
        200,
        200,
        429,
    ]
    assert len(list_stored()) == 2


@pytest.mark.django_db(transaction=True)
@pytest.mark.spec("ADM-125")
@pytest.mark.usefixtures("lists")
def test_sixteen_ratings_at_once_are_one(alice: User) -> None:
    run_sixteen(lambda number: feedback.record_feedback(user=alice, device="", context="bat_1", rating=1 + number % 5))
    assert Feedback.objects.count() == 1


@pytest.mark.spec("ADM-125", "ADM-119")
@pytest.mark.usefixtures("lists")
def test_satisfaction_is_the_mean_of_the_ratings_of_the_range(
    alice_api: APIClient, bob_api: APIClient, sam: User
) -> None:
    def score() -> tuple[float | None, int]:
        found = client_of(sam).get(ADVANCED, {"range": "30d"}).json()["overview"]
        return found["satisfactionScore"], found["satisfactionRatings"]

    assert score() == (None, 0)
    send_feedback(alice_api, rating=4)
    assert score() == (4.0, 1)
    send_feedback(bob_api, thumb="up", context="bat_3")
    bob_api.post(DOCS, {"section": "quickstart", "helpful": False}, format="json")
    assert score() == (3.33, 3)
    Feedback.objects.filter(context="bat_1", rating=4).update(created_at=datetime.now(UTC) - timedelta(days=30))
    assert score() == (3.0, 2)


@pytest.mark.spec("ADM-125", "DOC-011")
@pytest.mark.usefixtures("lists")
def test_staff_read_what_was_said_and_the_mean(alice_api: APIClient, bob_api: APIClient, sam: User) -> None:
    staff = client_of(sam)
    assert staff.get(LIST).json() == {"feedback": [], "mean": None, "count": 0, "next": None}
    send_feedback(alice_api, rating=4, text="Quick <b>and</b> right")
    bob_api.post(DOCS, {"section": "quickstart", "helpful": False}, format="json")
    found = staff.get(LIST).json()
    assert [(row["context"], row["rating"], row["text"]) for row in found["feedback"]] == [
        ("docs/quickstart", 1, ""), ("bat_1", 4, "Quick <b>and</b> right"),
    ]  # fmt: skip
    assert sorted(found["feedback"][0]) == ["context", "rating", "text", "time"]
    assert (found["mean"], found["count"], found["next"]) == (2.5, 2, None)
    narrowed = staff.get(LIST, {"context": "DOCS/"}).json()
    assert (len(narrowed["feedback"]), narrowed["mean"], narrowed["count"]) == (1, 1.0, 1)


def test_the_list_has_pages_and_costs_the_same(
    alice: User, sam: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(60):
        feedback.record_feedback(user=alice, device="", context=f"docs/{number}", rating=3)
    staff = client_of(sam)
    with django_assert_num_queries(3):
        first = staff.get(LIST).json()
    second = staff.get(LIST, {"cursor": first["next"]}).json()
    assert (len(first["feedback"]), len(second["feedback"]), second["next"]) == (50, 10, None)
    assert staff.get(LIST, {"cursor": "x"}).status_code == 400


@pytest.mark.spec("SET-057")
@pytest.mark.usefixtures("lists")
def test_the_words_go_with_the_account_and_the_number_stays(alice: User, alice_api: APIClient) -> None:
    send_feedback(alice_api, rating=4, text="From Alice")
    feedback.detach_feedback(alice.pk)
    left = Feedback.objects.get()
    assert (left.user, left.rating, left.text) == (None, 4, "")
