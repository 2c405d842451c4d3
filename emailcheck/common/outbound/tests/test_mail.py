"""The one door for mail."""

import smtplib
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx2
import pytest
import time_machine
from django.core import mail as django_mail
from django.db import connection, transaction

from emailcheck.common import secrecy
from emailcheck.common.outbound import mail
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.testing import age_leases, drain_queue
from tests.world import Sandbox

LINK = {"link": "http://127.0.0.1:8000/verify-email?token=abc"}
NAMES = [kind.name for kind in mail.list_kinds()]


def send_example(key: str = "", **changes: Any) -> None:
    mail.send_mail(**{"name": "verification", "to": "carol@cedar.org", "context": LINK} | changes, key=key)


def handed_in() -> list[str]:
    drain_queue()
    return [message.to[0] for message in django_mail.outbox]


def test_a_mail_has_text_and_html_and_leaves_once(db: None) -> None:
    send_example("verification:1")
    send_example("verification:1")
    assert handed_in() == ["carol@cedar.org"]
    message: Any = django_mail.outbox[0]
    assert message.subject == "Confirm your e-mail address"
    assert "http://127.0.0.1:8000/verify-email?token=abc\n" in message.body
    html, kind = message.alternatives[0]
    assert (kind, LINK["link"] in html, "carol@cedar.org" in html) == ("text/html", True, True)
    assert message.reply_to == ["support@emailcheck.app"]
    mail.deliver_mail(OutgoingMail.objects.get().pk)
    assert len(django_mail.outbox) == 1


def test_what_is_rolled_back_is_not_sent(db: None) -> None:
    with transaction.atomic():
        send_example()
        transaction.set_rollback(True)
    assert (handed_in(), OutgoingMail.objects.count()) == ([], 0)


def test_what_no_server_takes_is_tried_again_and_given_up_after_a_day(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries: list[int] = []

    def refuse(message: Any, *args: Any, **kwargs: Any) -> int:
        tries.append(1)
        raise smtplib.SMTPServerDisconnected

    monkeypatch.setattr(django_mail.EmailMultiAlternatives, "send", refuse)
    with time_machine.travel("2026-03-01 12:00:00+00:00", tick=False) as clock:
        send_example()
        drain_queue()
        mail.sweep_outgoing()
        drain_queue()
        assert len(tries) == 1
        clock.shift(121)
        mail.sweep_outgoing()
        drain_queue()
        assert (len(tries), OutgoingMail.objects.get().sent_at) == (2, None)
        clock.shift(24 * 3_600)
        mail.sweep_outgoing()
        drain_queue()
    assert (len(tries), OutgoingMail.objects.count()) == (2, 0)


def test_a_mail_of_a_worker_that_died_is_sent_by_another_when_its_lease_is_over(db: None) -> None:
    send_example()
    OutgoingMail.objects.update(next_try_at="2026-01-01T00:00:00Z")
    dead = mail._claim_mail(OutgoingMail.objects.get().pk)
    assert dead is not None
    mail.sweep_outgoing()
    assert handed_in() == []
    age_leases(OutgoingMail, mail.LEASE)
    mail.sweep_outgoing()
    mail.sweep_outgoing()
    assert handed_in() == ["carol@cedar.org"]
    sent_at = OutgoingMail.objects.get().sent_at
    assert sent_at is not None
    assert OutgoingMail.objects.complete(dead, sent_at=None) is False
    assert OutgoingMail.objects.get().sent_at == sent_at


def test_a_second_try_has_the_same_message_id(db: None) -> None:
    send_example()
    drain_queue()
    OutgoingMail.objects.update(sent_at=None, next_try_at="2026-01-01T00:00:00Z")
    row = OutgoingMail.objects.get()
    row.sealed = secrecy.seal_text('{"to": "carol@cedar.org", "context": {"link": "x"}}')
    row.save()
    mail.deliver_mail(row.pk)
    first, second = (message.extra_headers["Message-ID"] for message in django_mail.outbox)
    assert first == second != ""


@pytest.mark.parametrize("name", NAMES)
def test_every_mail_can_be_shown(name: str, settings: Any) -> None:
    written = mail.render_example(name)
    assert written is not None
    assert written.subject
    assert written.subject in written.html.replace("&#x27;", "'")
    assert written.text.startswith(f"‹✓› {settings.SITE_NAME}\n\n")
    for part in (written.text, written.html):
        assert "{{" not in part
        assert "ida.holm@example.com" in part
        assert settings.SUPPORT_EMAIL in part
    hosts = {address.split("/")[2] for address in written.text.split() if address.startswith("http")}
    assert hosts - {"shop.example.com"} == {"127.0.0.1:8000"}  # the endpoint that a webhook was sent to


def test_what_somebody_typed_is_inert_in_subject_and_html(db: None) -> None:
    device = 'Chrome"><script>alert(1)</script>\r\nBcc: x@evil.com'
    send_example(name="new_sign_in", context={"when": "now", "device": device, "ip": "::1", "link": "x"})
    drain_queue()
    message: Any = django_mail.outbox[0]
    assert "<script>" not in message.alternatives[0][0]
    assert '"><script>' in message.body
    assert message.message()["Bcc"] is None


def test_a_subject_is_one_line(settings: Any, tmp_path: Any) -> None:
    folder = tmp_path / "emails" / "folded"
    folder.mkdir(parents=True)
    for file in ("subject.txt", "body.txt", "body.html"):
        (folder / file).write_text("Hello\r\nBcc: {{ who }}\n")
    templates = [{**engine, "DIRS": [tmp_path]} for engine in settings.TEMPLATES]
    settings.TEMPLATES = templates
    assert mail.render_mail("folded", "a@b.co", {"who": "x\ny"}).subject == "Hello Bcc: x y"


def test_a_mail_nobody_registered_is_refused(db: None) -> None:
    with pytest.raises(KeyError):
        send_example(name="nonsense")
    assert not OutgoingMail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_of_sixteen_deliveries_at_once_one_sends() -> None:
    send_example()
    number = OutgoingMail.objects.get().pk

    def deliver(_: int) -> None:
        try:
            mail.deliver_mail(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(16) as pool:
        list(pool.map(deliver, range(16)))
    assert len(django_mail.outbox) == 1


def test_a_mail_reaches_the_outbox_of_the_sandbox(world: Sandbox, db: None, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    send_example()
    drain_queue()
    address = f"http://127.0.0.1:{world.http_port}/sandbox/outbox"
    newest = httpx2.get(address, headers={"Accept": "application/json"}, trust_env=False).json()[0]
    assert (newest["to"], newest["subject"]) == ("carol@cedar.org", "Confirm your e-mail address")
    assert LINK["link"] in newest["links"]
