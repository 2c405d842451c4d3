"""Staff calls about the mails that the product sends."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.views import StaffView
from adminpanel.system.email_preview_serializers import EmailPreviewSerializer, EmailsSerializer, present_email
from emailcheck.common.api.serializers import with_errors
from emailcheck.common.errors import NotFound
from emailcheck.common.outbound import mail


class Emails(StaffView):
    """Every mail that the product sends."""

    @extend_schema(operation_id="admin_emails", responses=with_errors(EmailsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response({"emails": [present_email(kind) for kind in mail.list_kinds()]})


class EmailPreview(StaffView):
    """A mail with sample values."""

    @extend_schema(
        operation_id="admin_email_preview",
        parameters=[OpenApiParameter("format", str, enum=["html", "text"])],
        responses=with_errors(EmailPreviewSerializer, 404, 401, 403),
    )
    def get(self, request: Request, name: str) -> Response:
        written = mail.render_example(name)
        if written is None:
            raise NotFound("E-mail not found")
        return Response({"subject": written.subject, "html": written.html, "text": written.text})
