"""Calls about feedback, and the staff's about the claims of the public pages."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts import limits
from accounts.auth import MayCall, caller
from accounts.models import User
from accounts.permissions import StaffView
from accounts.serializers import MessageSerializer
from crm import claims, feedback
from crm import feedback_serializers as shapes
from emailcheck.common import paging
from emailcheck.common.api import ErrorSerializer, checked

PAGE_ROWS = 50
_ANSWERS: dict[int, Any] = {200: MessageSerializer, 400: ErrorSerializer, 429: ErrorSerializer}
_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_WITH_OR_WITHOUT_SIGN_IN: list[Any] = [{"bearer": []}, {}]


class Anybody(MayCall):
    """Visitors too; whoever is signed in as themselves, and no key."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return not isinstance(request.user, User) or super().has_permission(request, view)


class FeedbackSend(APIView):
    """Rate a finished list or a page, once; with a token the rating belongs to the account."""

    permission_classes = (Anybody,)

    @extend_schema(
        operation_id="feedback_send",
        request=shapes.FeedbackSendSerializer,
        responses={**_ANSWERS, **_ERRORS},
        auth=_WITH_OR_WITHOUT_SIGN_IN,
    )
    def post(self, request: Request) -> Response:
        limits.count_guarded()
        feedback.give(**_who(request), **checked(shapes.FeedbackSendSerializer, request.data))
        return Response({"message": feedback.THANKS})


class DocsFeedback(APIView):
    """Say whether a section of the documentation was helpful."""

    permission_classes = (Anybody,)

    @extend_schema(
        operation_id="docs_feedback",
        request=shapes.DocsFeedbackSerializer,
        responses={**_ANSWERS, **_ERRORS},
        auth=_WITH_OR_WITHOUT_SIGN_IN,
    )
    def post(self, request: Request) -> Response:
        limits.count_guarded()
        sent = checked(shapes.DocsFeedbackSerializer, request.data)
        rating = feedback.UP if sent["helpful"] else feedback.DOWN
        feedback.give(**_who(request), context=f"docs/{sent['section']}", rating=rating)
        return Response({"message": feedback.THANKS})


class FeedbackList(StaffView):
    """What people thought, newest first."""

    @extend_schema(
        operation_id="admin_feedback",
        parameters=[shapes.FeedbackQuerySerializer],
        responses={200: shapes.FeedbackListSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.FeedbackQuerySerializer, request.query_params)
        found = feedback.about(query["context"])
        rows, after = paging.newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        mean = feedback.mean(found)
        answer = {"feedback": rows, "mean": mean.score, "count": mean.ratings, "next": after}
        return Response(shapes.FeedbackListSerializer(answer).data)


class Claims(StaffView):
    """What the public pages claim."""

    @extend_schema(operation_id="admin_claims", responses={200: shapes.ClaimsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.ClaimsSerializer({"claims": claims.everything()}).data)

    @extend_schema(
        operation_id="admin_claims_update",
        request=shapes.ClaimChangesSerializer,
        responses={200: shapes.ClaimsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def put(self, request: Request) -> Response:
        wanted = checked(shapes.ClaimChangesSerializer, request.data)["claims"]
        return Response(shapes.ClaimsSerializer({"claims": claims.change(staff=caller(request), claims=wanted)}).data)


def _who(request: Request) -> dict[str, Any]:
    user = request.user if isinstance(request.user, User) else None
    return {"user": user, "device": request.headers.get("User-Agent", "")}
