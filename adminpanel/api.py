"""The calls of the staff dashboard."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import activity, actors
from accounts.permissions import StaffView
from adminpanel import serializers as shapes
from emailcheck.common import mail
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.errors import NotFound

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}


class Audit(StaffView):
    """What staff did, newest first."""

    @extend_schema(
        operation_id="admin_audit",
        parameters=[shapes.AuditQuerySerializer],
        responses={200: shapes.AuditSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.AuditQuerySerializer, request.query_params)
        lines, after = activity.of_staff(**query)
        entries = list(map(shapes.entry, lines, actors.of_each(lines)))
        return Response({"entries": entries, "next": after})


class Emails(StaffView):
    """Every mail that the product sends."""

    @extend_schema(operation_id="admin_emails", responses={200: shapes.EmailsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response({"emails": [shapes.email(kind) for kind in mail.kinds()]})


class EmailPreview(StaffView):
    """A mail with sample values."""

    @extend_schema(
        operation_id="admin_email_preview",
        parameters=[OpenApiParameter("format", str, enum=["html", "text"])],
        responses={200: shapes.EmailPreviewSerializer, 404: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request, name: str) -> Response:
        written = mail.example(name)
        if written is None:
            raise NotFound("E-mail not found")
        return Response({"subject": written.subject, "html": written.html, "text": written.text})


class Nothing(StaffView):
    """Whatever else begins like a staff call: only staff learn that there is nothing."""

    schema = None

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        super().initial(request, *args, **kwargs)
        raise NotFound("Not found.")
