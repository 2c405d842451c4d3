"""The headers by which MDN's HTTP Observatory judges a site, on every public page and on errors."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from emailcheck.common.tests.test_live_mode import LIVE
from emailcheck.public.blog import posts
from emailcheck.public.machine_files import list_public_paths

SECURED = (
    "import emailcheck.settings as s; print(s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS,"
    " s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE)"
)
# What the Observatory takes points for, or gives some for.
POLICIES = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Strict-Transport-Security": "max-age=31536000; includeSubDomains",
}
# Public pages that no footer names.
EXTRA_PAGES = (
    "/about/nothing", "/verify-email?token=x", "/reset-password?token=x", "/payments/return", "/?login=true",
    *(post.path for post in posts.load_posts()[:2]),
)  # fmt: skip


def directives(policy: str) -> dict[str, list[str]]:
    parts = [part.split() for part in policy.split(";") if part.strip()]
    return {name: values for name, *values in parts}


@pytest.mark.spec("SEC-012")
@pytest.mark.parametrize("path", [*list_public_paths(), "/nowhere", "/about/nothing", "/robots.txt", "/api/nothing"])
def test_every_answer_earns_all_points(db: None, settings: Any, path: str) -> None:
    settings.SECURE_HSTS_SECONDS, settings.SECURE_HSTS_INCLUDE_SUBDOMAINS = 31_536_000, True
    answer: Any = Client().get(path, secure=True)
    b"".join(answer)
    answer.close()
    assert {name: answer[name] for name in POLICIES} == POLICIES
    assert "camera=()" in answer["Permissions-Policy"]
    assert "Access-Control-Allow-Origin" not in answer
    assert not answer.cookies
    policy = directives(answer["Content-Security-Policy"])
    assert policy["default-src"] == ["'none'"]
    assert (policy["base-uri"], policy["frame-ancestors"]) == (["'none'"], ["'none'"])
    assert policy["form-action"] == (["'none'"] if path.startswith("/api/") else ["'self'"])
    allowed = [value for values in policy.values() for value in values]
    assert not [value for value in allowed if "unsafe" in value or value in ("*", "https:", "http:")]
    assert [value for value in policy.get("script-src", ["'self'"]) if not value.startswith("'nonce-")] == ["'self'"]


@pytest.mark.finding("C8")
@pytest.mark.parametrize("path", [*list_public_paths(), *EXTRA_PAGES])
def test_a_nonce_is_one_visitor_s(db: None, path: str) -> None:
    first, second = Client().get(path), Client().get(path)
    nonces = [re.findall("'nonce-([^']+)'", answer["Content-Security-Policy"]) for answer in (first, second)]
    assert [len(set(found)) for found in nonces] == [1, 1]
    assert nonces[0] != nonces[1]
    assert f'nonce="{nonces[0][0]}"'.encode() in first.content
    kept = {part.strip() for part in first["Cache-Control"].split(",")}
    assert kept & {"private", "no-store"}
    assert not kept & {"public"} | {part for part in kept if part.startswith("s-maxage")}


@pytest.mark.finding("C8")
def test_a_page_that_could_not_be_made_is_kept_by_no_shared_cache(client: Client) -> None:
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "'nonce-" in answer["Content-Security-Policy"]
    assert answer["Cache-Control"] == "private"


@pytest.mark.parametrize("path", list_public_paths())
def test_no_page_loads_anything_from_elsewhere(db: None, client: Client, path: str) -> None:
    page = client.get(path).content.decode()
    loaded = re.findall(r'<(?:img|script|iframe|source)[^>]* src="([^"]+)"', page)
    loaded += re.findall(r'<link rel="(?!canonical|alternate)[^"]+"[^>]* ?href="([^"]+)"', page)
    assert len(loaded) > 3
    assert not [address for address in loaded if not re.match("/[^/]", address)]
    assert "<style" not in page
    assert ' style="' not in page
    assert "<script>" not in page


def test_a_public_address_with_https_asks_for_https_for_a_year(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **LIVE, "SITE_URL": "https://check.example"}
    command = [sys.executable, "-c", SECURED]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert found == "31536000 True True True\n"
