"""Shapes of the analytics calls."""

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from validation.results.serializers import Fields, ResultRowSerializer, Shape, build_serializer


class RangeSerializer(Shape):
    range = serializers.CharField(default="", allow_blank=True, help_text="7d, 30d, 90d or 1y (365 days).")


class AdvancedQuerySerializer(RangeSerializer):
    scope = serializers.ChoiceField(
        choices=["me", "all"], default="all", help_text="Whose figures staff see; others always see their own."
    )


class CategoryCountsSerializer(Shape):
    valid = serializers.IntegerField()
    invalid = serializers.IntegerField()
    unknown = serializers.IntegerField()
    catch_all = serializers.IntegerField()
    disposable = serializers.IntegerField()
    spam_trap = serializers.IntegerField()


@extend_schema_serializer(deprecate_fields=["current_plan"])
class OverviewSerializer(Shape):
    """The figures of the dashboard, all that was ever checked included."""

    total_validations = serializers.IntegerField()
    success_rate = serializers.FloatField(help_text="Valid results over all, in percent.")
    monthly_usage = serializers.IntegerField(help_text="Credits charged this month.")
    monthly_limit = serializers.IntegerField(help_text="Credits that the plan gives a month.")
    usage_percentage = serializers.FloatField(help_text="At most 100.")
    credits = serializers.IntegerField()
    subscription_plan = serializers.CharField()
    current_plan = serializers.CharField(help_text="Equals `subscription_plan`.")
    recent_validations = ResultRowSerializer(many=True)
    category_breakdown = CategoryCountsSerializer()


class BucketsSerializer(Shape):
    """Each result once: invalid with spam traps, risky is unknown and catch-all."""

    valid = serializers.IntegerField()
    invalid = serializers.IntegerField()
    risky = serializers.IntegerField()
    disposable = serializers.IntegerField()


class UsageDaySerializer(Shape):
    """Each result once: invalid with spam traps and disposables, unknown with catch-all."""

    date = serializers.DateField()
    validations = serializers.IntegerField()
    valid = serializers.IntegerField()
    invalid = serializers.IntegerField()
    unknown = serializers.IntegerField()
    categories = CategoryCountsSerializer(help_text="Each of the six by itself.")


class PreviousDaySerializer(Shape):
    date = serializers.DateField()
    validations = serializers.IntegerField()
    accuracy = serializers.FloatField(allow_null=True, help_text="Conclusive results over all, in percent.")


_COMPARISON: Fields = {
    "previousUsage": PreviousDaySerializer(many=True, help_text="As many days, right before those of the range."),
    "firstDay": serializers.DateField(allow_null=True, help_text="The first day with any check at all."),
}
_USAGE: Fields = {
    "total": serializers.IntegerField(),
    "validationBreakdown": BucketsSerializer(),
    "dailyUsage": UsageDaySerializer(many=True),
    **_COMPARISON,
}
UsageSerializer = build_serializer("UsageSerializer", "Checks by day.", _USAGE)


class AdvancedDaySerializer(UsageDaySerializer):
    accuracy = serializers.FloatField(allow_null=True, help_text="Conclusive results over all, in percent.")


_PATTERNS: Fields = {"dailyUsage": AdvancedDaySerializer(many=True), **_COMPARISON}
_OVERVIEW: Fields = {
    "totalValidations": serializers.IntegerField(),
    "successRate": serializers.FloatField(help_text="Valid results over all, in percent."),
    "creditsUsed": serializers.IntegerField(),
    "creditsRemaining": serializers.IntegerField(),
    "avgResponseTime": serializers.FloatField(help_text="Mean of the single checks in ms; 0 without any."),
    "costSavings": serializers.FloatField(help_text="USD that bounces would have cost."),
    "roiPercentage": serializers.FloatField(allow_null=True, help_text="Savings over costs; null without costs."),
    "accuracyRate": serializers.FloatField(
        allow_null=True, help_text="Conclusive results over all, in percent; null without any."
    ),
    "satisfactionScore": serializers.FloatField(
        allow_null=True, help_text="Staff: mean of the ratings of the range, 1 to 5; null when there are none."
    ),
    "satisfactionRatings": serializers.IntegerField(allow_null=True, help_text="Staff: how many ratings that were."),
}
_COSTS: Fields = {
    "creditsUsed": serializers.IntegerField(),
    "costPerValidation": serializers.FloatField(
        allow_null=True, help_text="USD a credit; for staff what was paid over credits used."
    ),
    "totalCost": serializers.FloatField(allow_null=True),
}
_HEALTH: Fields = {
    "uptime": serializers.FloatField(allow_null=True, help_text="Percent of the last 24 hours; null: not measured."),
    "errorRate": serializers.FloatField(help_text="Percent of the answers since midnight UTC that were 5xx."),
    "apiCallsToday": serializers.IntegerField(help_text="Since midnight UTC."),
}
_ADVANCED: Fields = {
    "validationBreakdown": BucketsSerializer(),
    "usagePatterns": build_serializer("UsagePatternsSerializer", "Checks by day.", _PATTERNS)(),
    "overview": build_serializer("AdvancedOverviewSerializer", "A range in all.", _OVERVIEW)(),
    "systemHealth": build_serializer("SystemHealthSerializer", "Staff: how the API does.", _HEALTH)(allow_null=True),
    "insights": serializers.ListField(child=serializers.CharField()),
    "costAnalysis": build_serializer("CostAnalysisSerializer", "At the price of a credit of the plan.", _COSTS)(),
}
AdvancedSerializer = build_serializer("AdvancedSerializer", "Checks by day, with costs and sentences.", _ADVANCED)
