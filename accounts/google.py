"""Signing in with Google: authorization code flow with PKCE (RFC 7636), state and nonce, then our rules of linking."""

import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import requests
from allauth.socialaccount.internal import jwtkit
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.oauth2.client import OAuth2Client, OAuth2Error
from allauth.socialaccount.providers.oauth2.utils import generate_code_challenge
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.http import HttpRequest

from accounts import activity, services
from accounts.models import ActivityKind, User
from accounts.signals import user_registered
from emailcheck.common import mail
from emailcheck.common.errors import NotAuthenticated

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
    pkce = generate_code_challenge()
    handshake = Handshake(
        secrets.token_urlsafe(32), secrets.token_urlsafe(32), pkce.pop("code_verifier"), referral_code
    )
    pkce["code_challenge"] = pkce["code_challenge"].decode()
    extra = {**pkce, "state": handshake.state, "nonce": handshake.nonce, "prompt": "select_account"}
    return str(_client().get_redirect_url(settings.GOOGLE.authorize, ["openid", "email", "profile"], extra)), handshake


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
        answer = _client().get_access_token(code, pkce_code_verifier=handshake.verifier)
        claims: dict[str, Any] = jwtkit.verify_and_decode(
            credential=answer["id_token"],
            keys_url=settings.GOOGLE.keys,
            issuer=settings.GOOGLE.issuer,
            audience=settings.GOOGLE_CLIENT_ID,
            lookup_kid=jwtkit.lookup_kid_jwk,
        )
    except (OAuth2Error, requests.RequestException, KeyError, ValueError) as error:
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


def _client() -> OAuth2Client:
    return OAuth2Client(
        HttpRequest(),
        settings.GOOGLE_CLIENT_ID,
        settings.GOOGLE_CLIENT_SECRET,
        "POST",
        settings.GOOGLE.token,
        mail.link("/api/auth/google/callback"),
    )
