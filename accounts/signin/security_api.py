"""Second factor and sessions of the signed-in account."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import caller
from accounts.access.models import SignIn
from accounts.access.permissions import MayCall, RecentlyConfirmed
from accounts.signin import second_factor
from accounts.signin.serializers import (
    CodeSerializer,
    EndedSerializer,
    MfaSetupSerializer,
    MfaStateSerializer,
    RecoveryCodesSerializer,
    SessionsSerializer,
    present_session,
)
from accounts.signin.session_cookies import clear_refresh_cookie
from accounts.signin.sessions import end_all_sign_ins, end_own_sign_in, list_shown_sign_ins
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class Mfa(APIView):
    """Whether the second factor is on."""

    right = None
    shown_in_views = True

    @extend_schema(operation_id="user_mfa_get", responses=with_errors(MfaStateSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(MfaStateSerializer(second_factor.load_state(user=caller(request))).data)


class Totp(APIView):
    """Authenticator app: set up, turn off."""

    right = None
    permission_classes = (MayCall, RecentlyConfirmed)

    @extend_schema(
        operation_id="user_mfa_totp_start", request=None, responses=with_errors(MfaSetupSerializer, 400, 401, 403)
    )
    def post(self, request: Request) -> Response:
        return Response(MfaSetupSerializer(second_factor.start_setup(user=caller(request))).data)

    @extend_schema(
        operation_id="user_mfa_totp_delete",
        request=CodeSerializer,
        responses=with_errors(MessageSerializer, 400, 401, 403, 429),
    )
    def delete(self, request: Request) -> Response:
        second_factor.turn_off(user=caller(request), code=_read_code(request))
        limits.reset_code_guesses(user_id=caller(request).pk)
        return Response({"message": "Two-factor sign-in is off"})


class ConfirmTotp(APIView):
    """Turn the second factor on with the first code of the app."""

    right = None
    permission_classes = (MayCall, RecentlyConfirmed)

    @extend_schema(
        operation_id="user_mfa_totp_confirm",
        request=CodeSerializer,
        responses=with_errors(RecoveryCodesSerializer, 400, 401, 403, 429),
    )
    def post(self, request: Request) -> Response:
        codes = second_factor.confirm_setup(user=caller(request), code=_read_code(request))
        limits.reset_code_guesses(user_id=caller(request).pk)
        return Response({"recovery_codes": codes})


class RecoveryCodes(APIView):
    """New recovery codes; the old ones end."""

    right = None
    permission_classes = (MayCall, RecentlyConfirmed)

    @extend_schema(
        operation_id="user_mfa_recovery_codes",
        request=CodeSerializer,
        responses=with_errors(RecoveryCodesSerializer, 400, 401, 403, 429),
    )
    def post(self, request: Request) -> Response:
        codes = second_factor.renew_recovery_codes(user=caller(request), code=_read_code(request))
        limits.reset_code_guesses(user_id=caller(request).pk)
        return Response({"recovery_codes": codes})


class Sessions(APIView):
    """The open sessions of the account: the one that asks, then those used last, a hundred at most."""

    right = None

    @extend_schema(operation_id="user_sessions_list", responses=with_errors(SessionsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        assert isinstance(request.auth, SignIn)
        found = list_shown_sign_ins(current=request.auth)
        return Response(
            SessionsSerializer({"sessions": [present_session(one, current=request.auth) for one in found]}).data
        )

    @extend_schema(
        operation_id="user_sessions_revoke_all", request=None, responses=with_errors(EndedSerializer, 401, 403)
    )
    def delete(self, request: Request) -> Response:
        ended = end_all_sign_ins(user=caller(request))
        return clear_refresh_cookie(Response({"message": "Signed out everywhere", "ended_count": ended}))


class Session(APIView):
    """One session."""

    right = None

    @extend_schema(
        operation_id="user_sessions_revoke", request=None, responses=with_errors(MessageSerializer, 401, 403, 404)
    )
    def delete(self, request: Request, session_id: str) -> Response:
        end_own_sign_in(user=caller(request), session_id=session_id)
        return Response({"message": "Signed out"})


def _read_code(request: Request) -> str:
    """The code of the call, counted as a try."""
    code = validate_shape(CodeSerializer, request.data)["code"]
    limits.count_code_guess(user_id=caller(request).pk)
    return str(code)
