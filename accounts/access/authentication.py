"""Who calls, by the bearer credential of the API: a login token, an API key, or the token of a staff view.

The text of an API key is `ec_live_`, or `ec_test_` for test mode, 8 characters that name it, 43 random ones (256 bits)
and 6 of a checksum, by which a mistyped key is known without asking the database.
"""

import ipaddress
import secrets
import string
import zlib
from datetime import timedelta
from functools import cache
from typing import Any

from django.db.models import Q
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework import exceptions
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework_simplejwt.exceptions import TokenBackendError
from rest_framework_simplejwt.state import token_backend

from accounts.access import limits
from accounts.access.models import EDITION, ApiKey, SignIn, Viewing
from accounts.access.viewing_tokens import VIEWING_CLAIM, find_viewing
from accounts.organisations.admission import is_address_allowed
from accounts.organisations.models import Organisation
from accounts.users.models import User
from emailcheck.common import registry, request_context
from emailcheck.common.api.schema import FOR_PROGRAMS
from emailcheck.common.errors import NotAuthenticated, ProductError, Refused
from emailcheck.common.ip_addresses import unmap_network
from emailcheck.common.secrecy import hash_secret
from emailcheck.common.storage.prepared_reads import OneRow

LIVE_PREFIX = "ec_live_"
TEST_PREFIX = "ec_test_"
LAST_USED_EVERY = timedelta(minutes=1)
_ALPHABET = string.ascii_letters + string.digits
_NAME_LENGTH, _SECRET_LENGTH, _CHECKSUM_LENGTH = 8, 43, 6


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer {credential}`: a login token whose sign-in is still open, an API key, or the token of a
    staff view of another account."""

    def authenticate(self, request: Request) -> tuple[User | Organisation, SignIn | ApiKey | Viewing] | None:
        """Every call is counted here, before it does anything: by account, or by address where there is none."""
        try:
            found = _find_credential(request)
        except (exceptions.AuthenticationFailed, ProductError):
            limits.count_stranger()
            raise
        if found is None:
            limits.count_stranger()
            return None
        if isinstance(found, ApiKey):
            limits.count_key(found.organisation, polls=_polls(request))
            return found.organisation, found
        if isinstance(found, Viewing):
            limits.count_site(found.sign_in.user_id)
            _require_read_only(request)
        else:
            limits.count_site(found.user_id)
        return found.user, found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def _polls(request: Request) -> bool:
    """Whether the call asks how something stands: a GET of a view that is `polled`."""
    return request.method in SAFE_METHODS and getattr((request.parser_context or {}).get("view"), "polled", False)


def _find_credential(request: Request) -> SignIn | ApiKey | Viewing | None:
    """The sign-in, key or viewing of the call, None without a credential. Raises the refusal of any other."""
    scheme, _, credential = get_authorization_header(request).partition(b" ")
    token = credential.strip()
    if scheme.lower() != b"bearer" or not token:
        return None
    if _looks_like_api_key(request, token):
        return _load_api_key(request, token.decode("latin-1"))
    claims = _decode_claims(token)
    return _load_viewing(claims) if VIEWING_CLAIM in claims else _load_sign_in(claims)


def _load_viewing(claims: dict[str, Any]) -> Viewing:
    found = find_viewing(claims[VIEWING_CLAIM])
    if found is None:
        raise exceptions.AuthenticationFailed("The view has ended.")
    return found


def _require_read_only(request: Request) -> None:
    """A viewing may only read, and only calls with `shown_in_views`."""
    if request.method not in SAFE_METHODS:
        raise Refused("You are viewing as a user: nothing can be changed.", code="VIEW_READ_ONLY")
    if not getattr((request.parser_context or {}).get("view"), "shown_in_views", False):
        raise Refused("This is not shown while you view as a user.", code="VIEW_HIDDEN")


def _load_api_key(request: Request, text: str) -> ApiKey:
    """The live key of that text. The call is noted as made with a key, refused or not."""
    key = load_key(text)
    request_context.set_key_call(
        request_context.KeyCall(
            request, key.organisation_id, key.pk, is_test_key(key), key.prefix, is_early=key.edition < EDITION
        )
    )
    return admit_key(key, ip=request_context.caller_address())


def _looks_like_api_key(request: Request, token: bytes) -> bool:
    """Keys say so by their beginning; the calls for programs take what is no JWT for one."""
    return token.startswith(b"ec_") or (request.path.startswith(FOR_PROGRAMS) and token.count(b".") != 2)


def _load_sign_in(claims: dict[str, Any]) -> SignIn:
    """The open sign-in that a token names. A suspended account, whose sign-ins have ended, gets its own refusal."""
    sign_in = SignIn.objects.select_related("user").filter(pk=claims["sid"]).first()
    if sign_in is None or str(sign_in.user_id) != claims.get("user_id"):
        raise exceptions.AuthenticationFailed("Authentication required")
    if sign_in.user.is_suspended:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if sign_in.ended_at is not None or sign_in.expires_at <= timezone.now():
        raise exceptions.AuthenticationFailed("Authentication required")
    return sign_in


def _decode_claims(token: bytes) -> dict[str, Any]:
    try:
        claims: dict[str, Any] = token_backend.decode(token, verify=True)
    except TokenBackendError as error:
        raise exceptions.AuthenticationFailed("Authentication required") from error
    if not _has_required_claims(claims):
        raise exceptions.AuthenticationFailed("Authentication required")
    return claims


def _has_required_claims(claims: dict[str, Any]) -> bool:
    """Whether it is an access token that names what it opens and its end, which has been compared with the clock."""
    is_access = claims.get("token_type") == "access" and type(claims.get("exp")) is int
    return is_access and (type(claims.get("sid")) is int or VIEWING_CLAIM in claims)


class BearerScheme(OpenApiAuthenticationExtension):
    """Describes the credential in the API schema."""

    target_class = "accounts.access.authentication.BearerAuthentication"
    name = "bearer"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A login token or an API key: `ec_live_…`, `ec_test_…`.",
        }


def load_key(text: str) -> ApiKey:
    """The key of that text, with its organisation; it may have ended. Raises `NotAuthenticated` for any other text."""
    key = None
    if is_well_formed(text):
        key = _key_by_hash().read(hash_secret(text))
    if key is None:
        raise build_invalid_key_error()
    return key


def admit_key(key: ApiKey, *, ip: str | None) -> ApiKey:
    """The key, if it may be used now, with a note that it was.

    Raises `NotAuthenticated` (`INVALID_API_KEY`) for one that has ended, `Refused` for an address that is not allowed
    or a suspended organisation.
    """
    if key.revoked_at is not None or (key.expires_at is not None and key.expires_at <= timezone.now()):
        raise build_invalid_key_error()
    if not key.organisation.is_active:
        raise Refused("Account suspended", code="ACCOUNT_SUSPENDED")
    if not is_address_allowed(ip, key.allowed_ips):
        raise Refused("This API key may not be used from this address.", code="IP_NOT_ALLOWED")
    _record_use(key)
    key.organisation.in_test_mode = is_test_key(key)
    return key


@cache
def _key_by_hash() -> OneRow[ApiKey]:
    return OneRow(ApiKey, "key_hash", "organisation", registry.above.rate_relation)


def is_test_key(key: ApiKey) -> bool:
    """Whether it is a key of test mode."""
    return key.prefix.startswith(TEST_PREFIX)


def build_invalid_key_error() -> NotAuthenticated:
    """The refusal of what is not a live key."""
    return NotAuthenticated("Invalid or missing API key", code="INVALID_API_KEY")


def normalize_network(text: str) -> str:
    """An address or a network in its one spelling. Raises `ValueError`."""
    network = unmap_network(ipaddress.ip_network(text.strip(), strict=False))
    return str(network).removesuffix("/32" if network.version == 4 else "/128")


def cut_prefix(text: str) -> str:
    """The prefix by which owners tell keys apart."""
    return text[: len(LIVE_PREFIX) + _NAME_LENGTH]


def generate_key_text(kind: str) -> str:
    body = kind + "".join(secrets.choice(_ALPHABET) for _ in range(_NAME_LENGTH + _SECRET_LENGTH))
    return body + _compute_checksum(body)


def is_well_formed(text: str) -> bool:
    """Whether a text has the form and checksum of a key: any other is none, and nobody has to be asked about it."""
    body, checksum = text[:-_CHECKSUM_LENGTH], text[-_CHECKSUM_LENGTH:]
    return (
        body.startswith((LIVE_PREFIX, TEST_PREFIX))
        and text.isascii()
        and secrets.compare_digest(_compute_checksum(body), checksum)
    )


def _compute_checksum(body: str) -> str:
    number, digits = zlib.crc32(body.encode()), ""
    while len(digits) < _CHECKSUM_LENGTH:
        number, digit = divmod(number, len(_ALPHABET))
        digits += _ALPHABET[digit]
    return digits


def _record_use(key: ApiKey) -> None:
    now = timezone.now()
    if key.last_used_at is None or key.last_used_at <= now - LAST_USED_EVERY:
        long_ago = Q(last_used_at=None) | Q(last_used_at__lte=now - LAST_USED_EVERY)
        ApiKey.objects.filter(long_ago, pk=key.pk).update(last_used_at=now)


def caller(request: Request) -> User:
    """The person that calls; for calls that take no key."""
    assert isinstance(request.user, User)
    return request.user


def api_key_of(request: Request) -> ApiKey | None:
    """The API key that the call was made with, None for a sign-in."""
    return request.auth if isinstance(request.auth, ApiKey) else None


def is_staff_view(request: Request) -> bool:
    """Whether staff view the account: answers must not contain addresses that its owner uploaded."""
    return isinstance(request.auth, Viewing)
