"""What a browser does to sign in with Google, which the sandbox plays over HTTP."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
from django.test import Client


def start_visit(client: Client, **query: str) -> str:
    answer = client.get("/api/auth/google/start", {"return": "https://evil.com", **query})
    assert answer.status_code == 302
    return str(answer["Location"])


def choose_account(address: str, sub: str) -> str:
    """What a person does at Google. Answers the address that Google sends the browser to."""
    page = httpx2.get(address, trust_env=False)
    assert page.status_code == 200
    asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
    base = address.partition("?")[0]
    answer = httpx2.post(base, data={**asked, "sub": sub}, trust_env=False)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def visit_google(client: Client, sub: str) -> str:
    """The address that the browser ends at."""
    return follow_redirect(client, choose_account(start_visit(client), sub))


def follow_redirect(client: Client, location: str) -> str:
    answer = client.get(urlsplit(location).path, dict(parse_qs(urlsplit(location).query)))
    assert answer.status_code == 302
    return str(answer["Location"])


def exchange_session(client: Client, location: str) -> Any:
    assert location.startswith("http://127.0.0.1:8000/#session_id=")
    return client.get("/api/auth/session", headers={"X-Session-ID": location.rpartition("=")[2]})
