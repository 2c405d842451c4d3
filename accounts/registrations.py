"""Registrations that wait for their address: each link confirms what was given with it, and nothing else.

Several people may register one address before its owner confirms. None of them has a better right, so none of them
changes what another gave; whichever link is opened first decides, and ends all that came by another registration.
"""

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from django.db import transaction

from accounts import emails, google, services, tokens
from accounts.models import OneTimeToken, Purpose, User
from emailcheck.common import sealing
from emailcheck.common.errors import BadInput

INVALID_VERIFICATION = "Verification failed. The link may have expired."


@dataclass(frozen=True, slots=True)
class Registration:
    """What somebody gave with an address. `password` is a hash, `google_sub` whom Google knows them as."""

    password: str
    name: str
    company: str = ""
    google_sub: str = ""


def mail_first_link(*, user: User, registration: Registration, asked_at: datetime) -> None:
    """Mail a link for a registration; those for others stay as they are."""
    emails.send_verification(user=user, token=_token_for(user, registration), asked_at=asked_at)


def mail_new_link(*, user: User) -> None:
    """Mail a link in place of all earlier ones.

    Where different people may have registered, nobody knows whose link this would be: it asks for a password then.
    """
    found = _registrations_of(user)
    tokens.end(user=user, purpose=Purpose.VERIFY)
    if len(found) > 1:
        emails.send_verification_choice(user=user)
    else:
        emails.send_verification_again(user=user, token=_token_for(user, found.pop()))


@transaction.atomic
def confirm_address(*, token: str) -> bool:
    """Verify the address that a link was mailed to. True when it was verified before.

    Raises `BadInput` (`INVALID_TOKEN`) for a link that is unknown, or ended before the address was verified;
    `OtherGoogleAccount` when the Google account of the registration opens another account meanwhile.
    """
    known = tokens.peek(token, Purpose.VERIFY)
    if known is None:
        raise BadInput(INVALID_VERIFICATION, code="INVALID_TOKEN")
    user = User.objects.select_for_update().get(pk=known.user_id)
    if user.email_verified:
        return True
    if tokens.use(token, Purpose.VERIFY) is None:
        raise BadInput(INVALID_VERIFICATION, code="INVALID_TOKEN")
    _hand_over(user, _registration_of(known))
    tokens.end(user=user, purpose=Purpose.VERIFY)
    services.verify_address(user=user)
    services.greet(user=user)
    return False


def _hand_over(user: User, registration: Registration) -> None:
    """Give the account to whoever registered so; what came by another registration ends."""
    if registration.password != user.password:
        services.empty(user=user)
    user.password, user.name, user.company = registration.password, registration.name, registration.company
    user.save(update_fields=["password", "name", "company"])
    if registration.google_sub:
        google.tie(user=user, sub=registration.google_sub)


def _token_for(user: User, registration: Registration) -> str:
    return tokens.make(user=user, purpose=Purpose.VERIFY, sealed=sealing.seal(json.dumps(asdict(registration))))


def _registration_of(token: OneTimeToken) -> Registration:
    """What the link confirms. Links from before they said so go with what the account has."""
    if not token.sealed:
        return Registration(token.user.password, token.user.name, token.user.company)
    return Registration(**json.loads(sealing.unseal(token.sealed)))


def _registrations_of(user: User) -> set[Registration]:
    """All that were made with the address, the first of which made the account."""
    links = OneTimeToken.objects.filter(user=user, purpose=Purpose.VERIFY).exclude(sealed="")
    found = set(map(_registration_of, links.select_related("user")))
    first = Registration(user.password, user.name, user.company)
    return found if first in {replace(one, google_sub="") for one in found} else {first, *found}
