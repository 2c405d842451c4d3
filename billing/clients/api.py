"""Calls about the clients of an agency, and about the agency of a client."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from billing.clients import serializers as shapes
from billing.clients import services as clients
from billing.ledger.models import Direction
from billing.ledger.transfers import transfer_credits
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class Clients(APIView):
    """The clients of the organisation, with what they have; a new one."""

    right: ClassVar = {"GET": Right.MANAGE, "POST": Right.OWN}

    @extend_schema(operation_id="organisation_clients", responses=with_errors(shapes.ClientsSerializer, 401, 403, 404))
    def get(self, request: Request) -> Response:
        return Response(shapes.ClientsSerializer(clients.load_agency(calling_organisation(request))).data)

    @extend_schema(
        operation_id="organisation_clients_make",
        request=shapes.NewClientSerializer,
        responses=with_errors({201: shapes.ClientSerializer}, 400, 401, 403, 404),
    )
    @idempotent
    def post(self, request: Request) -> Response:
        agency = calling_organisation(request)
        made = clients.make_client(agency=agency, **validate_shape(shapes.NewClientSerializer, request.data))
        return Response(shapes.ClientSerializer(clients.present_client(agency, made)).data, status=201)


class Client(APIView):
    """A client: its name."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_clients_rename",
        request=shapes.NewClientSerializer,
        responses=with_errors(shapes.ClientSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request, client_id: str) -> Response:
        agency = calling_organisation(request)
        client = clients.load_client(agency, client_id)
        name = validate_shape(shapes.NewClientSerializer, request.data)["name"]
        clients.rename_client(agency=agency, client=client, name=name)
        return Response(shapes.ClientSerializer(clients.present_client(agency, client)).data)


class ClientTransfers(APIView):
    """What was given to a client and taken back, newest first; and another transfer."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_clients_transfers",
        responses=with_errors(shapes.CreditTransfersSerializer, 401, 403, 404),
    )
    def get(self, request: Request, client_id: str) -> Response:
        client = clients.load_client(calling_organisation(request), client_id)
        return Response(shapes.CreditTransfersSerializer({"transfers": clients.list_transfers(client)}).data)

    @extend_schema(
        operation_id="organisation_clients_transfer",
        request=shapes.NewTransferSerializer,
        responses=with_errors(shapes.CreditTransferSerializer, 400, 401, 403, 404, 422),
    )
    @idempotent
    def post(self, request: Request, client_id: str) -> Response:
        agency = calling_organisation(request)
        client = clients.load_client(agency, client_id)
        values = validate_shape(shapes.NewTransferSerializer, request.data)
        direction = Direction(values.pop("direction"))
        made = transfer_credits(agency=agency, client=client, direction=direction, **values)
        return Response(shapes.CreditTransferSerializer(made).data)


class Received(APIView):
    """What the organisation got from its agency and gave back, newest first."""

    right = Right.LOOK

    @extend_schema(
        operation_id="organisation_transfers", responses=with_errors(shapes.ReceivedSerializer, 401, 403, 404)
    )
    def get(self, request: Request) -> Response:
        organisation = calling_organisation(request)
        agency = organisation.paying_agency
        found = {"agency": agency.title if agency else None, "transfers": clients.list_transfers(organisation)}
        return Response(shapes.ReceivedSerializer(found).data)


class AgencyAccess(APIView):
    """End that the agency acts in the organisation. What it gave stays."""

    right = Right.OWN
    is_way_out = True

    @extend_schema(
        operation_id="organisation_agency_end",
        request=None,
        responses=with_errors(MessageSerializer, 400, 401, 403, 404),
    )
    def post(self, request: Request) -> Response:
        clients.end_agency_access(organisation=calling_organisation(request))
        return Response(MessageSerializer({"message": "The agency has no access any more."}).data)
