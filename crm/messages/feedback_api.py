"""Calls about feedback, of visitors and of staff."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.permissions import MayCall
from accounts.access.views import StaffView
from accounts.users.models import User
from crm.messages import feedback
from crm.messages.serializers import (
    DocsFeedbackSerializer,
    FeedbackListSerializer,
    FeedbackQuerySerializer,
    FeedbackSendSerializer,
)
from emailcheck.common.api import pagination
from emailcheck.common.api.serializers import MessageSerializer, validate_query, validate_shape, with_errors

PAGE_ROWS = 50
_ANSWERS = with_errors(MessageSerializer, 400, 429)
_WITH_OR_WITHOUT_SIGN_IN: list[Any] = [{"bearer": []}, {}]


class AllowVisitors(MayCall):
    """Visitors too; whoever is signed in as themselves, and no key."""

    def has_permission(self, request: Request, view: Any) -> bool:
        return request.auth is None or super().has_permission(request, view)


class FeedbackSend(APIView):
    """Rate a finished list or a page, once; with a token the rating belongs to the account."""

    right = None
    permission_classes = (AllowVisitors,)

    @extend_schema(
        operation_id="feedback_send",
        request=FeedbackSendSerializer,
        responses=with_errors(_ANSWERS, 401, 403),
        auth=_WITH_OR_WITHOUT_SIGN_IN,
    )
    def post(self, request: Request) -> Response:
        limits.count_guarded()
        feedback.record_feedback(**_identify_sender(request), **validate_shape(FeedbackSendSerializer, request.data))
        return Response({"message": feedback.THANKS})


class DocsFeedback(APIView):
    """Say whether a section of the documentation was helpful."""

    right = None
    permission_classes = (AllowVisitors,)

    @extend_schema(
        operation_id="docs_feedback",
        request=DocsFeedbackSerializer,
        responses=with_errors(_ANSWERS, 401, 403),
        auth=_WITH_OR_WITHOUT_SIGN_IN,
    )
    def post(self, request: Request) -> Response:
        limits.count_guarded()
        sent = validate_shape(DocsFeedbackSerializer, request.data)
        rating = feedback.UP if sent["helpful"] else feedback.DOWN
        feedback.record_feedback(**_identify_sender(request), context=f"docs/{sent['section']}", rating=rating)
        return Response({"message": feedback.THANKS})


class FeedbackList(StaffView):
    """What people thought, newest first."""

    @extend_schema(
        operation_id="admin_feedback",
        parameters=[FeedbackQuerySerializer],
        responses=with_errors(FeedbackListSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(FeedbackQuerySerializer, request.query_params)
        found = feedback.list_feedback(query["context"])
        rows, after = pagination.page_newest(found, size=PAGE_ROWS, cursor=query["cursor"])
        mean = feedback.average_rating(found)
        answer = {"feedback": rows, "mean": mean.score, "count": mean.ratings, "next": after}
        return Response(FeedbackListSerializer(answer).data)


def _identify_sender(request: Request) -> dict[str, Any]:
    user = request.user if isinstance(request.user, User) else None
    return {"user": user, "device": request.headers.get("User-Agent", "")}
