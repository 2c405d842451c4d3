"""Shapes of the reports of the staff dashboard."""

from typing import Any

from rest_framework import serializers

from adminpanel.reports import providers
from adminpanel.reports.providers import ProviderBalance
from billing.catalogue.plans import Plan
from billing.reports.payment_list import ReportRange
from emailcheck.common.api.serializers import Shape, build_shape

BREAKER = ("closed", "open", "half_open")

StatsSerializer = build_shape(
    "StatsSerializer",
    "What there is in all.",
    totalUsers=serializers.IntegerField(help_text="Accounts that are not closed."),
    totalRevenue=serializers.FloatField(help_text="USD captured less what was given back, of all time."),
    totalValidations=serializers.IntegerField(help_text="Addresses that were ever checked."),
)


class RevenueQuerySerializer(Shape):
    range = serializers.ChoiceField(choices=ReportRange.choices, required=False, default=ReportRange.MONTH)


class PlanRevenueSerializer(Shape):
    plan = serializers.CharField(help_text="Packs and quotes are lines of their own.")
    revenue = serializers.FloatField()
    customers = serializers.IntegerField()
    percentage = serializers.FloatField(help_text="Of what came in the range.")


class TransactionSerializer(Shape):
    id = serializers.CharField(help_text="At PayPal.")
    customer = serializers.CharField()
    amount = serializers.FloatField()
    plan = serializers.CharField()
    date = serializers.DateTimeField()


RevenueSerializer = build_shape(
    "RevenueSerializer",
    "USD; the formulas are in docs/metrics.md.",
    totalRevenue=serializers.FloatField(help_text="Captured less given back, of all time."),
    monthlyRevenue=serializers.FloatField(help_text="Monthly prices of active plans, a twelfth of yearly ones."),
    yearlyRevenue=serializers.FloatField(help_text="Captured less given back in the last 365 days."),
    planBreakdown=PlanRevenueSerializer(many=True),
    recentTransactions=TransactionSerializer(many=True, help_text="Captured, and not given back."),
    churnRate=serializers.FloatField(help_text="Customers who left in the range, in percent of those at its start."),
    avgCustomerValue=serializers.FloatField(help_text="Total revenue over customers who paid."),
)


class ProviderSerializer(Shape):
    credits = serializers.JSONField(help_text="A number, or Error or Unknown.")
    status = serializers.ChoiceField(choices=["ok", "error", "not_configured"])
    error = serializers.CharField(allow_null=True)
    plans = serializers.ListField(child=serializers.ChoiceField(choices=Plan.choices))


class ApiCreditsSerializer(Shape):
    providers = serializers.DictField(child=ProviderSerializer())
    last_check = serializers.DateTimeField()


class ProviderStatsQuerySerializer(Shape):
    range = serializers.ChoiceField(choices=providers.Range.choices, required=False, default=providers.Range.MONTH)


class ProviderFiguresSerializer(Shape):
    """Of the range, but for the last three, which are of now."""

    calls = serializers.IntegerField(help_text="Questions that were sent.")
    spent = serializers.IntegerField(help_text="Of these, those that were charged, or may have been.")
    hit_rate = serializers.FloatField(allow_null=True, help_text="Percent of the answers that decided.")
    disagreement_rate = serializers.FloatField(
        allow_null=True, help_text="Percent of the deciding answers that another source contradicts."
    )
    latency_ms = serializers.FloatField(allow_null=True, help_text="Of an answer, on average.")
    daily_budget = serializers.IntegerField(allow_null=True, help_text="Questions a day (UTC); null for any number.")
    enabled = serializers.BooleanField()
    breaker = serializers.ChoiceField(choices=BREAKER)


class ProviderStatsSerializer(Shape):
    providers = serializers.DictField(child=ProviderFiguresSerializer())


class ProviderChangeSerializer(Shape):
    enabled = serializers.BooleanField(required=False)
    daily_budget = serializers.IntegerField(required=False, allow_null=True, min_value=0, max_value=10_000_000)


class ProviderChangedSerializer(Shape):
    name = serializers.CharField()
    enabled = serializers.BooleanField()
    daily_budget = serializers.IntegerField(allow_null=True)


def present_provider(now: ProviderBalance) -> dict[str, Any]:
    """The balance of a provider."""
    return {"credits": now.credits, "status": now.status, "error": now.explanation or None, "plans": list(now.plans)}
