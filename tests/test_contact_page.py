"""The contact page without scripts, and what robots, floods and crafted lines come to."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.users.models import User
from crm.messages import contact
from crm.messages.models import Message
from emailcheck.common.outbound.mail import deliver_mail
from emailcheck.common.outbound.models import OutgoingMail

pytestmark = pytest.mark.django_db
HELLO = {"name": "Ida Holm", "email": "ida@holm.org", "subject": "Lists", "message": "How many?\nAt once?"}
FAILED = "Failed to send message. Please try again or use live chat."
SENT = "Message sent successfully! We&#x27;ll respond within 24 hours."


def send(client: Client, **fields: str) -> Any:
    return client.post("/contact", {**HELLO, **fields})


def stored() -> tuple[int, int]:
    return Message.objects.count(), OutgoingMail.objects.count()


def is_hidden(page: str, mark: str) -> bool:
    """Whether the element with this attribute carries `hidden`."""
    return " hidden>" in page[page.index(mark) :].split("\n", maxsplit=1)[0]


@pytest.mark.spec("PUB-032", "PUB-036", "PUB-026")
def test_the_page_has_a_form_and_four_ways_to_get_help(client: Client, settings: Any) -> None:
    answer = client.get("/contact")
    page = answer.content.decode()
    for field in HELLO:
        assert f'<label for="contact-{field}">' in page
        assert f'id="contact-{field}" name="{field}"' in page
    assert 'type="email" required' in page
    for title in ("24/7 support", "Live chat", "Email support", "Quick help"):
        assert f"<h2>{title}</h2>" in page
    assert f'href="mailto:{settings.SUPPORT_EMAIL}"' in page
    assert '<p class="lead">People read every message, and respond within 24 hours.</p>' in page
    assert is_hidden(page, "data-contact-sent")
    assert not answer.cookies


@pytest.mark.spec("PUB-087")
def test_the_address_fills_in_the_subject_as_text(client: Client) -> None:
    assert 'value="Refund request"' in client.get("/contact?subject=Refund%20request").content.decode()
    crafted = client.get("/contact", {"subject": '"><script>alert(1)</script>'}).content.decode()
    assert 'value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"' in crafted


@pytest.mark.spec("PUB-034", "PUB-037")
def test_a_message_arrives_without_scripts(client: Client) -> None:
    page = send(client)
    assert page.status_code == 200
    text = page.content.decode()
    assert f"<h2>{SENT}</h2>" in text
    assert not is_hidden(text, "data-contact-sent")
    assert is_hidden(text, "<form")
    kept = Message.objects.get()
    assert (kept.name, kept.email, kept.subject, kept.text) == tuple(HELLO.values())
    assert set(OutgoingMail.objects.values_list("name", flat=True)) == {"contact_received", "contact_acknowledged"}


@pytest.mark.spec("PUB-031", "PUB-034")
@pytest.mark.parametrize("field", list(HELLO))
def test_what_lacks_something_comes_back_with_the_reason(client: Client, anonymous_api: APIClient, field: str) -> None:
    page = send(client, **{field: " "})
    assert page.status_code == 400
    assert f"{field}: this field is required" in page.content.decode()
    assert is_hidden(page.content.decode(), "data-contact-sent")
    kept = "message" if field == "name" else "name"
    assert HELLO[kept].split("\n")[0] in page.content.decode()
    answer = anonymous_api.post("/api/contact/send", {**HELLO, field: ""}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (400, f"{field}: this field is required")
    assert stored() == (0, 0)


@pytest.mark.spec("PUB-037", "PUB-035")
def test_a_robot_that_fills_in_everything_sends_nothing(client: Client, anonymous_api: APIClient) -> None:
    page = send(client, website="https://pills.example")
    assert (page.status_code, FAILED in page.content.decode()) == (400, True)
    assert not is_hidden(page.content.decode(), "data-contact-failed")
    answer = anonymous_api.post("/api/contact/send", {**HELLO, "website": "x"}, format="json")
    assert (answer.status_code, answer.json()["detail"]) == (400, FAILED)
    assert stored() == (0, 0)


@pytest.mark.spec("PUB-037", "PUB-035", "SEC-011")
def test_a_flood_ends_after_twenty_messages_an_hour_from_one_address(client: Client, anonymous_api: APIClient) -> None:
    for _ in range(10):
        assert send(client).status_code == 200
        assert anonymous_api.post("/api/contact/send", HELLO, format="json").status_code == 200
    page = send(client)
    assert (page.status_code, FAILED in page.content.decode(), int(page["Retry-After"]) > 3_000) == (429, True, True)
    answer = anonymous_api.post("/api/contact/send", HELLO, format="json")
    assert (answer.status_code, answer.json()["code"]) == (429, "RATE_LIMIT_EXCEEDED")
    assert Message.objects.count() == 20
    assert client.post("/contact", HELLO, REMOTE_ADDR="203.0.113.9").status_code == 200


@pytest.mark.spec("PUB-037")
@pytest.mark.parametrize("field", ["name", "subject", "message"])
@pytest.mark.parametrize("crafted", ["Hi\r\nBcc: all@holm.org", "Hi\nTo: all@holm.org", "Hi\r\n\r\n<b>body</b>"])
def test_no_line_becomes_a_header(client: Client, field: str, crafted: str) -> None:
    assert send(client, **{field: crafted}).status_code == 200
    for row in OutgoingMail.objects.order_by("pk"):
        deliver_mail(row.pk)
    to_support, to_visitor = mail.outbox
    assert (to_support.to, to_support.cc, to_support.bcc) == (["support@emailcheck.app"], [], [])
    assert (to_support.reply_to, to_visitor.to) == (["ida@holm.org"], ["ida@holm.org"])
    for message in (to_support, to_visitor):
        sent = message.message()
        assert {"bcc", "cc"}.isdisjoint(name.lower() for name in sent)
        assert sent.get_all("To") == message.to
        assert "\n" not in message.subject


@pytest.mark.spec("PUB-031", "PUB-037")
@pytest.mark.parametrize(
    "email", ["ida@holm.org\r\nBcc: all@holm.org", "ida@holm.org, all@holm.org", "ida", "<ida@holm.org>"]
)
def test_what_is_no_address_is_refused(client: Client, email: str) -> None:
    assert send(client, email=email).status_code == 400
    assert stored() == (0, 0)


@pytest.mark.spec("PUB-037", "SEC-011")
def test_nothing_tells_whether_an_address_has_an_account(client: Client, alice: User) -> None:
    send(client)
    seen = set()
    for email in (alice.email, "nobody@birch.net"):
        with CaptureQueriesContext(connection) as queries:
            page = send(client, email=email)
        seen.add((page.status_code, len(page.content), len(queries)))
    assert len(seen) == 1
    assert {status for status, _, _ in seen} == {200}


@pytest.mark.spec("PUB-081")
def test_messages_are_forgotten_a_year_after_they_were_written_but_not_before_an_answer() -> None:
    now = timezone.now()
    for age, state in ((364, "closed"), (366, "closed"), (366, "answered"), (366, "new")):
        Message.objects.create(email="ida@holm.org", state=state, created_at=now - timedelta(days=age))
    with time_machine.travel(now, tick=False):
        contact.delete_old_messages()
        contact.delete_old_messages()
    assert sorted(Message.objects.values_list("state", flat=True)) == ["closed", "new"]
