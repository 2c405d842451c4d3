"""Live mode refuses to start on what only a sandbox may use."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LIVE = {
    "EMAILCHECK_MODE": "live",
    "SECRET_KEY": "a-real-secret-of-sufficient-length-1234567890",
    "VERIFIER_HELO": "verify.example.net",
    "VERIFIER_MAIL_FROM": "probe@example.net",
    "PAYPAL_CLIENT_ID": "AeA1QIZXiflr1",
    "PAYPAL_CLIENT_SECRET": "EHv0XzqD1Y",
    "PAYPAL_WEBHOOK_ID": "0EH40505U7160970P",
    "PAYPAL_MERCHANT_ID": "7XKM2LEFT4R2S",
    "SELLER_NAME": "Alder Mail Checks GmbH",
    "SELLER_ADDRESS": "Hafenstr. 1, 20457 Hamburg",
}
PAYPAL = "import emailcheck.settings as s; print(s.PAYPAL_API_BASE, s.PAYPAL_WEB_BASE)"


ROUTES = "import emailcheck.settings as s; print(s.VERIFIER_ROUTES, s.VERIFIER_DNS)"


def start(
    tmp_path: Path, changes: dict[str, str], code: str = ROUTES, told: str = ""
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), **LIVE, **changes}
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env=environment, input=told, capture_output=True, text=True, check=False)


def test_live_mode_probes_directly_with_the_resolver_of_the_system(tmp_path: Path) -> None:
    assert start(tmp_path, {}).stdout == "('direct',) ()\n"


@pytest.mark.spec("PRC-034")
def test_live_mode_pays_at_paypal_itself_and_the_sandbox_at_its_own_page(tmp_path: Path) -> None:
    assert start(tmp_path, {}, PAYPAL).stdout == "https://api-m.paypal.com https://www.paypal.com\n"
    sandbox = start(tmp_path, {"EMAILCHECK_MODE": "sandbox", "EMAILCHECK_PORT": "8700"}, PAYPAL).stdout
    assert sandbox == "http://127.0.0.1:8880 http://127.0.0.1:8700/sandbox/paypal\n"


REFUSED: list[tuple[dict[str, str], str]] = [
    ({"SECRET_KEY": ""}, "SECRET_KEY"),
    ({"SECRET_KEY": "short"}, "SECRET_KEY"),
    ({"DEBUG": "1"}, "DEBUG"),
    ({"REQUIRE_EMAIL_VERIFICATION": "off"}, "REQUIRE_EMAIL_VERIFICATION"),
    ({"GOOGLE_BASE": "http://127.0.0.1:8180/sandbox/google"}, "GOOGLE_BASE"),
    ({"VERIFIER_HELO": ""}, "VERIFIER_HELO"),
    ({"SELLER_NAME": ""}, "SELLER_NAME"),
    ({"SELLER_ADDRESS": ""}, "SELLER_NAME and SELLER_ADDRESS"),
    ({"VERIFIER_ROUTES": "socks5://127.0.0.1:8125"}, "VERIFIER_ROUTES"),
    ({"VERIFIER_ROUTES": "direct,socks5://localhost:8125"}, "VERIFIER_ROUTES"),
    ({"TRUSTED_PROXIES": "our-proxy"}, "TRUSTED_PROXIES"),
    ({"PAYPAL_API_BASE": "http://127.0.0.1:8180"}, "PAYPAL_API_BASE"),
    ({"PAYPAL_API_BASE": "https://api-m.sandbox.paypal.com"}, "PAYPAL_API_BASE"),
    ({"PAYPAL_API_BASE": "http://api-m.paypal.com"}, "PAYPAL_API_BASE"),
    ({"PAYPAL_API_BASE": "https://api-m.paypal.com.example.net"}, "PAYPAL_API_BASE"),
    ({"PAYPAL_WEB_BASE": "https://www.sandbox.paypal.com"}, "PAYPAL_WEB_BASE"),
    ({"PAYPAL_WEB_BASE": "http://127.0.0.1:8000/sandbox/paypal"}, "PAYPAL_WEB_BASE"),
    ({"PAYPAL_CLIENT_ID": ""}, "PAYPAL_CLIENT_ID"),
    ({"PAYPAL_CLIENT_SECRET": "sandbox-secret"}, "PAYPAL_CLIENT_SECRET"),
    ({"PAYPAL_WEBHOOK_ID": ""}, "PAYPAL_WEBHOOK_ID"),
    ({"PAYPAL_MERCHANT_ID": ""}, "PAYPAL_MERCHANT_ID"),
]
# Reads the settings again and again, each time with other changes of the environment.
READ_EACH = """
import importlib, json, os, sys
live, said = dict(os.environ), []
for changes in json.load(sys.stdin):
    os.environ.clear()
    os.environ.update(live | changes)
    sys.modules.pop("emailcheck.settings", None)
    try:
        importlib.import_module("emailcheck.settings")
        said.append("")
    except Exception as error:
        said.append(f"{type(error).__name__}: {error}")
print(json.dumps(said))
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What the settings say to each change; nothing where they take it."""
    tried = json.dumps([{}, *(changes for changes, _ in REFUSED)])
    said: list[str] = json.loads(start(tmp_path_factory.mktemp("live"), {}, READ_EACH, tried).stdout)
    return said


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=[f"{changes}" for changes, _ in REFUSED])
def test_live_mode_refuses_what_belongs_to_the_sandbox(refusals: list[str], number: int) -> None:
    assert refusals[0] == ""
    assert refusals[1 + number].startswith(f"SettingError: {REFUSED[number][1]}")


def test_what_is_refused_ends_the_process(tmp_path: Path) -> None:
    ended = start(tmp_path, {"SECRET_KEY": ""})
    assert ended.returncode == 1
    assert "SettingError: SECRET_KEY" in ended.stderr


def test_mail_goes_by_any_service_that_anymail_knows(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(tmp_path), "MAIL_ESP": "postmark"}
    command = [sys.executable, "-c", "import emailcheck.settings as s; print(s.EMAIL_BACKEND, s.ANYMAIL)"]
    token = {"ANYMAIL_POSTMARK_SERVER_TOKEN": "abc"}
    ended = subprocess.run(command, env=environment | token, capture_output=True, text=True, check=False)
    assert ended.stdout == "anymail.backends.postmark.EmailBackend {'POSTMARK_SERVER_TOKEN': 'abc'}\n"


def test_an_unknown_mode_is_refused(tmp_path: Path) -> None:
    assert "must be one of sandbox, live" in start(tmp_path, {"EMAILCHECK_MODE": "test"}).stderr


def test_the_sandbox_boots_with_no_environment_at_all(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import emailcheck.settings as s; print(s.MODE, s.SITE_URL)"]
    ended = subprocess.run(command, env={}, capture_output=True, text=True, check=False)
    assert ended.stdout == "sandbox http://127.0.0.1:8000\n"


@pytest.mark.spec("SET-037")
@pytest.mark.parametrize(
    ("source", "hosts"),
    [("", []), ("https://chat.example.net/w/1.js?id=7", ["https://chat.example.net"])],
)
def test_only_the_host_of_a_chat_that_is_set_may_bring_scripts(tmp_path: Path, source: str, hosts: list[str]) -> None:
    code = "import emailcheck.settings as s; p = s.CONTENT_SECURITY_POLICY['DIRECTIVES']; print(p['script-src'][2:])"
    assert start(tmp_path, {"CHAT_WIDGET_SRC": source}, code).stdout == f"{hosts}\n"
