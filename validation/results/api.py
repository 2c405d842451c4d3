"""The calls about one result."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import ErrorSerializer, MessageSerializer
from validation.access.calling import calling_reader
from validation.results.ids import load_result
from validation.results.presentation import present_result_in_full
from validation.results.removal import delete_result
from validation.results.serializers import READ_ERRORS, ResultSerializer


class ResultDetail(APIView):
    """A verdict with its evidence."""

    right: ClassVar = {"GET": Right.READ, "DELETE": Right.CHANGE_LISTS}
    open_to_keys = True

    @extend_schema(operation_id="validate_result", responses={200: ResultSerializer, **READ_ERRORS})
    def get(self, request: Request, result_id: str) -> Response:
        return Response(present_result_in_full(load_result(calling_reader(request), result_id)))

    @extend_schema(
        operation_id="validate_result_delete", responses={200: MessageSerializer, **READ_ERRORS, 409: ErrorSerializer}
    )
    def delete(self, request: Request, result_id: str) -> Response:
        """Delete the verdict of a single check; counters and credits stay. One of a list goes with its list."""
        delete_result(result=load_result(calling_reader(request), result_id))
        return Response({"message": "Result deleted"})
