"""Requests about an address without a sign-in: register, confirm, reset the password.

Every request gets the same answer in the same time: it is stored, sealed, and the queue
finds the account and mails the owner of the mailbox.
"""

import json
from datetime import datetime
from typing import Any

from django.contrib.auth.hashers import make_password
from django.db import transaction

from accounts.rules.google_rule import find_requiring_organisation
from accounts.signals import user_registered
from accounts.signin import emails, registrations
from accounts.signin.models import MailboxRequest, MailboxRequestKind
from accounts.signin.registrations import Registration
from accounts.users import password_rules
from accounts.users.models import User
from emailcheck.common import secrecy
from emailcheck.common.queue import tasks


def request_registration(
    *, email: str, password: str, name: str, company: str = "", referral_code: str = "", browser: str = ""
) -> None:
    """Have an account made; `browser` as for a `Registration`. Raises `BadInput` (`WEAK_PASSWORD`)."""
    password_rules.check_password_rules(password, email=email, name=name)
    fields = {"name": name, "company": company, "password": make_password(password), "referral_code": referral_code}
    _create_request(MailboxRequestKind.REGISTER, email=email, browser=browser, **fields)


def request_google_registration(*, sub: str, email: str, name: str, referral_code: str = "") -> None:
    """Have an account made that a Google account opens, once a mailed link was opened."""
    fields = {"name": name, "company": "", "password": make_password(None), "referral_code": referral_code}
    _create_request(MailboxRequestKind.REGISTER, email=email, google_sub=sub, **fields)


def request_verification(*, email: str) -> None:
    """Have a new confirmation link mailed, if there is an account to confirm."""
    _create_request(MailboxRequestKind.VERIFY, email=email)


def request_reset(*, email: str) -> None:
    """Have a link mailed that sets a new password, if there is an account."""
    _create_request(MailboxRequestKind.RESET, email=email)


@transaction.atomic
def answer_request(*, request_id: int) -> None:
    """Carry out a request and mail the owner. May be repeated."""
    request = MailboxRequest.objects.select_for_update().filter(pk=request_id).first()
    if request is None:
        return
    fields = json.loads(secrecy.unseal_text(request.sealed))
    user = User.objects.select_for_update().filter(email=fields.pop("email_key")).first()
    if request.kind == MailboxRequestKind.REGISTER:
        _answer_registration(user, fields, request.created_at)
    elif user is not None and user.is_active:
        _mail_owner(user, request.kind)
    request.delete()


def _create_request(kind: MailboxRequestKind, *, email: str, **fields: Any) -> None:
    fields |= {"email": email, "email_key": email.strip().lower()}
    with transaction.atomic():
        request = MailboxRequest.objects.create(kind=kind, sealed=secrecy.seal_text(json.dumps(fields)))
        tasks.enqueue("accounts.tasks.answer_request", request.pk, queue="mail")


def _mail_owner(user: User, kind: str) -> None:
    if kind == MailboxRequestKind.RESET:
        requiring = find_requiring_organisation(user)
        if requiring is None:
            emails.send_password_reset(user=user)
        else:
            emails.send_google_required(user=user, organisation=requiring.title)
    elif not user.email_verified:
        registrations.mail_new_link(user=user)


def _answer_registration(user: User | None, fields: dict[str, str], asked_at: datetime) -> None:
    registration = Registration(
        fields["password"], fields["name"], fields["company"], fields.get("google_sub", ""), fields.get("browser", "")
    )
    if user is None:
        user = _create_account(registration, fields)
    if user.is_active and user.email_verified:
        emails.send_address_taken(user=user)
    elif user.is_active:
        registrations.mail_first_link(user=user, registration=registration, asked_at=asked_at)


def _create_account(registration: Registration, fields: dict[str, str]) -> User:
    """Create an account. When another process creates it at the same instant, the task is tried again."""
    user = User(
        email=fields["email"].strip().lower(),
        name=registration.name,
        password=registration.password,
    )
    User.objects.insert_account(user, company=registration.company)
    user_registered.send(sender=User, user=user, referral_code=fields["referral_code"])
    return user
