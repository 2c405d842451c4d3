"""The analytics as the API returns them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from emailcheck.common.registry import Health
from validation.analytics import services as analytics
from validation.analytics.services import Advanced, Overview, Period
from validation.daily import buckets
from validation.results.presentation import present_results

Json = dict[str, Any]


def present_overview(found: Overview) -> Json:
    """The figures of the dashboard's sidebar."""
    return {
        "total_validations": found.counts["processed"],
        "success_rate": buckets.success_rate(found.counts),
        "monthly_usage": found.monthly_usage,
        "monthly_limit": found.monthly_limit,
        "usage_percentage": found.usage_percentage,
        "credits": found.credits,
        "current_plan": found.plan,
        "subscription_plan": found.plan,
        "recent_validations": present_results(found.recent),
        "category_breakdown": found.by_category,
    }


def present_usage(period: Period) -> Json:
    """The days of an account, for any plan."""
    return {
        "total": period.counts["processed"],
        "validationBreakdown": buckets.bucket_range(period.counts),
        "dailyUsage": [_present_day(on, counts) for on, counts in period.days],
        **_present_comparison(period),
    }


def present_advanced(found: Advanced) -> Json:
    """The days with costs and insights."""
    period = found.period
    costs, of_all = analytics.compute_costs(found), found.of_all
    days = [_present_day(on, counts) | {"accuracy": buckets.accuracy(counts)} for on, counts in period.days]
    return {
        "validationBreakdown": buckets.bucket_range(period.counts),
        "usagePatterns": {"dailyUsage": days, **_present_comparison(period)},
        "overview": {
            "totalValidations": period.counts["processed"],
            "successRate": buckets.success_rate(period.counts),
            "creditsUsed": period.counts["credits_used"],
            "creditsRemaining": found.credits,
            "avgResponseTime": period.mean_ms,
            "costSavings": float(costs.savings),
            "roiPercentage": costs.roi_percentage,
            "accuracyRate": buckets.accuracy(period.counts),
            "satisfactionScore": of_all.satisfaction.score if of_all else None,
            "satisfactionRatings": of_all.satisfaction.ratings if of_all else None,
        },
        "systemHealth": _present_health(of_all.health) if of_all else None,
        "insights": analytics.build_insights(found),
        "costAnalysis": {
            "creditsUsed": period.counts["credits_used"],
            "costPerValidation": None if costs.per_validation is None else round(float(costs.per_validation), 6),
            "totalCost": None if costs.total is None else float(costs.total),
        },
    }


def _present_health(health: Health) -> Json:
    return {"uptime": health.uptime, "errorRate": health.error_rate, "apiCallsToday": health.calls}


def _present_day(on: date, counts: Mapping[str, int]) -> Json:
    day = {"date": on.isoformat(), "validations": counts["processed"], **buckets.bucket_day(counts)}
    return day | {"categories": analytics.count_categories(counts)}


def _present_comparison(period: Period) -> Json:
    """The days before the period, and since when there are any."""
    return {
        "previousUsage": [
            {"date": on.isoformat(), "validations": counts["processed"], "accuracy": buckets.accuracy(counts)}
            for on, counts in period.previous
        ],
        "firstDay": period.first_day,
    }
