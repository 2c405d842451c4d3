"""Calls about an address without a sign-in, and what its mailed links open."""

from django.conf import settings
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import limits
from accounts.access.models import ApiKey
from accounts.access.views import Guarded
from accounts.signin import mailbox_requests, registrations
from accounts.signin import services as signin
from accounts.signin.serializers import (
    MailboxSerializer,
    RegisteredSerializer,
    RegisterSerializer,
    ResetLinkSerializer,
    ResetSerializer,
    VerifiedSerializer,
)
from accounts.signin.session_cookies import (
    REGISTERING_COOKIE,
    REGISTERING_PATH,
    build_sign_in_response,
    set_registering_cookie,
)
from emailcheck.common import registry
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors
from emailcheck.common.errors import BadInput


class Register(Guarded):
    """Have an account made. Known and unknown addresses get one answer; the owner of the mailbox gets a mail."""

    @extend_schema(
        operation_id="auth_register",
        request=RegisterSerializer,
        responses=with_errors(RegisteredSerializer, 400, 429),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        fields = validate_shape(RegisterSerializer, request.data)
        fields["company"] = fields.pop("company_name")
        limits.count_mail_request(email=fields["email"])
        if not settings.REQUIRE_EMAIL_VERIFICATION and not signin.is_address_taken(fields["email"]):
            user = signin.register_account(**fields)
            answer = build_sign_in_response(request, user)
            answer.data |= {"requires_verification": False, "message": "Your account is ready."}
            return answer
        answer = Response({"requires_verification": True, "message": "Check your email to confirm your address."})
        mailbox_requests.request_registration(**fields, browser=set_registering_cookie(answer))
        return answer


class VerifyEmail(Guarded):
    """Open a confirmation link. It signs in the browser that the address was registered in."""

    @extend_schema(
        operation_id="auth_verify_email",
        parameters=[OpenApiParameter("token", str, required=True)],
        responses=with_errors(VerifiedSerializer, 400, 429),
        auth=[],
    )
    def get(self, request: Request) -> Response:
        token = request.query_params.get("token", "")
        if not token:
            detail = "Invalid verification link. Please check your email for the correct link."
            raise BadInput(detail, code="INVALID_TOKEN", field="token")
        confirmed = registrations.confirm_address(token=token)
        if confirmed.signs_in(request.COOKIES.get(REGISTERING_COOKIE, "")):
            answer = build_sign_in_response(request, confirmed.user)
            answer.data |= {"already_verified": False, "message": "Your email is verified, and you are signed in."}
            answer.delete_cookie(REGISTERING_COOKIE, path=REGISTERING_PATH, samesite="Strict")
            return answer
        before = confirmed.before
        message = "Your email is already verified." if before else "Your email is verified. You can sign in now."
        return Response({"already_verified": before, "message": message})


class ResendVerification(Guarded):
    """Have a new confirmation link mailed. The address is a query parameter or in the body."""

    @extend_schema(
        operation_id="auth_resend_verification",
        parameters=[OpenApiParameter("email", str, required=False)],
        request=MailboxSerializer,
        responses=with_errors(MessageSerializer, 400, 429),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        email = _request_for_mailbox(request)
        limits.count_mail_request(email=email)
        mailbox_requests.request_verification(email=email)
        return Response({"message": "Verification email sent! Please check your inbox."})


class ForgotPassword(Guarded):
    """Have a link mailed that sets a new password."""

    @extend_schema(
        operation_id="auth_forgot_password",
        request=MailboxSerializer,
        responses=with_errors(MessageSerializer, 400, 429),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(MailboxSerializer, request.data)
        limits.count_mail_request(**values)
        mailbox_requests.request_reset(**values)
        return Response({"message": "Password reset link sent to your email!"})


class VerifyResetToken(Guarded):
    """Whether a reset link still works, and what programs get in by, which it may end too."""

    @extend_schema(
        operation_id="auth_verify_reset_token", responses=with_errors(ResetLinkSerializer, 400, 429), auth=[]
    )
    def get(self, request: Request, token: str) -> Response:
        user = signin.check_reset_token(token=token)
        live = ApiKey.objects.for_org(user.own_organisation).live().count()
        return Response(
            {"valid": True, "api_keys": live, "webhooks": len(registry.above.list_webhook_hosts(user.own_organisation))}
        )


class ResetPassword(Guarded):
    """Set a new password by a mailed link. Ends every session, and on request all API keys and webhooks."""

    @extend_schema(
        operation_id="auth_reset_password",
        request=ResetSerializer,
        responses=with_errors(MessageSerializer, 400, 403, 429),
        auth=[],
    )
    def post(self, request: Request) -> Response:
        signin.reset_password(**validate_shape(ResetSerializer, request.data))
        return Response({"message": "Password reset successful!"})


def _request_for_mailbox(request: Request) -> str:
    given = request.query_params.get("email") or (request.data.get("email") if isinstance(request.data, dict) else None)
    if not given:
        raise BadInput("Please enter your email address.", field="email")
    return str(validate_shape(MailboxSerializer, {"email": given})["email"])
