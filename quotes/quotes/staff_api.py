"""The staff's calls about quotes."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors
from quotes import serializers as shapes
from quotes.listing import build_page_response
from quotes.quotes import reminders
from quotes.quotes import services as quotes
from quotes.quotes.search import search_quotes
from quotes.quotes.serializers import (
    CleanedSerializer,
    NewQuoteSerializer,
    PreviewQuerySerializer,
    PreviewSerializer,
    SendQuoteSerializer,
    StaffQuoteSerializer,
    StaffQuotesQuerySerializer,
    StaffQuotesSerializer,
    present_preview,
    present_staff_quote,
)


class Preview(StaffView):
    """What a quote would cost; nothing is made."""

    @extend_schema(
        operation_id="admin_quote_preview",
        request=PreviewQuerySerializer,
        responses=with_errors(PreviewSerializer, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        figures = quotes.compute_price(validate_shape(PreviewQuerySerializer, request.data)["credits_needed"])
        return Response(PreviewSerializer(present_preview(figures)).data)


class Generate(StaffView):
    """Make a quote."""

    @extend_schema(
        operation_id="admin_quote_generate",
        request=NewQuoteSerializer,
        responses=with_errors({201: StaffQuoteSerializer}, 400, 404, 401, 403),
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(NewQuoteSerializer, request.data)
        made = quotes.generate_quote(staff=caller(request), credits=values.pop("credits_needed"), **values)
        return Response(StaffQuoteSerializer(present_staff_quote(made)).data, status=201)


class Quotes(StaffView):
    """The quotes that are not archived, newest first or as asked for."""

    @extend_schema(
        operation_id="admin_quotes",
        parameters=[StaffQuotesQuerySerializer],
        responses=with_errors(StaffQuotesSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        page = search_quotes(**validate_query(StaffQuotesQuerySerializer, request.query_params))
        return build_page_response(StaffQuotesSerializer, "quotes", present_staff_quote, page)


class QuoteDetail(StaffView):
    """A quote as it is now."""

    @extend_schema(operation_id="admin_quote_detail", responses=with_errors(StaffQuoteSerializer, 404, 401, 403))
    def get(self, request: Request, quote_id: str) -> Response:
        found = quotes.load_quote(quote_id=quote_id)
        return Response(StaffQuoteSerializer(present_staff_quote(found)).data)


class Delete(StaffView):
    """Delete a quote that was never paid, and its plan request."""

    @extend_schema(
        operation_id="admin_quote_delete",
        request=None,
        responses=with_errors(shapes.SuccessSerializer, 400, 404, 401, 403),
    )
    def post(self, request: Request, quote_id: str) -> Response:
        quotes.delete_quote(staff=caller(request), quote_id=quote_id)
        return Response({"success": True, "message": "Quote deleted successfully!"})


class Archive(StaffView):
    """Take a paid quote out of the list."""

    @extend_schema(
        operation_id="admin_quote_archive",
        request=None,
        responses=with_errors(shapes.SuccessSerializer, 400, 404, 401, 403),
    )
    def post(self, request: Request, quote_id: str) -> Response:
        quotes.archive_quote(staff=caller(request), quote_id=quote_id)
        return Response({"success": True, "message": "Quote archived"})


class Cleanup(StaffView):
    """Send the reminders that are due and delete what expired unpaid."""

    @extend_schema(operation_id="admin_quote_cleanup", request=None, responses=with_errors(CleanedSerializer, 401, 403))
    def post(self, request: Request) -> Response:
        return Response(CleanedSerializer(reminders.sweep_quotes()).data)


class SendEmail(StaffView):
    """Mail a quote, as it is stored."""

    @extend_schema(
        operation_id="admin_quote_send_email",
        request=SendQuoteSerializer,
        responses=with_errors(shapes.SuccessSerializer, 502, 400, 404, 401, 403),
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(SendQuoteSerializer, request.data)
        recipient = values["recipient_email"].strip()
        quotes.mail_quote(
            staff=caller(request),
            quote_id=values["quote_data"]["quote_id"],
            recipient=recipient,
            message=values["message"],
        )
        return Response({"success": True, "message": f"Quote sent successfully to {recipient}"})
