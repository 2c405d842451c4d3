"""The staff's calls about deals and contracts."""

from typing import Any

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import actors
from accounts.auth import caller
from accounts.permissions import StaffView
from crm import contracts, deals, lookups, presentation
from crm import serializers as shapes
from crm.models import Contract, Deal, Stage
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE: dict[int, Any] = {400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS}
_MAKING: dict[int, Any] = {409: ErrorSerializer, **_OF_ONE}


def _one_deal(found: Deal) -> Response:
    return Response(shapes.OneDealSerializer({"deal": presentation.deal(found)}).data)


def _one_contract(found: Contract, status: int = 200) -> Response:
    told = presentation.contract(found, timezone.now().date())
    return Response(shapes.OneContractSerializer({"contract": told}).data, status=status)


class Deals(StaffView):
    """The deals of the board, stage by stage in their order, with the sums of each stage."""

    @extend_schema(
        operation_id="admin_deals",
        parameters=[shapes.BoardQuerySerializer],
        responses={200: shapes.DealsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        found = lookups.board(**checked(shapes.BoardQuerySerializer, request.query_params))
        answer = {"deals": map(presentation.deal, found.deals), "stages": found.stages}
        return Response(shapes.DealsSerializer(answer).data)

    @extend_schema(
        operation_id="admin_deal_create",
        request=shapes.NewDealSerializer,
        responses={201: shapes.DealMadeSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        terms = deals.Terms(**checked(shapes.NewDealSerializer, request.data))
        made = deals.create(staff=caller(request), terms=terms)
        answer = {"success": True, "message": "Deal created successfully!", "deal": presentation.deal(made)}
        return Response(shapes.DealMadeSerializer(answer).data, status=201)


class DealDetail(StaffView):
    """A deal with its history."""

    @extend_schema(operation_id="admin_deal_detail", responses={200: shapes.DealDetailSerializer, **_OF_ONE})
    def get(self, request: Request, deal_id: int) -> Response:
        found = deals.load(deal_id)
        events = list(found.events.order_by("-pk"))
        contract = getattr(found, "contract", None)
        answer = {
            "deal": presentation.deal(found),
            "history": list(map(presentation.event, events, actors.of_each(events))),
            "quotes": found.quotes.order_by("-pk"),
            "contract_id": contract.pk if contract else None,
        }
        return Response(shapes.DealDetailSerializer(answer).data)

    @extend_schema(
        operation_id="admin_deal_update",
        request=shapes.DealChangesSerializer,
        responses={200: shapes.OneDealSerializer, **_OF_ONE},
    )
    def put(self, request: Request, deal_id: int) -> Response:
        changes = checked(shapes.DealChangesSerializer, request.data)
        return _one_deal(deals.edit(staff=caller(request), deal_id=deal_id, changes=changes))

    @extend_schema(operation_id="admin_deal_delete", responses={200: shapes.DeletedSerializer, **_MAKING})
    def delete(self, request: Request, deal_id: int) -> Response:
        deals.delete(staff=caller(request), deal_id=deal_id)
        return Response({"success": True, "message": "Deal deleted"})


class DealMove(StaffView):
    """Put a deal into a stage; won, it has a contract."""

    @extend_schema(
        operation_id="admin_deal_move",
        request=shapes.MoveSerializer,
        responses={200: shapes.OneDealSerializer, **_OF_ONE},
    )
    def post(self, request: Request, deal_id: int) -> Response:
        wanted = checked(shapes.MoveSerializer, request.data)
        stage = Stage(wanted["stage"])
        found = deals.move(staff=caller(request), deal_id=deal_id, stage=stage, position=wanted["position"])
        return _one_deal(found)


class DealNotes(StaffView):
    """Write something down about a deal."""

    @extend_schema(
        operation_id="admin_deal_note",
        request=shapes.NoteSerializer,
        responses={201: shapes.NotedSerializer, **_OF_ONE},
    )
    def post(self, request: Request, deal_id: int) -> Response:
        staff = caller(request)
        made = deals.add_note(staff=staff, deal_id=deal_id, text=checked(shapes.NoteSerializer, request.data)["text"])
        told = {"note": presentation.event(made, *actors.of_each([made]))}
        return Response(shapes.NotedSerializer(told).data, status=201)


class DealContact(StaffView):
    """Note that the customer of a deal was written to."""

    @extend_schema(
        operation_id="admin_deal_contact", request=None, responses={200: shapes.ContactedSerializer, **_OF_ONE}
    )
    def post(self, request: Request, deal_id: int) -> Response:
        found = deals.contacted(staff=caller(request), deal_id=deal_id)
        told = {"deal": {"id": found.pk, "lastContact": found.last_contact_at}}
        return Response(shapes.ContactedSerializer(told).data)


class Contracts(StaffView):
    """Contracts by page; unless asked otherwise, those that end first come first."""

    @extend_schema(
        operation_id="admin_contracts",
        parameters=[shapes.ContractQuerySerializer],
        responses={200: shapes.ContractsSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        found = lookups.find_contracts(**checked(shapes.ContractQuerySerializer, request.query_params))
        today = timezone.now().date()
        told = [presentation.contract(one, today) for one in found.contracts]
        answer = {"contracts": told, "total": found.total, "next": found.next, "counts": found.counts}
        return Response(shapes.ContractsSerializer(answer).data)

    @extend_schema(
        operation_id="admin_contract_create",
        request=shapes.NewContractSerializer,
        responses={201: shapes.OneContractSerializer, **_MAKING},
    )
    def post(self, request: Request) -> Response:
        wanted = checked(shapes.NewContractSerializer, request.data)
        deal_id = wanted.pop("deal_id")
        made = contracts.create(staff=caller(request), terms=contracts.Terms(**wanted), deal_id=deal_id)
        return _one_contract(made, 201)


class ContractDetail(StaffView):
    """A contract: looked at, edited, cancelled or deleted."""

    @extend_schema(operation_id="admin_contract_detail", responses={200: shapes.OneContractSerializer, **_OF_ONE})
    def get(self, request: Request, contract_id: int) -> Response:
        return _one_contract(contracts.load(contract_id))

    @extend_schema(
        operation_id="admin_contract_update",
        request=shapes.ContractChangesSerializer,
        responses={200: shapes.OneContractSerializer, **_OF_ONE},
    )
    def put(self, request: Request, contract_id: int) -> Response:
        changes = checked(shapes.ContractChangesSerializer, request.data)
        return _one_contract(contracts.edit(staff=caller(request), contract_id=contract_id, changes=changes))

    @extend_schema(operation_id="admin_contract_delete", responses={200: shapes.DeletedSerializer, **_OF_ONE})
    def delete(self, request: Request, contract_id: int) -> Response:
        contracts.delete(staff=caller(request), contract_id=contract_id)
        return Response({"success": True, "message": "Contract deleted"})
