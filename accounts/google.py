"""Signing in with Google: what the browser keeps meanwhile, and our rules of linking."""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction

from accounts import activity, openid, services
from accounts.models import ActivityKind, User
from accounts.openid import ProviderFailed
from accounts.signals import user_registered
from emailcheck.common.errors import NotAuthenticated

log = logging.getLogger(__name__)
FAILED = "Google authentication failed. Please try again."
HANDSHAKE_S = 600
_PROVIDER = "google"
_SALT = "accounts.google"


class GoogleFailed(NotAuthenticated):
    """No account came back from Google: refused there, tampered with on the way, late, or not verified."""

    def __init__(self) -> None:
        super().__init__(FAILED, code="INVALID_SESSION")


@dataclass(frozen=True, slots=True)
class Handshake:
    """What the browser keeps, signed, between leaving for Google and the end of the sign-in."""

    state: str
    nonce: str
    verifier: str
    referral_code: str = ""

    def sealed(self) -> str:
        return signing.dumps(asdict(self), salt=_SALT)


@dataclass(frozen=True, slots=True)
class Person:
    """Whom Google says it is."""

    sub: str
    email: str
    name: str
    picture: str


def is_configured() -> bool:
    return bool(settings.GOOGLE_CLIENT_ID and settings.GOOGLE_CLIENT_SECRET)


def leave(*, referral_code: str = "") -> tuple[str, Handshake]:
    """The address to send the browser to, and what it has to bring back. Raises `GoogleFailed` when not set up.

    `referral_code` is whose link the visitor came by, for an account that is made on the way.
    """
    if not is_configured():
        raise GoogleFailed
    handshake = Handshake(secrets.token_urlsafe(32), secrets.token_urlsafe(32), openid.new_verifier(), referral_code)
    return openid.address_of(state=handshake.state, nonce=handshake.nonce, verifier=handshake.verifier), handshake


def handshake_of(sealed: str) -> Handshake:
    """What the browser kept. Raises `GoogleFailed` when it is missing, changed or older than ten minutes."""
    try:
        return Handshake(**signing.loads(sealed, salt=_SALT, max_age=HANDSHAKE_S))
    except (signing.BadSignature, TypeError) as error:
        raise GoogleFailed from error


def come_back(*, handshake: Handshake, state: str, code: str) -> Person:
    """Whom a code stands for. Raises `GoogleFailed`, also for an address that Google has not verified."""
    if not code or not secrets.compare_digest(state.encode(), handshake.state.encode()):
        raise GoogleFailed
    try:
        claims = openid.claims_for(code=code, verifier=handshake.verifier)
    except ProviderFailed as error:
        log.warning("Google: %s", error)
        raise GoogleFailed from error
    return _person(claims, handshake)


def account_of(person: Person, *, referral_code: str = "") -> User:
    """The account of a person, linked or made now (AUTH-066). Of several calls at once one links or makes."""
    try:
        return _linked(person, referral_code)
    except IntegrityError:
        return _linked(person, referral_code)


def _person(claims: Mapping[str, Any], handshake: Handshake) -> Person:
    email = str(claims.get("email", "")).strip().lower()
    if claims.get("nonce") != handshake.nonce or claims.get("email_verified") is not True or not email:
        raise GoogleFailed
    name = str(claims.get("name") or email.partition("@")[0])
    return Person(str(claims["sub"]), email, name[:150], str(claims.get("picture") or ""))


@transaction.atomic
def _linked(person: Person, referral_code: str) -> User:
    known = SocialAccount.objects.select_related("user").filter(provider=_PROVIDER, uid=person.sub).first()
    if known is not None:
        return known.user
    user = User.objects.select_for_update().filter(email=person.email).first()
    if user is None:
        user = User.objects.create_user(person.email, None, name=person.name)
        user_registered.send(sender=User, user=user, referral_code=referral_code)
    elif not user.email_verified:
        services.empty(user=user)
    if services.verify_address(user=user):
        services.greet(user=user)
    SocialAccount.objects.create(user=user, provider=_PROVIDER, uid=person.sub)
    activity.record(user=user, kind=ActivityKind.SIGN_IN, action="Google account linked")
    return user
