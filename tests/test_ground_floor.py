"""Settings, request ids, size limits, security headers and the unknown path."""

import logging
from pathlib import Path
from typing import Any
from wsgiref.util import setup_testing_defaults

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory, override_settings

from accounts.users.models import User
from emailcheck.common import request_context
from emailcheck.common.request_context import RequestIdFilter, TrustedProxyMiddleware
from emailcheck.common.web.middleware import Utf8Request
from emailcheck.env import Env, MailServer, SettingError, parse_database, parse_mail
from emailcheck.wsgi import application
from tests.stack import free_port
from tests.world import Sandbox


def test_values_are_read_strictly() -> None:
    env = Env({"N": "7", "B": "off", "L": "a, b,,c", "D": "127.0.0.1:53,[::1]:5353", "EMPTY": " "})
    assert (env.number("N", 1), env.number("X", 1), env.number("EMPTY", 3)) == (7, 1, 3)
    assert (env.flag("B", True), env.names("L")) == (False, ("a", "b", "c"))
    assert env.addresses("D") == (("127.0.0.1", 53), ("::1", 5353))


@pytest.mark.parametrize(("name", "read"), [("N", "number"), ("B", "flag")])
def test_what_cannot_be_read_is_named(name: str, read: str) -> None:
    env = Env({"N": "seven", "B": "perhaps"})
    with pytest.raises(SettingError, match=f"^{name} must be"):
        getattr(env, read)(name, 0)


def test_any_value_may_be_in_a_file(tmp_path: Path) -> None:
    secret, number = tmp_path / "secret", tmp_path / "number"
    secret.write_text(" pass word\r\n")
    number.write_text("7\n")
    env = Env(
        {
            "KEY_FILE": str(secret),
            "N_FILE": f" {number} ",
            "X_FILE": "",
            "X": "1",
            "MAIL_A": "a",
            "MAIL_B_FILE": str(number),
        }
    )
    assert (env.text("KEY"), env.number("N", 1), env.number("X", 2)) == (" pass word", 7, 1)
    assert env.prefixed("MAIL_") == {"A": "a", "B": "7"}


@pytest.mark.parametrize(
    ("values", "refused"),
    [
        ({"KEY": "a", "KEY_FILE": "/dev/null"}, "^KEY and KEY_FILE are both set: leave one of them out$"),
        ({"KEY_FILE": "/nowhere/key"}, "^KEY_FILE names '/nowhere/key', which cannot be read: .*No such file"),
        ({"KEY_FILE": "/dev"}, "^KEY_FILE names '/dev', which cannot be read: "),
    ],
)
def test_a_file_that_cannot_be_meant_is_refused_in_words(values: dict[str, str], refused: str) -> None:
    with pytest.raises(SettingError, match=refused):
        Env(values).text("KEY")


def test_a_database_address_is_sqlite_or_postgresql() -> None:
    assert parse_database("sqlite:////srv/a.sqlite3")["NAME"] == "/srv/a.sqlite3"
    postgres = parse_database("postgresql://u:p%40@db:5433/shop")
    assert postgres["OPTIONS"] == {
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "connect_timeout": 10,
        "tcp_user_timeout": 25_000,
        "options": "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
        " -c tcp_user_timeout=25s",
    }
    assert postgres | {"CONN_MAX_AGE": 0, "OPTIONS": {}} == {
        "ENGINE": "django.db.backends.postgresql", "NAME": "shop", "USER": "u", "PASSWORD": "p@", "HOST": "db",
        "PORT": "5433", "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": {},
    }  # fmt: skip
    with pytest.raises(SettingError, match="DATABASE_URL"):
        parse_database("mysql://x")


def test_a_mail_server_is_read_with_its_encryption() -> None:
    assert parse_mail("smtp+tls://me:p%40@mail.host") == MailServer("mail.host", 587, "me", "p@", True, False)
    assert parse_mail("smtps://mail.host:2465").implicit_tls
    with pytest.raises(SettingError, match="MAIL_URL"):
        parse_mail("http://mail.host")


@pytest.mark.parametrize(("sent", "kept"), [("trace-1234", True), ("x y", False), ("a" * 65, False)])
def test_a_request_id_is_taken_or_made(db: None, client: Client, sent: str, kept: bool) -> None:
    answer = client.get("/api/nothing", headers={"X-Request-Id": sent})
    assert (answer["X-Request-Id"] == sent) is kept
    assert answer.json()["request_id"] == answer["X-Request-Id"]


def test_log_lines_carry_the_request_id() -> None:
    record = logging.LogRecord("x", logging.INFO, "", 0, "", None, None)
    assert RequestIdFilter().filter(record)
    assert record.__dict__["request_id"] == request_context.current_request_id()


def test_an_unknown_api_path_is_a_json_404(db: None, client: Client) -> None:
    answer = client.post("/api/v1/nothing")
    assert (answer.status_code, answer.json()["code"], answer["Content-Type"]) == (
        404,
        "NOT_FOUND",
        "application/json",
    )


def test_a_body_beyond_10_mb_is_not_read(alice: User, client: Client) -> None:
    answer = client.post("/api/auth/login", b"x" * (10 * 1024 * 1024 + 1), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (413, "REQUEST_TOO_LARGE")


@pytest.mark.spec("SEC-012")
def test_pages_forbid_foreign_and_inline_scripts(db: None, client: Client) -> None:
    for path in ("/", "/nowhere", "/api/nothing"):
        answer = client.get(path)
        policy = answer["Content-Security-Policy"]
        assert "unsafe" not in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert (answer["X-Content-Type-Options"], answer["X-Frame-Options"]) == ("nosniff", "DENY")


@override_settings(SANDBOX=False)
def test_live_mode_has_no_sandbox_and_no_demo_logins(db: None, client: Client) -> None:
    assert client.get("/sandbox").status_code == 404
    assert b"sandbox-2026" not in client.get("/").content


def test_browser_powers_are_off_and_calls_are_kept_out_of_caches(db: None, client: Client) -> None:
    for path in ("/", "/nowhere", "/api/nothing", "/api/auth/me"):
        assert "camera=()" in client.get(path)["Permissions-Policy"]
    assert client.get("/api/auth/me")["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("sender", "forwarded", "scheme", "caller"),
    [
        ("10.0.0.5", "203.0.113.9", "https", "203.0.113.9"),
        ("10.0.0.5", "1.2.3.4, 203.0.113.9, 10.0.0.7", "https", "203.0.113.9"),
        ("10.0.0.5", "nonsense", "https", "10.0.0.5"),
        ("203.0.113.50", "1.2.3.4", "http", "203.0.113.50"),
    ],
)
def test_only_a_trusted_proxy_tells_scheme_and_caller(
    rf: RequestFactory, settings: Any, sender: str, forwarded: str, scheme: str, caller: str
) -> None:
    settings.TRUSTED_PROXIES = Env({"P": "10.0.0.0/8"}).networks("P")
    seen: list[HttpRequest] = []

    def answer(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse()

    headers = {"X-Forwarded-For": forwarded, "X-Forwarded-Proto": "https"}
    TrustedProxyMiddleware(answer)(rf.get("/", headers=headers, REMOTE_ADDR=sender))
    assert (seen[0].scheme, seen[0].META["REMOTE_ADDR"]) == (scheme, caller)


def test_networks_are_read_strictly() -> None:
    with pytest.raises(SettingError, match=r"^P must be IP addresses or networks, not 'proxy'"):
        Env({"P": "proxy"}).networks("P")


def test_the_sandbox_is_reached_through_the_site_in_the_theme_that_was_chosen(world: Sandbox, client: Client) -> None:
    assert b'<html lang="en">' in client.get("/sandbox").content
    client.cookies["theme"] = "dark"
    assert b'<html lang="en" data-theme="dark">' in client.get("/sandbox").content
    client.cookies["theme"] = 'x" onload="'
    assert b'<html lang="en">' in client.get("/sandbox").content


def test_a_sandbox_that_does_not_run_is_named(db: None, client: Client, settings: Any) -> None:
    settings.SANDBOX_HTTP_PORT = free_port()
    answer = client.get("/sandbox")
    assert answer.status_code == 503
    assert b"The sandbox is not running" in answer.content


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ("text/plain; charset=zlib", "text/plain"),
        ("application/json;CHARSET = 'rot13' ; a=b", "application/json; a=b"),
        ("multipart/form-data; charset=utf-8; boundary=x", "multipart/form-data; boundary=x"),
        ("", ""),
    ],
)
def test_what_says_it_is_in_no_charset_is_read_as_utf_8(sent: str, read: str) -> None:
    environ: dict[str, Any] = {"CONTENT_TYPE": sent, "QUERY_STRING": "x=\u00c3\u00a4"}
    setup_testing_defaults(environ)
    assert application.request_class is Utf8Request
    assert Utf8Request(environ).GET["x"] == "\u00e4"
    assert environ["CONTENT_TYPE"] == read
