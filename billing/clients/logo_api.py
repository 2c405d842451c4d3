"""Calls about the pictures of clients."""

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.models import Organisation
from accounts.organisations.roles import Right
from billing.clients import logos
from billing.clients.serializers import LogoSerializer
from billing.clients.services import load_client
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors

_TYPES = tuple(logos.MEDIA_TYPES.values())


class ClientLogo(APIView):
    """The picture on the reports of a client."""

    right = Right.MANAGE
    parser_classes = (MultiPartParser,)

    @extend_schema(
        operation_id="organisation_clients_logo",
        responses=with_errors({(200, kind): OpenApiResponse(OpenApiTypes.BINARY) for kind in _TYPES}, 401, 403, 404),
    )
    def get(self, request: Request, client_id: str) -> HttpResponse:
        found = logos.load_logo(_load_client(request, client_id))
        answer = HttpResponse(bytes(found.content), content_type=found.media_type)
        answer["Content-Disposition"] = "inline"
        answer["X-Content-Type-Options"] = "nosniff"
        answer["Cache-Control"] = "no-store"
        return answer

    @extend_schema(
        operation_id="organisation_clients_logo_put",
        request={"multipart/form-data": LogoSerializer},
        responses=with_errors(MessageSerializer, 400, 401, 403, 404, 413),
    )
    def put(self, request: Request, client_id: str) -> Response:
        client = _load_client(request, client_id)
        logos.save_logo(organisation=client, file=validate_shape(LogoSerializer, request.data)["logo"])
        return Response(MessageSerializer({"message": "The logo was saved."}).data)

    @extend_schema(
        operation_id="organisation_clients_logo_remove",
        responses=with_errors(MessageSerializer, 401, 403, 404),
    )
    def delete(self, request: Request, client_id: str) -> Response:
        logos.remove_logo(organisation=_load_client(request, client_id))
        return Response(MessageSerializer({"message": "The logo was removed."}).data)


def _load_client(request: Request, client_id: str) -> Organisation:
    return load_client(calling_organisation(request), client_id)
