"""Registrations that wait for their address: each link confirms its own registration, and nothing else.

Several people may register one address before its owner confirms. None of them has a better right, so none of them
changes what another gave; whichever link is opened first decides, and ends all that came by another registration.
"""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from hmac import compare_digest

from django.db import transaction

from accounts.organisations.models import Organisation
from accounts.rules.google_rule import find_requiring_organisation
from accounts.signin import emails, one_time_tokens
from accounts.signin import services as signin
from accounts.signin.google import accounts
from accounts.signin.models import OneTimeToken, Purpose
from accounts.users.models import User
from emailcheck.common import secrecy
from emailcheck.common.errors import BadInput

INVALID_VERIFICATION = "Verification failed. The link may have expired."


@dataclass(frozen=True, slots=True)
class Registration:
    """What was entered with an address. `password` is a hash, `google_sub` Google's id of the person, `browser` the
    hash of the secret in the cookie of the browser that it came from."""

    password: str
    name: str
    company: str = ""
    google_sub: str = ""
    browser: str = ""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a link confirmed: whose address, whether it was verified before, and the `browser` of the registration."""

    user: User
    before: bool
    browser: str = ""

    def signs_in(self, secret: str) -> bool:
        """Whether the browser with this secret is signed in without the password: it was entered there, the link came
        to the mailbox, and nothing else is asked of the person."""
        registered_here = bool(secret and self.browser) and compare_digest(secrecy.hash_secret(secret), self.browser)
        free = (
            self.user.is_active and not self.user.has_second_factor and find_requiring_organisation(self.user) is None
        )
        return registered_here and not self.before and free


def mail_first_link(*, user: User, registration: Registration, asked_at: datetime) -> None:
    """Mail a link for a registration; those for others stay as they are."""
    emails.send_verification(user=user, token=_create_token(user, registration), asked_at=asked_at)


def mail_new_link(*, user: User) -> None:
    """Mail a link in place of all earlier ones.

    Where different people may have registered, the link asks for a new password.
    """
    found = _list_registrations(user)
    one_time_tokens.end_tokens(user=user, purpose=Purpose.VERIFY)
    if len(found) > 1:
        emails.send_verification_choice(user=user)
    else:
        emails.send_verification_again(user=user, token=_create_token(user, found.pop()))


@transaction.atomic
def confirm_address(*, token: str) -> Confirmation:
    """Verify the address that a link was mailed to.

    Raises `BadInput` (`INVALID_TOKEN`) for a link that is unknown, or ended before the address was verified;
    `OtherGoogleAccount` when the Google account of the registration opens another account meanwhile.
    """
    known = one_time_tokens.find_token(token, Purpose.VERIFY)
    if known is None:
        raise BadInput(INVALID_VERIFICATION, code="INVALID_TOKEN")
    user = User.objects.select_for_update().get(pk=known.user_id)
    if user.email_verified:
        return Confirmation(user, before=True)
    if one_time_tokens.consume_token(token, Purpose.VERIFY) is None:
        raise BadInput(INVALID_VERIFICATION, code="INVALID_TOKEN")
    registration = _parse_registration(known)
    _apply_registration(user, registration)
    one_time_tokens.end_tokens(user=user, purpose=Purpose.VERIFY)
    signin.verify_address(user=user)
    signin.send_welcome(user=user)
    return Confirmation(user, before=False, browser=registration.browser)


def _apply_registration(user: User, registration: Registration) -> None:
    """Give the account to this registration; access from other registrations ends."""
    if registration.password != user.password:
        signin.clear_unverified_account(user=user)
    user.password, user.name = registration.password, registration.name
    user.save(update_fields=["password", "name"])
    Organisation.objects.filter(holder=user).update(company=registration.company)
    if registration.google_sub:
        accounts.link_without_mail(user=user, sub=registration.google_sub)


def _create_token(user: User, registration: Registration) -> str:
    return one_time_tokens.create_token(
        user=user, purpose=Purpose.VERIFY, sealed=secrecy.seal_text(json.dumps(asdict(registration)))
    )


def _parse_registration(token: OneTimeToken) -> Registration:
    """What the link confirms. Older links without a registration confirm what the account has."""
    if not token.sealed:
        return Registration(token.user.password, token.user.name, token.user.own_organisation.company)
    return Registration(**json.loads(secrecy.unseal_text(token.sealed)))


def _list_registrations(user: User) -> set[Registration]:
    """All that were made with the address, the first of which made the account."""
    links = OneTimeToken.objects.filter(user=user, purpose=Purpose.VERIFY).exclude(sealed="")
    found = set(map(_parse_registration, links.select_related("user__own_organisation")))
    first = Registration(user.password, user.name, user.own_organisation.company)
    return found if first in {replace(one, google_sub="", browser="") for one in found} else {first, *found}
