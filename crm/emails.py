"""The mails about messages and the newsletter."""

from crm.models import Message
from emailcheck.common import mail

MESSAGES = "/admin?tab=crm&view=messages"
_MESSAGE = {"subject_line": "A question", "name": "Ida Holm", "email": "ida.holm@example.com"}

mail.register(
    "contact_received", example=_MESSAGE | {"text": "How many addresses at once?", "link": mail.link(MESSAGES)}
)
mail.register("contact_acknowledged", example=_MESSAGE)
mail.register("newsletter_confirm", example={"link": mail.link("/newsletter/confirm?token=…")})


def send_received(*, message: Message, to: str) -> None:
    """To support; an answer goes to the visitor."""
    context = _words(message) | {"text": message.text, "link": mail.link(MESSAGES)}
    key = f"contact_received:{message.pk}"
    mail.send(name="contact_received", to=to, context=context, key=key, reply_to=message.email)


def send_acknowledged(*, message: Message) -> None:
    key = f"contact_acknowledged:{message.pk}"
    mail.send(name="contact_acknowledged", to=message.email, context=_words(message), key=key)


def send_confirm(*, email: str, token: str) -> None:
    """The link with which the newsletter is agreed to."""
    mail.send(name="newsletter_confirm", to=email, context={"link": mail.link(f"/newsletter/confirm?token={token}")})


def _words(message: Message) -> dict[str, str]:
    return {"subject_line": message.subject, "name": message.name, "email": message.email}
