"""The staff calls about deals."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from accounts.activity import actors
from crm import serializers as shapes
from crm.deals import services as deals
from crm.deals.board import load_board
from crm.deals.models import Deal, Stage
from crm.deals.serializers import (
    BoardQuerySerializer,
    ContactedSerializer,
    DealChangesSerializer,
    DealDetailSerializer,
    DealMadeSerializer,
    DealsSerializer,
    MoveSerializer,
    NewDealSerializer,
    NotedSerializer,
    NoteSerializer,
    OneDealSerializer,
    present_deal,
    present_event,
)
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors


def _deal_response(found: Deal) -> Response:
    return Response(OneDealSerializer({"deal": present_deal(found)}).data)


class Deals(StaffView):
    """The deals of the board, stage by stage in their order, with the sums of each stage."""

    @extend_schema(
        operation_id="admin_deals",
        parameters=[BoardQuerySerializer],
        responses=with_errors(DealsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        found = load_board(**validate_query(BoardQuerySerializer, request.query_params))
        answer = {"deals": map(present_deal, found.deals), "stages": found.stages}
        return Response(DealsSerializer(answer).data)

    @extend_schema(
        operation_id="admin_deal_create",
        request=NewDealSerializer,
        responses=with_errors({201: DealMadeSerializer}, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        terms = deals.DealTerms(**validate_shape(NewDealSerializer, request.data))
        made = deals.create_deal(staff=caller(request), terms=terms)
        answer = {"success": True, "message": "Deal created successfully!", "deal": present_deal(made)}
        return Response(DealMadeSerializer(answer).data, status=201)


class DealDetail(StaffView):
    """A deal with its history."""

    @extend_schema(operation_id="admin_deal_detail", responses=with_errors(DealDetailSerializer, 400, 404, 401, 403))
    def get(self, request: Request, deal_id: int) -> Response:
        found = deals.load_deal(deal_id)
        events = list(found.events.order_by("-pk"))
        contract = getattr(found, "contract", None)
        answer = {
            "deal": present_deal(found),
            "history": list(map(present_event, events, actors.format_actors(events))),
            "quotes": found.quotes.order_by("-pk"),
            "contract_id": contract.pk if contract else None,
        }
        return Response(DealDetailSerializer(answer).data)

    @extend_schema(
        operation_id="admin_deal_update",
        request=DealChangesSerializer,
        responses=with_errors(OneDealSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, deal_id: int) -> Response:
        changes = validate_shape(DealChangesSerializer, request.data)
        return _deal_response(deals.edit_deal(staff=caller(request), deal_id=deal_id, changes=changes))

    @extend_schema(
        operation_id="admin_deal_delete", responses=with_errors(shapes.DeletedSerializer, 409, 400, 404, 401, 403)
    )
    def delete(self, request: Request, deal_id: int) -> Response:
        deals.delete_deal(staff=caller(request), deal_id=deal_id)
        return Response({"success": True, "message": "Deal deleted"})


class DealMove(StaffView):
    """Put a deal into a stage; won, it has a contract."""

    @extend_schema(
        operation_id="admin_deal_move",
        request=MoveSerializer,
        responses=with_errors(OneDealSerializer, 400, 404, 401, 403),
    )
    def post(self, request: Request, deal_id: int) -> Response:
        values = validate_shape(MoveSerializer, request.data)
        stage = Stage(values["stage"])
        found = deals.move_deal(staff=caller(request), deal_id=deal_id, stage=stage, position=values["position"])
        return _deal_response(found)


class DealNotes(StaffView):
    """Write something down about a deal."""

    @extend_schema(
        operation_id="admin_deal_note",
        request=NoteSerializer,
        responses=with_errors({201: NotedSerializer}, 400, 404, 401, 403),
    )
    def post(self, request: Request, deal_id: int) -> Response:
        staff = caller(request)
        made = deals.add_note(staff=staff, deal_id=deal_id, text=validate_shape(NoteSerializer, request.data)["text"])
        answer = {"note": present_event(made, *actors.format_actors([made]))}
        return Response(NotedSerializer(answer).data, status=201)


class DealContact(StaffView):
    """Note that the customer of a deal was written to."""

    @extend_schema(
        operation_id="admin_deal_contact", request=None, responses=with_errors(ContactedSerializer, 400, 404, 401, 403)
    )
    def post(self, request: Request, deal_id: int) -> Response:
        found = deals.record_contact(staff=caller(request), deal_id=deal_id)
        answer = {"deal": {"id": found.pk, "lastContact": found.last_contact_at}}
        return Response(ContactedSerializer(answer).data)
