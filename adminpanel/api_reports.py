"""Staff calls of the reports: totals, revenue, and credits at outside providers."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.permissions import StaffView
from adminpanel import providers, reports
from adminpanel import serializers_reports as shapes
from billing import revenue
from billing.models import Payment
from billing.staff_payments import NOBODY
from emailcheck.common.api import ErrorSerializer, checked

_ERRORS = {401: ErrorSerializer, 403: ErrorSerializer}


class Stats(StaffView):
    """Users, revenue and validations in all."""

    @extend_schema(operation_id="admin_stats", responses={200: shapes.StatsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = reports.totals()
        answer = {
            "totalUsers": found.users,
            "totalRevenue": found.revenue,
            "totalValidations": found.validations,
        }
        return Response(shapes.StatsSerializer(answer).data)


class Revenue(StaffView):
    """Revenue by plan, and the newest payments, of a range."""

    @extend_schema(
        operation_id="admin_revenue",
        parameters=[shapes.RevenueQuerySerializer],
        responses={200: shapes.RevenueSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        found = revenue.report(checked(shapes.RevenueQuerySerializer, request.query_params)["range"])
        answer = {
            "totalRevenue": found.total,
            "monthlyRevenue": found.monthly,
            "yearlyRevenue": found.yearly,
            "planBreakdown": found.lines,
            "recentTransactions": [_transaction(payment) for payment in found.recent],
            "churnRate": found.churn_rate,
            "avgCustomerValue": found.customer_value,
        }
        return Response(shapes.RevenueSerializer(answer).data)


class ApiCredits(StaffView):
    """Credits left at the outside providers, asked now."""

    @extend_schema(operation_id="admin_api_credits", responses={200: shapes.ApiCreditsSerializer, **_ERRORS})
    def get(self, request: Request) -> Response:
        found = {one.name: shapes.provider(one, providers.standing(one)) for one in providers.PROVIDERS}
        return Response({"providers": found, "last_check": timezone.now()})


def _transaction(payment: Payment) -> dict[str, object]:
    return {
        "id": payment.provider_id,
        "customer": payment.user.name if payment.user else NOBODY,
        "amount": payment.amount,
        "plan": revenue.line_of(payment),
        "date": payment.captured_at,
    }
