"""Signing in with Google: what the browser stores meanwhile, and our rules of linking.

Google is the authority for addresses of its own mail service and of the domains of its customers (`hd`); for any other
it only knows that somebody once read a mail there. Such an identity opens an account after the password of the account,
or after a link that we mail.
"""

import logging
import secrets
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.core import signing
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.rules.google_rule import find_requiring_organisation, is_google_set_up
from accounts.signals import user_registered
from accounts.signin import emails
from accounts.signin import services as signin
from accounts.signin.google import openid
from accounts.signin.google.openid import ProviderFailed
from accounts.users.models import User, domain_of
from emailcheck.common.errors import NotAuthenticated, Refused

log = logging.getLogger(__name__)
FAILED = "Google authentication failed. Please try again."
HANDSHAKE_S = 600
_PROVIDER = "google"
_SALT = "accounts.google"
_IDENTITY_SALT = "accounts.google.identity"
_MAIL_DOMAINS = frozenset({"gmail.com", "googlemail.com"})


class GoogleFailed(NotAuthenticated):
    """No account came back from Google: refused there, tampered with on the way, late, or not verified."""

    def __init__(self) -> None:
        super().__init__(FAILED, code="INVALID_SESSION")


class AddressNotVouchedFor(Refused):
    """Google does not vouch for the address: the account takes its password, or a link that we mail."""

    def __init__(self, email: str = "") -> None:
        super().__init__("Google does not vouch for this address. Confirm that it is yours.", code="GOOGLE_UNPROVEN")
        self.extra = {"email": email}


class OtherGoogleAccount(Refused):
    """The account, or the Google account, is linked already, and not to each other."""

    words = "This account is linked to another Google account. Sign in with that one, or with your password."

    def __init__(self) -> None:
        super().__init__(self.words, code="GOOGLE_ACCOUNT_LINKED")


class OtherGoogleAccountAlone(OtherGoogleAccount):
    """The same, where the organisation takes no password."""

    words = "This account is linked to another Google account. Sign in with that one."


class StaffDomainRequired(Refused):
    """An address of staff with a Google account that the company does not run."""

    def __init__(self) -> None:
        words = "Staff sign in with their password, or with the Google account that the company gave them."
        super().__init__(words, code="GOOGLE_NOT_STAFF")


@dataclass(frozen=True, slots=True)
class Handshake:
    """What the browser keeps, signed, between leaving for Google and the end of the sign-in."""

    state: str
    nonce: str
    verifier: str
    referral_code: str = ""

    def to_cookie(self) -> str:
        return signing.dumps(asdict(self), salt=_SALT)


@dataclass(frozen=True, slots=True)
class GooglePerson:
    """A person as Google identifies them; `hd` is the Google Workspace domain of the account, if any."""

    sub: str
    email: str
    name: str
    picture: str
    hd: str = ""

    @property
    def is_vouched_for(self) -> bool:
        """Whether Google is the authority for the address."""
        domain = domain_of(self.email)
        return domain in _MAIL_DOMAINS or domain == domain_of(self.hd)


@dataclass(frozen=True, slots=True)
class UnprovenIdentity:
    """What the browser keeps, signed, until the address is proved another way."""

    sub: str
    email: str
    name: str
    referral_code: str = ""

    def to_cookie(self) -> str:
        return signing.dumps(asdict(self), salt=_IDENTITY_SALT)


def start_handshake(*, referral_code: str = "") -> tuple[str, Handshake]:
    """The address to send the browser to, and what it has to bring back. Raises `GoogleFailed` when not set up.

    `referral_code` is whose link the visitor came by, for an account that is made on the way.
    """
    if not is_google_set_up():
        raise GoogleFailed
    handshake = Handshake(
        secrets.token_urlsafe(32), secrets.token_urlsafe(32), openid.generate_verifier(), referral_code
    )
    return openid.build_authorize_url(
        state=handshake.state, nonce=handshake.nonce, verifier=handshake.verifier
    ), handshake


def load_handshake(sealed: str) -> Handshake:
    """What the browser stored. Raises `GoogleFailed` when it is missing, changed or older than ten minutes."""
    try:
        return Handshake(**signing.loads(sealed, salt=_SALT, max_age=HANDSHAKE_S))
    except (signing.BadSignature, TypeError) as error:
        raise GoogleFailed from error


def load_identity(sealed: str) -> UnprovenIdentity:
    """What the browser stored. Raises `GoogleFailed` when it is missing, changed or older than ten minutes."""
    try:
        return UnprovenIdentity(**signing.loads(sealed, salt=_IDENTITY_SALT, max_age=HANDSHAKE_S))
    except (signing.BadSignature, TypeError) as error:
        raise GoogleFailed from error


def complete_handshake(*, handshake: Handshake, state: str, code: str) -> GooglePerson:
    """The person of a code. Raises `GoogleFailed`, also for an address that Google has not verified."""
    if not code or not secrets.compare_digest(state.encode(), handshake.state.encode()):
        raise GoogleFailed
    try:
        claims = openid.fetch_claims(code=code, verifier=handshake.verifier)
    except ProviderFailed as error:
        log.warning("Google: %s", error)
        raise GoogleFailed from error
    return _parse_person(claims, handshake)


def find_or_create_account(person: GooglePerson, *, referral_code: str = "") -> User:
    """The account of a person, linked or made now (AUTH-066). Of several calls at once one links or makes.

    Raises `AddressNotVouchedFor`, `OtherGoogleAccount`, `StaffDomainRequired`; nothing is linked or made then.
    """
    try:
        return _find_or_link(person, referral_code)
    except IntegrityError:
        return _find_or_link(person, referral_code)


@transaction.atomic
def link_account(*, user: User, sub: str) -> None:
    """Link a Google account to an account whose owner has confirmed it, and mail the owner.

    May be repeated. Raises `OtherGoogleAccount`.
    """
    if link_without_mail(user=user, sub=sub):
        emails.send_google_linked(user=user, now=timezone.now())


@transaction.atomic
def link_without_mail(*, user: User, sub: str) -> bool:
    """Link without a mail, for an account that is greeted anyway. False when that was done before.

    Raises `OtherGoogleAccount`.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if SocialAccount.objects.filter(provider=_PROVIDER, user=user).exclude(uid=sub).exists():
        raise OtherGoogleAccountAlone if find_requiring_organisation(user) else OtherGoogleAccount
    found, is_new = SocialAccount.objects.get_or_create(provider=_PROVIDER, uid=sub, defaults={"user": user})
    if found.user_id != user.pk:
        raise OtherGoogleAccount
    if is_new:
        audit_log.record_activity(user=user, kind=ActivityKind.SIGN_IN, action="Google account linked")
    return bool(is_new)


def _parse_person(claims: Mapping[str, Any], handshake: Handshake) -> GooglePerson:
    email = str(claims.get("email", "")).strip().lower()
    if claims.get("nonce") != handshake.nonce or claims.get("email_verified") is not True or not email:
        raise GoogleFailed
    name = str(claims.get("name") or email.partition("@")[0])
    picture, hd = str(claims.get("picture") or ""), str(claims.get("hd") or "")
    return GooglePerson(str(claims["sub"]), email, name[:150], picture, hd)


@transaction.atomic
def _find_or_link(person: GooglePerson, referral_code: str) -> User:
    known = SocialAccount.objects.select_related("user").filter(provider=_PROVIDER, uid=person.sub).first()
    _require_staff_domain(person, known.user.email if known else person.email)
    if known is not None:
        return known.user
    if not person.is_vouched_for:
        raise AddressNotVouchedFor
    user = User.objects.select_for_update().filter(email=person.email).first()
    if user is not None and user.email_verified:
        link_account(user=user, sub=person.sub)
        return user
    if user is None:
        user = User.objects.create_user(person.email, None, name=person.name)
        user_registered.send(sender=User, user=user, referral_code=referral_code)
    else:
        signin.clear_unverified_account(user=user)
    link_without_mail(user=user, sub=person.sub)
    signin.verify_address(user=user)
    signin.send_welcome(user=user)
    return user


def _require_staff_domain(person: GooglePerson, email: str) -> None:
    """Raises `StaffDomainRequired` for a Google account outside of the staff's domain."""
    if User(email=email).has_staff_address and domain_of(person.hd) != domain_of(settings.ADMIN_EMAIL_DOMAIN):
        raise StaffDomainRequired
