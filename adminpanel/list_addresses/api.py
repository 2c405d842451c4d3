"""Staff calls that show addresses of customers' lists."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import directory
from accounts.auth import caller
from accounts.permissions import RecentlyConfirmed, StaffView
from adminpanel.list_addresses import serializers as shapes
from adminpanel.list_addresses import services
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS = {400: ErrorSerializer, 401: ErrorSerializer, 403: ErrorSerializer, 404: ErrorSerializer}
_UNSTORED = {"Cache-Control": "no-store"}


class ListAddresses(StaffView):
    """The addresses of a customer's list; the customer reads who looked and why."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_list_addresses",
        request=shapes.ListAddressesQuestionSerializer,
        responses={200: shapes.ListAddressesSerializer, **_ERRORS},
    )
    def post(self, request: Request, user_id: int, batch_id: str) -> Response:
        question = checked(shapes.ListAddressesQuestionSerializer, request.data)
        user, by = directory.one(user_id), caller(request)
        page = services.show_list_addresses(user=user, batch_id=batch_id, by=by, **question)
        return Response(shapes.ListAddressesSerializer(page).data, headers=_UNSTORED)


class FindAddress(StaffView):
    """Where one address is in the lists and single checks of a customer, who reads that somebody searched and why."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_find_address",
        request=shapes.AddressQuestionSerializer,
        responses={200: shapes.FoundAddressesSerializer, **_ERRORS},
    )
    def post(self, request: Request, user_id: int) -> Response:
        question = checked(shapes.AddressQuestionSerializer, request.data)
        found = services.find_address(user=directory.one(user_id), by=caller(request), **question)
        return Response(shapes.FoundAddressesSerializer({"found": found}).data, headers=_UNSTORED)
