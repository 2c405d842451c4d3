"""The mails about messages and the newsletter."""

from crm.messages.models import Message
from emailcheck.common.outbound import mail

MESSAGES_PAGE = "/admin?tab=crm&view=messages"
_MESSAGE = {"subject_line": "A question", "name": "Ida Holm", "email": "ida.holm@example.com"}

mail.register_mail(
    "contact_received",
    example=_MESSAGE | {"text": "How many addresses at once?", "link": mail.build_link(MESSAGES_PAGE)},
)
mail.register_mail("contact_acknowledged", example=_MESSAGE)
mail.register_mail("newsletter_confirm", example={"link": mail.build_link("/newsletter/confirm?token=…")})


def send_contact_received(*, message: Message, to: str) -> None:
    """To support; an answer goes to the visitor."""
    context = _build_context(message) | {"text": message.text, "link": mail.build_link(MESSAGES_PAGE)}
    key = f"contact_received:{message.pk}"
    mail.send_mail(name="contact_received", to=to, context=context, key=key, reply_to=message.email)


def send_contact_acknowledged(*, message: Message) -> None:
    key = f"contact_acknowledged:{message.pk}"
    mail.send_mail(name="contact_acknowledged", to=message.email, context=_build_context(message), key=key)


def send_newsletter_confirm(*, email: str, token: str) -> None:
    """The link with which the newsletter is agreed to."""
    mail.send_mail(
        name="newsletter_confirm", to=email, context={"link": mail.build_link(f"/newsletter/confirm?token={token}")}
    )


def _build_context(message: Message) -> dict[str, str]:
    return {"subject_line": message.subject, "name": message.name, "email": message.email}
