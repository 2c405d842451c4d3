"""What allauth asks of us."""

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from emailcheck.common import sealing


class SecondFactor(DefaultMFAAdapter):
    """Secrets are sealed; authenticator apps show the name of the site."""

    def encrypt(self, text: str) -> str:
        return sealing.seal_text(text)

    def decrypt(self, encrypted_text: str) -> str:
        return sealing.unseal_text(encrypted_text)

    def get_totp_issuer(self) -> str:
        return str(settings.SITE_NAME)
