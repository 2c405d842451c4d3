"""Staff calls that show addresses of customers' lists."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.permissions import RecentlyConfirmed
from accounts.access.views import StaffView
from accounts.users import directory
from adminpanel.customers.list_addresses import serializers as shapes
from adminpanel.customers.list_addresses import services as list_addresses
from emailcheck.common.api.serializers import validate_shape, with_errors

_UNSTORED = {"Cache-Control": "no-store"}


class ListAddresses(StaffView):
    """The addresses of a customer's list; the customer reads who looked and why."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_list_addresses",
        request=shapes.ListAddressesQuestionSerializer,
        responses=with_errors(shapes.ListAddressesSerializer, 400, 401, 403, 404),
    )
    def post(self, request: Request, user_id: int, batch_id: str) -> Response:
        question = validate_shape(shapes.ListAddressesQuestionSerializer, request.data)
        user, by = directory.load_account(user_id), caller(request)
        page = list_addresses.show_list_addresses(user=user, batch_id=batch_id, by=by, **question)
        return Response(shapes.ListAddressesSerializer(page).data, headers=_UNSTORED)


class FindAddress(StaffView):
    """Where one address is in the lists and single checks of a customer, who reads that somebody searched and why."""

    permission_classes = (RecentlyConfirmed,)

    @extend_schema(
        operation_id="admin_find_address",
        request=shapes.AddressQuestionSerializer,
        responses=with_errors(shapes.FoundAddressesSerializer, 400, 401, 403, 404),
    )
    def post(self, request: Request, user_id: int) -> Response:
        question = validate_shape(shapes.AddressQuestionSerializer, request.data)
        found = list_addresses.find_address(user=directory.load_account(user_id), by=caller(request), **question)
        return Response(shapes.FoundAddressesSerializer({"found": found}).data, headers=_UNSTORED)
