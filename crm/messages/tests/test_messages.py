"""Messages of visitors, and the newsletter."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.signin import services as signin
from accounts.users.models import User
from conftest import PASSWORD, client_of
from crm.deals.models import Deal
from crm.messages import newsletter
from crm.messages.models import Message, Subscriber
from emailcheck.common import personal
from emailcheck.common.outbound.mail import deliver_mail
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import drain_queue

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]
HELLO = {"name": "Ida Holm", "email": "ida@holm.org", "subject": "Lists", "message": "How <many>?\nAt once?"}
DEAL = {"companyName": "Holm", "dealValue": 500, "expectedCloseDate": "2032-01-01"}


@pytest.fixture
def sam_api(sam: User) -> APIClient:
    return client_of(sam)


def list_sent() -> list[Any]:
    for row in OutgoingMail.objects.filter(sent_at=None).order_by("pk"):
        deliver_mail(row.pk)
    messages, mail.outbox[:] = list(mail.outbox), []
    return messages


def send_message(api: APIClient, **fields: Any) -> Any:
    return api.post("/api/contact/send", {**HELLO, **fields}, format="json")


@pytest.mark.spec("PUB-033", "PUB-034", "PUB-037")
def test_a_message_is_kept_mailed_and_acknowledged(anonymous_api: APIClient, settings: Any) -> None:
    answer = send_message(anonymous_api)
    assert (answer.status_code, answer.json()) == (
        200,
        {"message": "Message sent successfully! We'll respond within 24 hours."},
    )
    kept = Message.objects.get()
    assert (kept.name, kept.email, kept.subject, kept.text) == tuple(HELLO.values())
    to_support, to_visitor = list_sent()
    assert (to_support.to, to_support.reply_to, to_support.subject) == (
        [settings.SUPPORT_EMAIL],
        ["ida@holm.org"],
        "New message: Lists",
    )
    assert "How <many>?\nAt once?" in to_support.body
    assert "How &lt;many&gt;?<br>At once?" in to_support.message().as_string()
    assert (to_visitor.to, to_visitor.subject) == (["ida@holm.org"], "We received your message")
    assert "many" not in to_visitor.body


@pytest.mark.spec("PUB-031", "PUB-037")
@pytest.mark.parametrize("field", ["name", "email", "subject", "message"])
@pytest.mark.parametrize("value", ["", "   ", None])
def test_a_message_that_lacks_something_is_refused(anonymous_api: APIClient, field: str, value: str | None) -> None:
    answer = send_message(anonymous_api, **{field: value})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert (Message.objects.count(), OutgoingMail.objects.count()) == (0, 0)


@pytest.mark.spec("SET-057", "ADM-226")
def test_a_message_with_a_verified_address_is_in_the_export_and_goes_with_the_account(
    anonymous_api: APIClient, alice: User, alice_api: APIClient, sam_api: APIClient
) -> None:
    send_message(anonymous_api, email="new@holm.org", subject="Before")
    send_message(anonymous_api, email="New@Holm.org", subject="Before too")
    send_message(anonymous_api, email="Alice@Alder.com", subject="Of Alice")
    signin.register_account(email="new@holm.org", password=PASSWORD, name="Ida")
    send_message(anonymous_api, email="new@holm.org", subject="Nobody has proved to own it")
    ida = User.objects.get(email="new@holm.org")
    assert not Message.objects.filter(user=ida).exists()
    signin.verify_address(user=ida)

    def exported(api: APIClient) -> list[str]:
        answer: Any = api.get("/api/user/export-data")
        rows = json.loads(b"".join(answer.streaming_content))["data"]["contact_messages"]
        assert {frozenset(row) for row in rows} == {
            frozenset({"id", "user_id", "name", "email", "subject", "text", "state", "created_at"})
        }
        return [row["subject"] for row in rows]

    assert exported(client_of(ida)) == ["Before", "Before too", "Nobody has proved to own it"]
    assert exported(alice_api) == ["Of Alice"]
    assert sam_api.delete(f"/api/admin/users/{alice.pk}").status_code == 200
    drain_queue()
    assert not Message.objects.filter(subject="Of Alice").exists()
    assert Message.objects.count() == 3


def test_a_line_break_in_the_subject_makes_no_header(anonymous_api: APIClient) -> None:
    assert send_message(anonymous_api, subject="Hi\r\nBcc: all@holm.org").status_code == 200
    assert [message.to for message in list_sent()][1] == ["ida@holm.org"]


@pytest.mark.spec("PUB-037")
def test_a_strangers_mailbox_is_not_filled(anonymous_api: APIClient) -> None:
    for _ in range(5):
        assert send_message(anonymous_api).status_code == 200
    subjects = [message.subject for message in list_sent()]
    assert (subjects.count("New message: Lists"), subjects.count("We received your message")) == (5, 3)


@pytest.mark.spec("PUB-037")
def test_staff_see_search_answer_and_turn_messages_into_deals(anonymous_api: APIClient, sam_api: APIClient) -> None:
    send_message(anonymous_api)
    send_message(anonymous_api, subject="Invoices", email="bo@birch.net")
    listed = sam_api.get("/api/admin/contacts").json()
    assert ([row["subject"] for row in listed["contacts"]], listed["total"], listed["next"]) == (
        ["Invoices", "Lists"],
        2,
        None,
    )
    (found,) = sam_api.get("/api/admin/contacts", {"search": "IDA lists"}).json()["contacts"]
    path = f"/api/admin/contacts/{found['id']}"
    assert sam_api.get(path).json() == found
    assert sam_api.get("/api/admin/contacts/99999").status_code == 404
    changed = sam_api.put(path, {"state": "answered"}, format="json").json()
    assert changed == {"contact": {"id": found["id"], "state": "answered"}}
    states = {
        state: sam_api.get("/api/admin/contacts", {"state": state}).json()["total"] for state in ("new", "closed")
    }
    assert states == {"new": 1, "closed": 0}
    deal = sam_api.post(f"{path}/deal", DEAL, format="json").json()["deal"]
    assert (deal["contactName"], deal["contactEmail"], deal["companyName"], deal["notes"]) == (
        "Ida Holm",
        "ida@holm.org",
        "Holm",
        HELLO["message"],
    )
    again = sam_api.post(f"{path}/deal", DEAL, format="json")
    assert (again.status_code, again.json()["detail"], Deal.objects.count()) == (
        409,
        "This message already has a deal",
        1,
    )
    assert sam_api.get("/api/admin/contacts", {"search": "lists"}).json()["contacts"][0]["deal_id"] == deal["id"]
    unknown = sam_api.post("/api/admin/contacts/99999/deal", DEAL, format="json")
    assert (unknown.status_code, unknown.json()["detail"]) == (404, "Message not found")


def subscribe_address(api: APIClient, email: str) -> Any:
    return api.post("/api/newsletter/subscribe", {"email": email}, format="json")


def token_of(message: Any) -> str:
    found = re.search(r"/newsletter/confirm\?token=(\S+)", message.body)
    assert found
    return found[1]


@pytest.mark.spec("PUB-077")
def test_the_newsletter_is_confirmed_by_the_mailbox_and_ended_with_one_click(anonymous_api: APIClient) -> None:
    assert subscribe_address(anonymous_api, " Ida@Holm.org ").status_code == 200
    subscriber = Subscriber.objects.get()
    (message,) = list_sent()
    assert (subscriber.email, subscriber.state, message.to) == ("ida@holm.org", "pending", ["ida@holm.org"])
    body = {"token": token_of(message)}
    for _ in range(2):
        assert anonymous_api.post("/api/newsletter/confirm", body, format="json").json() == {
            "message": "Subscription confirmed"
        }
    subscriber.refresh_from_db()
    assert subscriber.state == "confirmed"
    end = f"/api/newsletter/unsubscribe?token={newsletter.build_unsubscribe_token(subscriber)}"
    for _ in range(2):
        assert anonymous_api.post(end).json() == {"message": "You have been unsubscribed"}
    subscriber.refresh_from_db()
    assert subscriber.state == "unsubscribed"


@pytest.mark.spec("SET-057")
def test_the_export_of_an_account_holds_the_newsletter_of_its_confirmed_address(alice: User, bob: User) -> None:
    Subscriber.objects.create(email=alice.email, state="confirmed")
    Subscriber.objects.create(email=bob.email)
    User.objects.filter(pk=bob.pk).update(email_verified_at=None)
    hers, his = (json.loads("".join(personal.export_person(user.pk, timezone.now()))) for user in (alice, bob))
    assert [(row["email"], row["state"]) for row in hers["data"]["newsletter"]] == [(alice.email, "confirmed")]
    assert his["data"]["newsletter"] == []
    personal.erase_person(alice.pk)
    assert Subscriber.objects.count() == 2


@pytest.mark.spec("PUB-077")
def test_known_and_unknown_addresses_get_one_answer(anonymous_api: APIClient) -> None:
    Subscriber.objects.create(email="ida@holm.org", state="confirmed")
    known, unknown = subscribe_address(anonymous_api, "ida@holm.org"), subscribe_address(anonymous_api, "new@holm.org")
    assert (known.status_code, known.json()) == (unknown.status_code, unknown.json())
    assert [message.to for message in list_sent()] == [["new@holm.org"]]


@pytest.mark.spec("PUB-077")
@pytest.mark.parametrize("email", ["", "nobody", "a@b", "a b@c.de", "x" * 330])
def test_an_address_that_is_none_is_refused(anonymous_api: APIClient, email: str) -> None:
    answer = subscribe_address(anonymous_api, email)
    assert (answer.status_code, Subscriber.objects.count()) == (400, 0)
    if len(email) < 320:
        assert answer.json()["detail"] == "Please enter a valid email address."


@pytest.mark.spec("PUB-077")
def test_a_link_ends_after_a_week_and_an_invented_one_does_nothing(anonymous_api: APIClient) -> None:
    subscribe_address(anonymous_api, "ida@holm.org")
    token = token_of(list_sent()[0])
    end = newsletter.build_unsubscribe_token(Subscriber.objects.get())
    with time_machine.travel(timezone.now() + timedelta(days=8)):
        for wrong in (token, "", "x", end):
            answer = anonymous_api.post("/api/newsletter/confirm", {"token": wrong}, format="json")
            assert (answer.status_code, answer.json()["code"], answer.json()["detail"]) == (
                400,
                "INVALID_TOKEN",
                "This link is invalid or has expired",
            )
        assert anonymous_api.post(f"/api/newsletter/unsubscribe?token={token}").status_code == 400
    assert Subscriber.objects.get().state == "pending"


@pytest.mark.spec("PUB-077")
def test_staff_see_who_subscribed(sam_api: APIClient) -> None:
    for number, state in enumerate(["pending", "confirmed", "confirmed"]):
        Subscriber.objects.create(email=f"s{number}@holm.org", state=state)
    told = sam_api.get("/api/admin/newsletter", {"search": "S1"}).json()
    assert [row["email"] for row in told["subscribers"]] == ["s1@holm.org"]
    assert told["counts"] == {"pending": 1, "confirmed": 2, "unsubscribed": 0}
