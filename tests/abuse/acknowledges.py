"""A process that answers calls and says so, until it kills itself: what `test_power_cut` traces."""

import os
import signal

from django.conf import settings
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from accounts.tests.mailed import find_mailed_token, post_auth, read_mails
from conftest import client_with
from tests import checkout
from tests.abuse.power_cut import SAYS
from tests.paypal import Buyer

ADDRESS, PASSWORD = "carol@cedar.org", "fresh-horse-2026"
LIST = "".join(f"person{number}@harborquill.com\n" for number in range(40)).encode()


def main(paypal: str) -> None:
    """Open an account, hand in a list and buy a pack at this address of the simulated PayPal."""
    settings.PAYPAL_API_BASE, settings.PAYPAL_WEB_BASE = paypal, f"{paypal}/sandbox/paypal"
    settings.EMAIL_BACKEND, mail.outbox = "django.core.mail.backends.locmem.EmailBackend", []
    settings.ALLOWED_HOSTS, settings.SITE_URL = ["*"], "http://127.0.0.1:8000"
    api = _open_account()
    _say("account")
    file = SimpleUploadedFile("list.csv", LIST)
    answer = api.post("/api/validate/upload", {"file": file}, format="multipart")
    assert answer.status_code == 200, answer.json()
    _say("list")
    with Buyer(paypal) as buyer:
        checkout.buy_pack(api, buyer)
    _say("purchase")
    os.kill(os.getpid(), signal.SIGKILL)


def _open_account() -> APIClient:
    client = APIClient()
    assert post_auth(client, "register", email=ADDRESS, password=PASSWORD, name="Carol").status_code < 300
    read_mails()
    token = find_mailed_token("verify-email")
    assert client.get("/api/auth/verify-email", {"token": token}).status_code == 200
    return client_with(post_auth(client, "login", email=ADDRESS, password=PASSWORD).json()["token"])


def _say(word: str) -> None:
    os.write(1, SAYS + f"{word}\n".encode())
