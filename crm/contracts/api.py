"""The staff calls about contracts."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from crm import serializers as shapes
from crm.contracts import services as contracts
from crm.contracts.models import Contract
from crm.contracts.search import search_contracts
from crm.contracts.serializers import (
    ContractChangesSerializer,
    ContractQuerySerializer,
    ContractsSerializer,
    NewContractSerializer,
    OneContractSerializer,
    present_contract,
)
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors


def _contract_response(found: Contract, status: int = 200) -> Response:
    contract = present_contract(found, timezone.now().date())
    return Response(OneContractSerializer({"contract": contract}).data, status=status)


class Contracts(StaffView):
    """Contracts by page; unless asked otherwise, those that end first come first."""

    @extend_schema(
        operation_id="admin_contracts",
        parameters=[ContractQuerySerializer],
        responses=with_errors(ContractsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        found = search_contracts(**validate_query(ContractQuerySerializer, request.query_params))
        today = timezone.now().date()
        rows = [present_contract(one, today) for one in found.contracts]
        answer = {"contracts": rows, "total": found.total, "next": found.next, "counts": found.counts}
        return Response(ContractsSerializer(answer).data)

    @extend_schema(
        operation_id="admin_contract_create",
        request=NewContractSerializer,
        responses=with_errors({201: OneContractSerializer}, 409, 400, 404, 401, 403),
    )
    def post(self, request: Request) -> Response:
        values = validate_shape(NewContractSerializer, request.data)
        deal_id = values.pop("deal_id")
        made = contracts.create_contract(
            staff=caller(request), terms=contracts.ContractTerms(**values), deal_id=deal_id
        )
        return _contract_response(made, 201)


class ContractDetail(StaffView):
    """A contract: looked at, edited, cancelled or deleted."""

    @extend_schema(
        operation_id="admin_contract_detail", responses=with_errors(OneContractSerializer, 400, 404, 401, 403)
    )
    def get(self, request: Request, contract_id: int) -> Response:
        return _contract_response(contracts.load_contract(contract_id))

    @extend_schema(
        operation_id="admin_contract_update",
        request=ContractChangesSerializer,
        responses=with_errors(OneContractSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, contract_id: int) -> Response:
        changes = validate_shape(ContractChangesSerializer, request.data)
        return _contract_response(
            contracts.edit_contract(staff=caller(request), contract_id=contract_id, changes=changes)
        )

    @extend_schema(
        operation_id="admin_contract_delete", responses=with_errors(shapes.DeletedSerializer, 400, 404, 401, 403)
    )
    def delete(self, request: Request, contract_id: int) -> Response:
        contracts.delete_contract(staff=caller(request), contract_id=contract_id)
        return Response({"success": True, "message": "Contract deleted"})
