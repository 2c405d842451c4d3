"""The protocol of an OpenID provider: authorization code flow with PKCE (RFC 7636), over the one door out."""

import json
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode, urlsplit

import jwt
from django.conf import settings

from emailcheck.common.outbound import mail
from emailcheck.common.outbound.http import Origin, OutboundError

_SECONDS = 10.0
# Clocks differ.
_LEEWAY_S = 30
_CALLBACK = "/api/auth/google/callback"


class ProviderFailed(Exception):
    """The provider is out of reach, refuses the code, or does not prove an identity."""


def generate_verifier() -> str:
    """A secret that binds the code to its requester."""
    return secrets.token_urlsafe(48)


def build_authorize_url(*, state: str, nonce: str, verifier: str) -> str:
    """Where the browser goes to say who it is."""
    challenge = urlsafe_b64encode(sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    query = {
        "client_id": settings.GOOGLE_CLIENT_ID,
        "redirect_uri": mail.build_link(_CALLBACK),
        "response_type": "code",
        "scope": "openid email profile",
        "state": state,
        "nonce": nonce,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
        "prompt": "select_account",
    }
    return f"{settings.GOOGLE.authorize}?{urlencode(query)}"


def fetch_claims(*, code: str, verifier: str) -> dict[str, Any]:
    """The provider's claims about the person of the code. Raises `ProviderFailed`."""
    form = {
        "grant_type": "authorization_code",
        "code": code,
        "code_verifier": verifier,
        "redirect_uri": mail.build_link(_CALLBACK),
        "client_id": settings.GOOGLE_CLIENT_ID,
        "client_secret": settings.GOOGLE_CLIENT_SECRET,
    }
    credential = _fetch_json(settings.GOOGLE.token, form).get("id_token")
    if not isinstance(credential, str):
        raise ProviderFailed("no identity token")
    return _verify_id_token(credential, _fetch_json(settings.GOOGLE.keys))


def _verify_id_token(credential: str, keys: dict[str, Any]) -> dict[str, Any]:
    """The claims of a token that one of these keys signed, for us and not too long ago."""
    try:
        key = jwt.PyJWKSet.from_dict(keys)[jwt.get_unverified_header(credential)["kid"]]
        claims: dict[str, Any] = jwt.decode(
            credential,
            key.key,
            algorithms=["RS256"],
            audience=settings.GOOGLE_CLIENT_ID,
            issuer=settings.GOOGLE.issuer,
            leeway=_LEEWAY_S,
            options={"require": ["iss", "aud", "exp", "sub"]},
        )
    except (jwt.PyJWTError, LookupError) as error:
        raise ProviderFailed(f"no valid identity token: {type(error).__name__}") from error
    return claims


def _fetch_json(address: str, form: dict[str, str] | None = None) -> dict[str, Any]:
    """The JSON object at an address; a form is posted there."""
    parts = urlsplit(address)
    origin = Origin(f"{parts.scheme}://{parts.netloc}", seconds=_SECONDS)
    kind = {"Content-Type": "application/x-www-form-urlencoded"} if form else {}
    try:
        answer = origin.send(
            "POST" if form else "GET", parts.path, headers=kind, content=urlencode(form or {}).encode()
        )
        found = json.loads(answer.body) if answer.status == 200 else None
    except (OutboundError, ValueError) as error:
        raise ProviderFailed(f"{type(error).__name__}: {error}") from error
    if not isinstance(found, dict):
        raise ProviderFailed(f"answered {answer.status}")
    return found
