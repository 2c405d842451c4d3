"""Second factor and sessions of the signed-in account."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import limits, mfa, services
from accounts.api import without_refresh
from accounts.auth import MayCall, caller
from accounts.models import SignIn
from accounts.permissions import RecentlyConfirmed
from accounts.serializers import (
    CodeSerializer,
    EndedSerializer,
    MessageSerializer,
    MfaSetupSerializer,
    MfaStateSerializer,
    RecoveryCodesSerializer,
    SessionsSerializer,
    session,
)
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}
_CODE_ERRORS = {400: ErrorSerializer, **_ERRORS, 429: ErrorSerializer}


class Mfa(APIView):
    """Whether the second factor is on."""

    shown_in_views = True

    @extend_schema(operation_id="user_mfa_get", responses={200: MfaStateSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(MfaStateSerializer(mfa.state(user=caller(request))).data)


class Totp(APIView):
    """Authenticator app: set up, turn off."""

    permission_classes = (MayCall, RecentlyConfirmed)

    @extend_schema(
        operation_id="user_mfa_totp_start",
        request=None,
        responses={200: MfaSetupSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        return Response(MfaSetupSerializer(mfa.start(user=caller(request))).data)

    @extend_schema(
        operation_id="user_mfa_totp_delete", request=CodeSerializer, responses={200: MessageSerializer, **_CODE_ERRORS}
    )
    def delete(self, request: Request) -> Response:
        mfa.turn_off(user=caller(request), code=_code(request))
        limits.knew_code(user_id=caller(request).pk)
        return Response({"message": "Two-factor sign-in is off"})


class ConfirmTotp(APIView):
    """Turn the second factor on with the first code of the app."""

    permission_classes = (MayCall, RecentlyConfirmed)

    @extend_schema(
        operation_id="user_mfa_totp_confirm",
        request=CodeSerializer,
        responses={200: RecoveryCodesSerializer, **_CODE_ERRORS},
    )
    def post(self, request: Request) -> Response:
        codes = mfa.confirm(user=caller(request), code=_code(request))
        limits.knew_code(user_id=caller(request).pk)
        return Response({"recovery_codes": codes})


class RecoveryCodes(APIView):
    """New recovery codes; the old ones end."""

    permission_classes = (MayCall, RecentlyConfirmed)

    @extend_schema(
        operation_id="user_mfa_recovery_codes",
        request=CodeSerializer,
        responses={200: RecoveryCodesSerializer, **_CODE_ERRORS},
    )
    def post(self, request: Request) -> Response:
        codes = mfa.renew_codes(user=caller(request), code=_code(request))
        limits.knew_code(user_id=caller(request).pk)
        return Response({"recovery_codes": codes})


class Sessions(APIView):
    """The open sessions of the account: the one that asks, then those used last, a hundred at most."""

    @extend_schema(operation_id="user_sessions_list", responses={200: SessionsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        found = services.shown_sign_ins(current=request.auth)
        return Response(SessionsSerializer({"sessions": [session(one, current=request.auth) for one in found]}).data)

    @extend_schema(operation_id="user_sessions_revoke_all", request=None, responses={200: EndedSerializer, **_ERRORS})
    def delete(self, request: Request) -> Response:
        ended = services.end_all_sign_ins(user=caller(request))
        return without_refresh(Response({"message": "Signed out everywhere", "ended_count": ended}))


class Session(APIView):
    """One session."""

    @extend_schema(
        operation_id="user_sessions_revoke",
        request=None,
        responses={200: MessageSerializer, **_ERRORS, 404: ErrorSerializer},
    )
    def delete(self, request: Request, session_id: str) -> Response:
        services.end_own_sign_in(user=caller(request), session_id=session_id)
        return Response({"message": "Signed out"})


def _code(request: Request) -> str:
    """The code of the call, counted as a try."""
    code = checked(CodeSerializer, request.data)["code"]
    limits.guess_code(user_id=caller(request).pk)
    return str(code)
