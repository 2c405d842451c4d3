"""What a provider answers is believed only with its signature, for us, in time."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from jwt.algorithms import RSAAlgorithm

from accounts.signin.google import openid
from accounts.signin.google.openid import ProviderFailed
from emailcheck.env import build_google as provider


@pytest.fixture(scope="module")
def key() -> RSAPrivateKey:
    return rsa.generate_private_key(public_exponent=65537, key_size=2048)


@pytest.fixture
def says(settings: Any, key: RSAPrivateKey) -> Iterator[dict[str, tuple[int, Any]]]:
    """What the provider answers by path: a status, and JSON or octets."""
    public = RSAAlgorithm.to_jwk(key.public_key(), as_dict=True)
    keys = {"keys": [{**public, "kid": "k1", "use": "sig", "alg": "RS256"}]}
    answers: dict[str, tuple[int, Any]] = {"/keys": (200, keys)}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, body = answers[self.path]
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            sent = body if isinstance(body, bytes) else json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(sent)))
            self.send_header("Location", "/elsewhere")
            self.end_headers()
            self.wfile.write(sent)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    settings.GOOGLE = provider(f"http://127.0.0.1:{server.server_port}", "")
    yield answers
    server.shutdown()
    thread.join()
    server.server_close()


def claims(settings: Any, **changes: Any) -> dict[str, Any]:
    now = int(time.time())
    told = {"iss": settings.GOOGLE.issuer, "aud": settings.GOOGLE_CLIENT_ID, "sub": "1", "iat": now, "exp": now + 60}
    return {name: value for name, value in {**told, **changes}.items() if value is not None}


def fetch_claims() -> dict[str, Any]:
    return openid.fetch_claims(code="c", verifier="v")


@pytest.mark.spec("AUTH-065")
def test_a_signed_token_for_us_is_believed(says: dict[str, Any], settings: Any, key: RSAPrivateKey) -> None:
    told = claims(settings)
    says["/token"] = (200, {"id_token": jwt.encode(told, key, algorithm="RS256", headers={"kid": "k1"})})
    assert fetch_claims() == told


@pytest.mark.spec("AUTH-065")
@pytest.mark.parametrize(
    "change", [{"aud": "another"}, {"iss": "https://evil.com"}, {"exp": 1_000}, {"exp": None}, {"sub": None}]
)
def test_any_other_is_not(says: dict[str, Any], settings: Any, key: RSAPrivateKey, change: dict[str, Any]) -> None:
    forged = jwt.encode(claims(settings, **change), key, algorithm="RS256", headers={"kid": "k1"})
    says["/token"] = (200, {"id_token": forged})
    with pytest.raises(ProviderFailed):
        fetch_claims()


@pytest.mark.spec("AUTH-065")
@pytest.mark.parametrize("how", ["other key", "unknown key", "none", "secret", "no token", "text"])
def test_nor_is_one_that_somebody_else_signed(
    says: dict[str, Any], settings: Any, key: RSAPrivateKey, how: str
) -> None:
    told, other = claims(settings), rsa.generate_private_key(public_exponent=65537, key_size=2048)
    forge: dict[str, Callable[[], str | None]] = {
        "other key": lambda: jwt.encode(told, other, algorithm="RS256", headers={"kid": "k1"}),
        "unknown key": lambda: jwt.encode(told, key, algorithm="RS256", headers={"kid": "k2"}),
        "none": lambda: jwt.encode(told, "", algorithm="none", headers={"kid": "k1"}),
        "secret": lambda: jwt.encode(told, "s" * 32, algorithm="HS256", headers={"kid": "k1"}),
        "no token": lambda: None,
        "text": lambda: "a.b.c",
    }
    says["/token"] = (200, {"id_token": forge[how]()})
    with pytest.raises(ProviderFailed):
        fetch_claims()


@pytest.mark.spec("AUTH-065")
@pytest.mark.parametrize(
    "answer", [(400, {"error": "invalid_grant"}), (302, {}), (200, []), (200, b"<html>"), (200, b"x" * 2_000_000)]
)
@pytest.mark.parametrize("path", ["/token", "/keys"])
def test_a_provider_that_answers_nonsense_fails(
    says: dict[str, Any], settings: Any, key: RSAPrivateKey, path: str, answer: tuple[int, Any]
) -> None:
    says["/token"] = (200, {"id_token": jwt.encode(claims(settings), key, algorithm="RS256", headers={"kid": "k1"})})
    says[path] = answer
    with pytest.raises(ProviderFailed):
        fetch_claims()
