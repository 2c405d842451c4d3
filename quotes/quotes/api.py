"""The customer's calls about quotes."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import MessageSerializer, with_errors
from quotes.quotes import services as quotes
from quotes.quotes.search import list_offered_quotes
from quotes.quotes.serializers import QuoteSerializer, QuotesSerializer, present_quote


class MyQuotes(APIView):
    """The quotes for the account's address, newest first."""

    right = Right.PAY
    shown_in_views = True

    @extend_schema(operation_id="quotes_my", responses=with_errors(QuotesSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = list_offered_quotes(calling_organisation(request))
        return Response(QuotesSerializer({"quotes": map(present_quote, found)}).data)


class QuoteDetail(APIView):
    """A quote of the account."""

    right = Right.PAY

    @extend_schema(operation_id="quotes_detail", responses=with_errors(QuoteSerializer, 404, 401, 403))
    def get(self, request: Request, quote_id: str) -> Response:
        found = quotes.load_quote(organisation=calling_organisation(request), quote_id=quote_id)
        return Response(QuoteSerializer(present_quote(found)).data)


class Decline(APIView):
    """The customer does not want it."""

    right = Right.PAY

    @extend_schema(
        operation_id="quotes_decline", request=None, responses=with_errors(MessageSerializer, 400, 404, 401, 403)
    )
    def post(self, request: Request, quote_id: str) -> Response:
        quotes.decline_quote(organisation=calling_organisation(request), quote_id=quote_id)
        return Response({"message": "Quote declined"})
