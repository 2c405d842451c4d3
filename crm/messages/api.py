"""Calls of visitors: a message to support, and the newsletter."""

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access import limits
from accounts.access.views import Guarded
from crm.messages import contact, newsletter
from crm.messages.serializers import NewsletterSerializer, NewsletterTokenSerializer, WrittenMessageSerializer
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors

_ANSWERS = with_errors(MessageSerializer, 400, 429)


class ContactSend(Guarded):
    """Write to support."""

    def count(self, request: Request) -> None:
        if request.method == "POST":
            limits.count_message()
        else:
            limits.count_public()

    @extend_schema(operation_id="contact_send", request=WrittenMessageSerializer, responses=_ANSWERS, auth=[])
    def post(self, request: Request) -> Response:
        contact.receive_message(**validate_shape(WrittenMessageSerializer, request.data))
        return Response({"message": contact.SENT})


class NewsletterSubscribe(Guarded):
    """Ask for the newsletter: a mail has the link that confirms it."""

    @extend_schema(operation_id="newsletter_subscribe", request=NewsletterSerializer, responses=_ANSWERS, auth=[])
    def post(self, request: Request) -> Response:
        newsletter.subscribe(email=validate_shape(NewsletterSerializer, request.data)["email"])
        return Response({"message": newsletter.CONFIRMATION_SENT})


class NewsletterConfirm(Guarded):
    """Agree to the newsletter, with the token of the mail."""

    @extend_schema(operation_id="newsletter_confirm", request=NewsletterTokenSerializer, responses=_ANSWERS, auth=[])
    def post(self, request: Request) -> Response:
        newsletter.confirm_subscription(token=validate_shape(NewsletterTokenSerializer, request.data)["token"])
        return Response({"message": newsletter.CONFIRMED})


class NewsletterUnsubscribe(Guarded):
    """End the newsletter with one click (RFC 8058)."""

    @extend_schema(
        operation_id="newsletter_unsubscribe",
        parameters=[OpenApiParameter("token", str, required=True)],
        request=None,
        responses=_ANSWERS,
        auth=[],
    )
    def post(self, request: Request) -> Response:
        newsletter.unsubscribe(token=request.query_params.get("token", ""))
        return Response({"message": newsletter.ENDED})
