"""What allauth asks of us."""

from typing import Any

import requests
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings

from emailcheck.common import sealing

_TIMEOUT_S = 10


class SecondFactor(DefaultMFAAdapter):
    """Secrets are sealed; authenticator apps show the name of the site."""

    def encrypt(self, text: str) -> str:
        return sealing.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        return sealing.unseal(encrypted_text)

    def get_totp_issuer(self) -> str:
        return str(settings.SITE_NAME)


class _Direct(requests.Session):
    """Neither proxies of the environment nor redirects, and an answer in time."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False
        self.max_redirects = 0

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        return super().send(request, **{**options, "timeout": _TIMEOUT_S})


class Outbound(DefaultSocialAccountAdapter):
    """Asks the provider at its own address and at no other."""

    def get_requests_session(self) -> requests.Session:
        return _Direct()
