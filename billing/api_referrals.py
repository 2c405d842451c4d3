"""Referral calls."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.auth import caller
from billing import referrals
from billing import serializers as shapes
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}


class ReferralStats(APIView):
    """The account's referral code and what it has brought."""

    shown_in_views = True

    @extend_schema(operation_id="referral_stats", responses={200: shapes.ReferralStatsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        return Response(shapes.ReferralStatsSerializer(referrals.stats(caller(request))).data)


class ReferralActivities(APIView):
    """The friends who came by the account's link, newest first."""

    shown_in_views = True

    @extend_schema(
        operation_id="referral_activities",
        parameters=[shapes.CursorSerializer],
        responses={200: shapes.ReferralActivitiesSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        query = checked(shapes.CursorSerializer, request.query_params)
        rows, after = referrals.activities(caller(request), **query)
        return Response(shapes.ReferralActivitiesSerializer({"activities": rows, "next": after}).data)
