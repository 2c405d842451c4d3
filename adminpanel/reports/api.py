"""Staff calls of the reports: totals, revenue, and credits at outside providers."""

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from adminpanel.reports import providers, totals
from adminpanel.reports import serializers as shapes
from billing.payments.models import Payment
from billing.reports import revenue
from billing.reports.payment_list import DELETED_ACCOUNT
from emailcheck.common.api.serializers import validate_query, validate_shape, with_errors


class Stats(StaffView):
    """Users, revenue and validations in all."""

    @extend_schema(operation_id="admin_stats", responses=with_errors(shapes.StatsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = totals.load_totals()
        answer = {"totalUsers": found.users, "totalRevenue": found.revenue, "totalValidations": found.validations}
        return Response(shapes.StatsSerializer(answer).data)


class Revenue(StaffView):
    """Revenue by plan, and the newest payments, of a range."""

    @extend_schema(
        operation_id="admin_revenue",
        parameters=[shapes.RevenueQuerySerializer],
        responses=with_errors(shapes.RevenueSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        found = revenue.build_report(validate_query(shapes.RevenueQuerySerializer, request.query_params)["range"])
        answer = {
            "totalRevenue": found.total,
            "monthlyRevenue": found.monthly,
            "yearlyRevenue": found.yearly,
            "planBreakdown": found.lines,
            "recentTransactions": [_present_transaction(payment) for payment in found.recent],
            "churnRate": found.churn_rate,
            "avgCustomerValue": found.customer_value,
        }
        return Response(shapes.RevenueSerializer(answer).data)


class ApiCredits(StaffView):
    """Credits left at the outside providers, asked now."""

    @extend_schema(operation_id="admin_api_credits", responses=with_errors(shapes.ApiCreditsSerializer, 401, 403))
    def get(self, request: Request) -> Response:
        found = {name: shapes.present_provider(balance) for name, balance in providers.fetch_balances().items()}
        return Response({"providers": found, "last_check": timezone.now()})


class ProviderStats(StaffView):
    """What outside providers cost, and how good they are."""

    @extend_schema(
        operation_id="admin_provider_stats",
        parameters=[shapes.ProviderStatsQuerySerializer],
        responses=with_errors(shapes.ProviderStatsSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        period = providers.Range(validate_query(shapes.ProviderStatsQuerySerializer, request.query_params)["range"])
        return Response({"providers": providers.list_provider_stats(period)})


class OneProvider(StaffView):
    """An outside provider's switch and budget."""

    @extend_schema(
        operation_id="admin_provider_update",
        request=shapes.ProviderChangeSerializer,
        responses=with_errors(shapes.ProviderChangedSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, name: str) -> Response:
        """What is not sent stays as it is."""
        values = validate_shape(shapes.ProviderChangeSerializer, request.data)
        state = providers.change_provider(name=name, staff=caller(request), **values)
        answer = {"name": providers.provider_title(state), "enabled": state.enabled, "daily_budget": state.daily_budget}
        return Response(answer)


def _present_transaction(payment: Payment) -> dict[str, object]:
    return {
        "id": payment.provider_id,
        "customer": payment.organisation.contact.name if payment.organisation else DELETED_ACCOUNT,
        "amount": payment.amount,
        "plan": revenue.name_line(payment),
        "date": payment.captured_at,
    }
