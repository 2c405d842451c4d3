"""The one door for mail. What is sent joins the caller's transaction and leaves by the queue.

Every mail is a folder `templates/emails/<name>/` with `subject.txt`, `body.txt` and `body.html`; `register_mail`
declares its name and example values, with which staff preview it.
"""

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone

from emailcheck.common import secrecy
from emailcheck.common.errors import ProviderFailed
from emailcheck.common.outbound.models import OutgoingMail
from emailcheck.common.queue import tasks

log = logging.getLogger(__name__)

GIVE_UP_AFTER = timedelta(days=1)
KEPT_FOR = timedelta(days=30)
LEASE = timedelta(minutes=2)
_FIRST_WAIT_S, _LONGEST_WAIT_S = 60, 3_600


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file that a mail carries."""

    name: str
    content: bytes
    mimetype: str


# Makes the files of a mail from its context, when it is handed in.
Attach = Callable[[Mapping[str, Any]], Iterable[Attachment]]


def _attach_nothing(context: Mapping[str, Any]) -> tuple[Attachment, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class MailKind:
    """A mail by name; `always_sent`: no preference turns it off, because it is about security or money."""

    name: str
    example: Mapping[str, Any]
    always_sent: bool
    attach: Attach


@dataclass(frozen=True, slots=True)
class RenderedMail:
    """A mail as subject and bodies."""

    subject: str
    text: str
    html: str


_kinds: dict[str, MailKind] = {}


def register_mail(
    name: str, *, example: Mapping[str, Any], always_sent: bool = True, attach: Attach = _attach_nothing
) -> None:
    """Make a mail known, with values that its templates can be shown with, and what makes its files."""
    _kinds[name] = MailKind(name, example, always_sent, attach)


def list_kinds() -> list[MailKind]:
    """Every mail there is, by name."""
    return [_kinds[name] for name in sorted(_kinds)]


def render_example(name: str) -> RenderedMail | None:
    """A mail with its example values; None when there is no such mail."""
    kind = _kinds.get(name)
    return render_mail(name, "ida.holm@example.com", kind.example) if kind else None


def build_link(path: str) -> str:
    """The address of a path of the site, independent of the request's host."""
    return settings.SITE_URL + path


def send_mail(*, name: str, to: str, context: Mapping[str, Any], key: str = "", reply_to: str = "") -> None:
    """Send a mail when the caller's transaction is done; of several with one `key` the first alone.

    `context` holds what JSON can; answers go to `reply_to`, or else to support. `KeyError` for a name that was not
    registered.
    """
    kind = _kinds[name]
    sealed = secrecy.seal_text(json.dumps({"to": to, "reply_to": reply_to, "context": dict(context)}))
    mail, is_new = OutgoingMail.objects.get_or_create(
        key=key or secrecy.generate_id("mail"), defaults={"name": kind.name, "sealed": sealed}
    )
    if is_new:
        tasks.enqueue("emailcheck.common.outbound.mail.deliver_mail", mail.pk, queue="mail")


def send_mail_now(*, name: str, to: str, context: Mapping[str, Any]) -> None:
    """Hand a mail in before this returns, for a caller who waits for the answer; it is not tried again.

    Raises `ProviderFailed` (`MAIL_FAILED`), `KeyError` for a name that was not registered.
    """
    kind = _kinds[name]
    try:
        _build_message(kind.name, to, context, secrecy.generate_id("mail")).send()
    except Exception as error:
        log.warning("The mail %s could not be handed in (%s)", kind.name, type(error).__name__)
        raise ProviderFailed("The mail server did not take the mail. Try again later.", code="MAIL_FAILED") from error


def deliver_mail(mail_id: int) -> None:
    """Hand a mail in. A failure is tried again later; of several calls at once one sends."""
    mail = _claim_mail(mail_id)
    if mail is None:
        return
    try:
        _hand_to_server(mail)
    except Exception as error:
        wait = min(_FIRST_WAIT_S * 2 ** (mail.attempts - 1), _LONGEST_WAIT_S)
        log.warning("The mail %s could not be handed in (%s), again in %s s", mail.name, type(error).__name__, wait)
        OutgoingMail.objects.complete(mail, next_try_at=timezone.now() + timedelta(seconds=wait))
        return
    OutgoingMail.objects.complete(mail, sent_at=timezone.now(), sealed="")


def _claim_mail(mail_id: int) -> OutgoingMail | None:
    return OutgoingMail.objects.due(timezone.now()).claim_row(mail_id, lasts=LEASE)


def sweep_outgoing() -> None:
    """Wake what waits for another try, give up what has waited for a day, forget what was sent a month ago."""
    now = timezone.now()
    OutgoingMail.objects.filter(created_at__lt=now - KEPT_FOR).delete()
    given_up, _ = OutgoingMail.objects.filter(sent_at=None, created_at__lt=now - GIVE_UP_AFTER).delete()
    if given_up:
        log.error("%s mails were given up: no server took them for a day", given_up)
    waiting = OutgoingMail.objects.due(now - timedelta(seconds=_FIRST_WAIT_S)).free()
    for mail_id in waiting.values_list("pk", flat=True)[:1_000]:
        tasks.enqueue("emailcheck.common.outbound.mail.deliver_mail", mail_id, queue="mail")


def render_mail(name: str, to: str, context: Mapping[str, Any]) -> RenderedMail:
    """A mail from its templates."""
    values = {
        "to": to,
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "support_email": settings.SUPPORT_EMAIL,
        **context,
    }
    folder = f"emails/{name}"
    subject = render_to_string(f"{folder}/subject.txt", values, using="text")
    # A line break in a subject would begin another header.
    values["subject"] = " ".join(subject.split())
    return RenderedMail(
        subject=values["subject"],
        text=render_to_string(f"{folder}/body.txt", values, using="text").strip() + "\n",
        html=render_to_string(f"{folder}/body.html", values),
    )


def _hand_to_server(mail: OutgoingMail) -> None:
    envelope = json.loads(secrecy.unseal_text(mail.sealed))
    message = _build_message(
        mail.name, envelope["to"], envelope["context"], f"{mail.pk}.{secrecy.hash_secret(mail.key)[:24]}"
    )
    if envelope.get("reply_to"):
        message.reply_to = [envelope["reply_to"]]
    message.send()


def _build_message(name: str, to: str, context: Mapping[str, Any], message_id: str) -> EmailMultiAlternatives:
    """The message with its files; its id is the same at a second try, so that mail programs show it once."""
    written = render_mail(name, to, context)
    host = urlsplit(settings.SITE_URL).hostname or "localhost"
    message = EmailMultiAlternatives(
        written.subject,
        written.text,
        to=[to],
        reply_to=[settings.SUPPORT_EMAIL],
        headers={"Message-ID": f"<{message_id}@{host}>", "Auto-Submitted": "auto-generated"},
    )
    message.attach_alternative(written.html, "text/html")
    for file in _kinds[name].attach(context):
        message.attach(file.name, file.content, file.mimetype)
    return message
