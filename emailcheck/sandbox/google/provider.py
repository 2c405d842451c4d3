"""An OpenID provider that plays Google: authorization code flow with PKCE (RFC 7636), identity tokens in RS256."""

import base64
import hashlib
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from jwt.algorithms import RSAAlgorithm

CODE_S = 60.0
_MAX_CODES = 1_000
_CALLBACK: Final = "/api/auth/google/callback"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with a Google account; `verified`: Google has seen that a mail to the address was read, `hd`: the domain
    of the customer that runs the account."""

    sub: str
    name: str
    email: str
    verified: bool
    note: str
    hd: str = ""


PEOPLE: Final = (
    Person("1001", "Gina Marsh", "gina.marsh@gmail.com", True, "new here: an account is made"),
    Person(
        "1002", "Alice Alder", "alice@alder-and-ash.com", True, "her company runs it: it is linked",
        hd="alder-and-ash.com",
    ),
    Person("1003", "Bob Birch", "bob@birchworks.net", True, "nobody vouches for it: asks for the password"),
    Person("1004", "Una Verne", "una.verne@gmail.com", False, "an address that Google has not verified: refused"),
    Person("1005", "Nora Quill", "nora@quillworks.net", True, "new, and nobody vouches for it: asks for a mailed link"),
    Person(
        "1006", "Alice Alder", "alice@alder-and-ash.com", True, "a second account with her address: refused",
        hd="alder-and-ash.com",
    ),
    Person("1007", "Sam Staff", "sam@emailcheck.app", True, "staff, but not by the company: refused"),
    Person("1008", "Sam Staff", "sam@emailcheck.app", True, "staff by the company: linked", hd="emailcheck.app"),
)  # fmt: skip


class ProviderError(Exception):
    """A request that a provider refuses; the text is the error code of RFC 6749."""


@dataclass(frozen=True, slots=True)
class AuthorizationRequest:
    """What a browser came with to the page of choice."""

    client_id: str
    redirect_uri: str
    state: str
    nonce: str
    challenge: str


@dataclass(frozen=True, slots=True)
class _Code:
    person: Person
    authorization: AuthorizationRequest
    until: float


class Provider:
    """One provider with its key and the codes that it has given out."""

    def __init__(self) -> None:
        self._kid = secrets.token_hex(8)
        self._codes: OrderedDict[str, _Code] = OrderedDict()

    @cached_property
    def _key(self) -> rsa.RSAPrivateKey:
        """Made when somebody signs in: it takes as long as all else that the sandbox does to start."""
        return rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def parse_query(self, query: Mapping[str, str]) -> AuthorizationRequest:
        """What is asked for, if it is well asked. Raises `ProviderError`."""
        if query.get("response_type") != "code" or "openid" not in query.get("scope", "").split():
            raise ProviderError("invalid_request")
        return self.parse_form(query)

    def parse_form(self, query: Mapping[str, str]) -> AuthorizationRequest:
        """The same from the hidden fields of the page. Raises `ProviderError`."""
        if query.get("code_challenge_method") != "S256" or not query.get("code_challenge"):
            raise ProviderError("invalid_request")
        if not query.get("redirect_uri", "").endswith(_CALLBACK) or not query.get("client_id"):
            raise ProviderError("redirect_uri_mismatch")
        return AuthorizationRequest(
            query["client_id"],
            query["redirect_uri"],
            query.get("state", ""),
            query.get("nonce", ""),
            query["code_challenge"],
        )

    def choose(self, authorization: AuthorizationRequest, sub: str) -> str:
        """A code for the person who was chosen. Raises `ProviderError`."""
        person = next((one for one in PEOPLE if one.sub == sub), None)
        if person is None:
            raise ProviderError("access_denied")
        code = secrets.token_urlsafe(24)
        self._codes[code] = _Code(person, authorization, time.time() + CODE_S)
        while len(self._codes) > _MAX_CODES:
            self._codes.popitem(last=False)
        return code

    def exchange(self, form: Mapping[str, str], issuer: str) -> dict[str, Any]:
        """Tokens for a code, once, for who knows the verifier. Raises `ProviderError`."""
        code = self._codes.pop(form.get("code", ""), None)
        if form.get("grant_type") != "authorization_code" or code is None or code.until < time.time():
            raise ProviderError("invalid_grant")
        hashed = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        if base64.urlsafe_b64encode(hashed).rstrip(b"=").decode() != code.authorization.challenge:
            raise ProviderError("invalid_grant")
        if (form.get("client_id"), form.get("redirect_uri")) != (
            code.authorization.client_id,
            code.authorization.redirect_uri,
        ):
            raise ProviderError("invalid_client")
        token = jwt.encode(self._claims(code, issuer), self._key, algorithm="RS256", headers={"kid": self._kid})
        access = secrets.token_urlsafe(24)
        return {"access_token": access, "token_type": "Bearer", "expires_in": 3600, "id_token": token}

    def keys(self) -> dict[str, Any]:
        """The public key as a JSON Web Key Set."""
        key = RSAAlgorithm.to_jwk(self._key.public_key(), as_dict=True)
        return {"keys": [{**key, "kid": self._kid, "use": "sig", "alg": "RS256"}]}

    def _claims(self, code: _Code, issuer: str) -> dict[str, Any]:
        now = int(time.time())
        return {
            "iss": issuer,
            "aud": code.authorization.client_id,
            "sub": code.person.sub,
            "email": code.person.email,
            "email_verified": code.person.verified,
            **({"hd": code.person.hd} if code.person.hd else {}),
            "name": code.person.name,
            "nonce": code.authorization.nonce,
            "jti": secrets.token_hex(12),
            "iat": now,
            "exp": now + 3600,
        }
