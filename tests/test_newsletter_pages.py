"""The pages of the newsletter: the form without a script, and the links of its mails."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from crm.messages import newsletter
from crm.messages.models import Subscriber
from emailcheck.common.outbound.mail import deliver_mail
from emailcheck.common.outbound.models import OutgoingMail

pytestmark = [pytest.mark.django_db, pytest.mark.spec("PUB-077")]


def heading(answer: Any) -> str:
    found = re.search(r"<h1>([^<]*)</h1>", answer.content.decode())
    assert found
    return found[1]


def mailed_link(client: Client, email: str) -> str:
    """Path of the link in the mail that is sent to whoever subscribes."""
    assert client.post("/newsletter/subscribe", {"email": email}).status_code == 200
    deliver_mail(OutgoingMail.objects.get().pk)
    found = re.search(r"/newsletter/confirm\?token=\S+", str(mail.outbox[-1].body))
    assert found
    return found[0]


@pytest.mark.spec("PUB-074")
@pytest.mark.parametrize("path", ["/blog", "/blog/reading-bounce-codes", "/newsletter/subscribe"])
def test_the_box_is_a_form_that_works_without_a_script(client: Client, path: str) -> None:
    text = client.get(path).content.decode()
    assert '<form class="newsletter-form" method="post" action="/newsletter/subscribe"' in text
    assert '<label class="visually-hidden" for="newsletter-email">' in text
    assert re.search(r'<input[^>]* id="newsletter-email" name="email" type="email"', text)
    assert '<button class="button button-primary" type="submit">Subscribe</button>' in text


def test_the_form_asks_for_a_confirmation(client: Client) -> None:
    answer = client.post("/newsletter/subscribe", {"email": "Ida@holm.org"})
    assert "Please confirm your subscription: we have sent you a link." in answer.content.decode()
    assert [one.state for one in Subscriber.objects.filter(email="ida@holm.org")] == ["pending"]
    assert OutgoingMail.objects.count() == 1


def test_a_bad_address_is_refused_and_stays_in_the_field(client: Client) -> None:
    answer = client.post("/newsletter/subscribe", {"email": 'ida@"holm'})
    text = answer.content.decode()
    assert answer.status_code == 400
    assert "Please enter a valid email address." in text
    assert 'value="ida@&quot;holm"' in text
    assert 'aria-invalid="true"' in text
    assert (Subscriber.objects.count(), OutgoingMail.objects.count()) == (0, 0)


def test_opening_the_link_changes_nothing_and_the_button_confirms(client: Client) -> None:
    link = mailed_link(client, "ida@holm.org")
    for _ in range(2):
        assert heading(client.get(link)) == "Confirm your subscription"
    assert Subscriber.objects.get().state == "pending"
    answer = client.post(link)
    assert (answer.status_code, heading(answer)) == (200, "Subscription confirmed")
    assert "no-store" in answer["Cache-Control"]
    assert Subscriber.objects.get().state == "confirmed"


def test_the_button_of_the_other_link_ends_it(client: Client) -> None:
    subscriber = Subscriber.objects.create(email="ida@holm.org", state="confirmed")
    link = f"/newsletter/unsubscribe?token={newsletter.build_unsubscribe_token(subscriber)}"
    assert heading(client.get(link)) == "Leave the newsletter"
    assert Subscriber.objects.get().state == "confirmed"
    for _ in range(2):
        assert heading(client.post(link)) == "You have been unsubscribed"
    assert Subscriber.objects.get().state == "unsubscribed"


@pytest.mark.parametrize(("page", "way"), [("confirm", "Subscribe</a>"), ("unsubscribe", "Contact us</a>")])
def test_an_invented_link_says_so_and_what_to_do(client: Client, page: str, way: str) -> None:
    subscriber = Subscriber.objects.create(email="ida@holm.org", state="confirmed")
    for answer in (client.post(f"/newsletter/{page}?token=x"), client.get(f"/newsletter/{page}")):
        assert (answer.status_code, heading(answer)) == (400, "This link is invalid or has expired")
        assert way in answer.content.decode()
    subscriber.refresh_from_db()
    assert subscriber.state == "confirmed"


def test_floods_are_refused_and_nobody_is_mailed(client: Client, settings: Any) -> None:
    settings.AUTH_REQUESTS_PER_MINUTE = 1
    client.post("/newsletter/subscribe", {"email": "ida@holm.org"})
    answer = client.post("/newsletter/subscribe", {"email": "ove@holm.org"})
    assert answer.status_code == 429
    assert [one.email for one in Subscriber.objects.all()] == ["ida@holm.org"]
