"""Shapes of the authentication calls."""

from typing import Any

from rest_framework import serializers

from accounts.access.models import SignIn
from accounts.keys.serializers import UsedKeySerializer
from accounts.users.serializers import AccountSerializer
from emailcheck.common.api.serializers import ErrorSerializer, MessageSerializer, Shape


class LoginSerializer(serializers.Serializer[dict[str, str]]):
    email = serializers.CharField(max_length=254)
    password = serializers.CharField(max_length=1024, trim_whitespace=False)


class RegisterSerializer(serializers.Serializer[dict[str, str]]):
    email = serializers.EmailField(max_length=254)
    password = serializers.CharField(max_length=1024, trim_whitespace=False)
    name = serializers.CharField(max_length=150)
    company_name = serializers.CharField(max_length=150, required=False, allow_blank=True, default="")
    referral_code = serializers.CharField(max_length=40, required=False, allow_blank=True, default="")


class MailboxSerializer(serializers.Serializer[dict[str, str]]):
    email = serializers.EmailField(max_length=254)


class ResetSerializer(Shape):
    token = serializers.CharField(max_length=200)
    password = serializers.CharField(max_length=1024, trim_whitespace=False)
    revoke_keys = serializers.BooleanField(default=False, help_text="end all API keys of the account too")
    switch_webhooks_off = serializers.BooleanField(default=False, help_text="send no more news to its webhooks")


class CodeSerializer(serializers.Serializer[dict[str, str]]):
    code = serializers.RegexField(r"^[0-9 -]{1,20}$", help_text="of the authenticator app, or a recovery code")


class MfaVerifySerializer(CodeSerializer):
    mfa_token = serializers.CharField(max_length=200)


class ReauthenticateSerializer(serializers.Serializer[dict[str, str]]):
    """A password or a code of the authenticator app."""

    password = serializers.CharField(max_length=1024, trim_whitespace=False, required=False)
    code = serializers.RegexField(r"^[0-9 -]{1,20}$", required=False)

    def validate(self, attrs: dict[str, str]) -> dict[str, str]:
        if len(attrs) != 1:
            raise serializers.ValidationError("Send a password or a code.")
        return attrs


class TokenSerializer(Shape):
    token = serializers.CharField()
    expires_in = serializers.IntegerField(help_text="seconds")


class LoginAnswerSerializer(TokenSerializer):
    user = AccountSerializer()


class RegisteredSerializer(Shape):
    """`user`, `token` and `expires_in` only where addresses need not be verified."""

    requires_verification = serializers.BooleanField()
    message = serializers.CharField()
    user = AccountSerializer(required=False)
    token = serializers.CharField(required=False)
    expires_in = serializers.IntegerField(required=False, help_text="seconds")


class VerifiedSerializer(MessageSerializer):
    """`user`, `token` and `expires_in` only in the browser that the address was registered in."""

    already_verified = serializers.BooleanField()
    user = AccountSerializer(required=False)
    token = serializers.CharField(required=False)
    expires_in = serializers.IntegerField(required=False, help_text="seconds")


class ResetLinkSerializer(Shape):
    valid = serializers.BooleanField()
    api_keys = serializers.IntegerField(help_text="how many API keys of the account work")
    webhooks = serializers.IntegerField(help_text="how many webhooks of the account are on")


class SignInErrorSerializer(ErrorSerializer):
    """The one error body; with `MFA_REQUIRED` also what the second step takes, with `PASSWORD_CHANGE_REQUIRED` what
    sets another password, after too many wrong ones where to reset it, with `GOOGLE_UNPROVEN` the address."""

    mfa_token = serializers.CharField(required=False)
    reset_token = serializers.CharField(required=False)
    reset_link = serializers.CharField(required=False)
    email = serializers.CharField(required=False)


SIGN_IN_ANSWERS: dict[int, Any] = {
    200: LoginAnswerSerializer,
    400: ErrorSerializer,
    **dict.fromkeys((401, 403, 429), SignInErrorSerializer),
}
"""What signing in answers, for the description of its calls."""


class GoogleSessionSerializer(Shape):
    id = serializers.IntegerField()
    email = serializers.EmailField()
    name = serializers.CharField()
    picture = serializers.CharField(allow_null=True)
    session_token = serializers.CharField()


class PasswordSerializer(serializers.Serializer[dict[str, str]]):
    password = serializers.CharField(max_length=1024, trim_whitespace=False)


class ConfirmedSerializer(Shape):
    valid_until = serializers.DateTimeField()


class MfaStateSerializer(serializers.Serializer[Any]):
    totp = serializers.BooleanField()
    recovery_codes_left = serializers.IntegerField()

    def get_fields(self) -> dict[str, Any]:
        """With `required`, which as an attribute would be the serializer's own."""
        return {**super().get_fields(), "required": serializers.BooleanField(help_text="a setting asks staff for it")}


class MfaSetupSerializer(serializers.Serializer[Any]):
    secret = serializers.CharField()
    otpauth_url = serializers.CharField()
    qr_svg = serializers.CharField()


class RecoveryCodesSerializer(Shape):
    recovery_codes = serializers.ListField(child=serializers.CharField(), help_text="shown once")


class SessionSerializer(Shape):
    id = serializers.CharField()
    device = serializers.CharField(help_text="such as `Chrome on Linux`")
    ip = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()
    last_used_at = serializers.DateTimeField()
    current = serializers.BooleanField()


class SessionsSerializer(Shape):
    sessions = SessionSerializer(many=True)


class EndedSerializer(MessageSerializer):
    ended_count = serializers.IntegerField()


def present_session(sign_in: SignIn, *, current: SignIn) -> dict[str, Any]:
    """A sign-in as the API answers it."""
    return {
        "id": str(sign_in.pk),
        "device": sign_in.device,
        "ip": sign_in.ip,
        "created_at": sign_in.created_at,
        "last_used_at": sign_in.used_at,
        "current": sign_in.pk == current.pk,
    }


class CallerSerializer(AccountSerializer):
    """Whose account a call acts for, and with which key."""

    key = UsedKeySerializer(required=False, help_text="Of calls with an API key alone.")
