"""Referral calls."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation
from accounts.organisations.roles import Right
from billing.referrals import services as referrals
from billing.referrals.serializers import CursorSerializer, ReferralActivitiesSerializer, ReferralStatsSerializer
from emailcheck.common.api.serializers import validate_query, with_errors


class ReferralStats(APIView):
    """The account's referral code and what it has brought."""

    right = Right.LOOK
    shown_in_views = True

    @extend_schema(operation_id="referral_stats", responses=with_errors(ReferralStatsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        return Response(ReferralStatsSerializer(referrals.compute_stats(calling_organisation(request))).data)


class ReferralActivities(APIView):
    """The friends who came by the account's link, newest first."""

    right = Right.LOOK
    shown_in_views = True

    @extend_schema(
        operation_id="referral_activities",
        parameters=[CursorSerializer],
        responses=with_errors(ReferralActivitiesSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        query = validate_query(CursorSerializer, request.query_params)
        rows, after = referrals.list_activities(calling_organisation(request), **query)
        return Response(ReferralActivitiesSerializer({"activities": rows, "next": after}).data)
