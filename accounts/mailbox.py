"""Asking something about an address without a sign-in: to register it, to confirm it, to reset its password.

Whoever asks gets one answer in one time, because nobody has looked yet: what was asked is kept, sealed, and the queue
finds out whom it concerns and writes to the owner of the mailbox.
"""

import json
from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts import emails, passwords, registrations
from accounts.models import MailboxRequest, User, Wish
from accounts.registrations import Registration
from accounts.signals import user_registered
from emailcheck.common import sealing, tasks


def ask_to_register(*, email: str, password: str, name: str, company: str = "", referral_code: str = "") -> None:
    """Have an account made. Raises `BadInput` (`WEAK_PASSWORD`)."""
    passwords.check(password, email=email, name=name)
    fields = {"name": name, "company": company, "password": make_password(password), "referral_code": referral_code}
    _ask(Wish.REGISTER, email=email, **fields)


def ask_to_register_by_google(*, sub: str, email: str, name: str, referral_code: str = "") -> None:
    """Have an account made that a Google account opens, once a mailed link was opened."""
    fields = {"name": name, "company": "", "password": make_password(None), "referral_code": referral_code}
    _ask(Wish.REGISTER, email=email, google_sub=sub, **fields)


def ask_to_verify(*, email: str) -> None:
    """Have a new confirmation link mailed, if there is an account to confirm."""
    _ask(Wish.VERIFY, email=email)


def ask_to_reset(*, email: str) -> None:
    """Have a link mailed that sets a new password, if there is an account."""
    _ask(Wish.RESET, email=email)


@transaction.atomic
def answer(*, request_id: int) -> None:
    """Do what was asked and write to the owner. Harmless when it was done before."""
    asked = MailboxRequest.objects.select_for_update().filter(pk=request_id).first()
    if asked is None:
        return
    fields = json.loads(sealing.unseal(asked.sealed))
    user = User.objects.select_for_update().filter(email=fields.pop("email_key")).first()
    if asked.wish == Wish.REGISTER:
        _register(user, fields, asked.created_at)
    elif user is not None and user.is_active:
        _write_to(user, asked.wish)
    asked.delete()


def _ask(wish: Wish, *, email: str, **fields: Any) -> None:
    fields |= {"email": email, "email_key": email.strip().lower()}
    with transaction.atomic():
        asked = MailboxRequest.objects.create(wish=wish, sealed=sealing.seal(json.dumps(fields)))
        tasks.enqueue("accounts.tasks.answer_request", asked.pk)


def _write_to(user: User, wish: str) -> None:
    if wish == Wish.RESET:
        emails.send_reset(user=user)
    elif not user.email_verified:
        registrations.mail_new_link(user=user)


def _register(user: User | None, fields: dict[str, str], asked_at: datetime) -> None:
    given = Registration(fields["password"], fields["name"], fields["company"], fields.get("google_sub", ""))
    if user is None:
        user = _made(given, fields)
    if user.is_active and user.email_verified:
        emails.send_taken(user=user)
    elif user.is_active:
        registrations.mail_first_link(user=user, registration=given, asked_at=asked_at)


def _made(given: Registration, fields: dict[str, str]) -> User:
    """A new account. Whoever made it at the same instant wins; the task is tried again then."""
    user = User(email=fields["email"].strip().lower(), name=given.name, company=given.company, password=given.password)
    user.save(force_insert=True)
    user_registered.send(sender=User, user=user, referral_code=fields["referral_code"])
    return user
