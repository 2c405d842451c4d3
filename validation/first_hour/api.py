"""The call about the first hour. It needs a sign-in; keys are refused."""

from django.forms.models import model_to_dict
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from emailcheck.common.api.serializers import with_errors
from validation.first_hour.serializers import FirstHourSerializer
from validation.first_hour.services import load_first_hour


class FirstHour(APIView):
    """The steps of a developer's first hour, and when the organisation did each."""

    right = Right.DEVELOP

    @extend_schema(operation_id="user_first_hour", responses=with_errors(FirstHourSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(model_to_dict(load_first_hour(calling_organisation(request)), exclude=["organisation"]))
