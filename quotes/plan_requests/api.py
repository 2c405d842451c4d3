"""The customer's calls about requests and chosen plans."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import validate_shape, with_errors
from quotes.plan_requests import activation
from quotes.plan_requests.search import list_chosen_plans
from quotes.plan_requests.serializers import (
    MyRequestsSerializer,
    SelectedSerializer,
    SelectSerializer,
    present_own_plan_request,
)
from quotes.quotes.models import Period
from quotes.requests.serializers import present_own_request
from quotes.requests.services import list_own_requests


class MyRequests(APIView):
    """What the account asked for or chose, and is not a quote or an active plan yet; the newest 50 of each."""

    right = Right.PAY

    @extend_schema(operation_id="quotes_my_requests", responses=with_errors(MyRequestsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        organisation = calling_organisation(request)
        answer = {
            "requests": map(present_own_request, list_own_requests(organisation)),
            "plan_requests": map(present_own_plan_request, list_chosen_plans(organisation)),
        }
        return Response(MyRequestsSerializer(answer).data)


class CreatePaymentOrder(APIView):
    """Choose a plan of a quote and begin to pay it: the answer says where."""

    right = Right.PAY

    @extend_schema(
        operation_id="quotes_create_payment_order",
        request=SelectSerializer,
        responses=with_errors(SelectedSerializer, 400, 404, 409, 429, 502, 401, 403),
    )
    @idempotent
    def post(self, request: Request, quote_id: str) -> Response:
        values = validate_shape(SelectSerializer, request.data)
        begun = activation.choose_plan(
            organisation=calling_organisation(request),
            quote_id=quote_id,
            period=Period(values["plan"]),
            confirm_second=values["confirm_second"],
        )
        answer = {"order_id": begun.purchase.provider_id, "approval_url": begun.url}
        return Response(SelectedSerializer(answer).data)
