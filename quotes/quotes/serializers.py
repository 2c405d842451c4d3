"""Shapes of the calls about quotes."""

from typing import Any

from rest_framework import serializers

from emailcheck.common.api.serializers import Json, Shape
from quotes.quotes.models import Period, PlanStatus, Quote, QuoteStatus
from quotes.quotes.pricing import Figures
from quotes.quotes.search import Direction, Sort
from quotes.serializers import CURSOR, SEARCH, PagedSerializer


class DistributionSerializer(Shape):
    """The credits of twelve monthly payments."""

    first_month = serializers.IntegerField()
    monthly_after = serializers.IntegerField()


class FiguresSerializer(Shape):
    """Prices in USD."""

    monthly_price = serializers.FloatField()
    annual_price = serializers.FloatField()
    annual_savings = serializers.FloatField()
    credit_distribution = DistributionSerializer()
    yearly_credits = serializers.IntegerField(help_text="With the bonus of a year.")


class QuoteSerializer(FiguresSerializer):
    id = serializers.IntegerField()
    quote_id = serializers.CharField()
    customer_name = serializers.CharField()
    customer_email = serializers.CharField()
    customer_company = serializers.CharField(allow_null=True)
    credits_needed = serializers.IntegerField()
    expires_at = serializers.DateTimeField()
    is_expired = serializers.BooleanField()
    status = serializers.ChoiceField(choices=QuoteStatus.choices)
    plan_status = serializers.ChoiceField(choices=PlanStatus.choices, allow_null=True)
    selected_plan = serializers.ChoiceField(choices=Period.choices, allow_null=True)


class QuotesSerializer(Shape):
    quotes = QuoteSerializer(many=True)


class StaffQuoteSerializer(QuoteSerializer):
    notes = serializers.CharField()
    created_at = serializers.DateTimeField()
    archived = serializers.BooleanField()


class StaffQuotesQuerySerializer(Shape):
    search = serializers.CharField(**SEARCH, help_text="A part of id, quote id, customer, e-mail or company.")
    sort = serializers.ChoiceField(choices=Sort.choices, required=False, default=Sort.DATE)
    order = serializers.ChoiceField(choices=Direction.choices, required=False, default=Direction.DESCENDING)
    cursor = serializers.CharField(**CURSOR)


class StaffQuotesSerializer(PagedSerializer):
    quotes = StaffQuoteSerializer(many=True)


class PreviewQuerySerializer(Shape):
    credits_needed = serializers.IntegerField()


class PreviewSerializer(FiguresSerializer):
    twelve_months = serializers.FloatField()


class NewQuoteSerializer(Shape):
    customer_name = serializers.CharField(max_length=150)
    customer_email = serializers.EmailField()
    customer_company = serializers.CharField(required=False, allow_blank=True, default="", max_length=255)
    credits_needed = serializers.IntegerField()
    notes = serializers.CharField(required=False, allow_blank=True, default="", max_length=2_000)
    request_id = serializers.IntegerField(required=False, allow_null=True, default=None)
    deal_id = serializers.IntegerField(required=False, allow_null=True, default=None)


class QuoteDataSerializer(Shape):
    """Only the id is read: prices are those that were stored."""

    quote_id = serializers.CharField(max_length=40)


class SendQuoteSerializer(Shape):
    quote_data = QuoteDataSerializer()
    recipient_email = serializers.CharField(allow_blank=True, max_length=254)
    message = serializers.CharField(required=False, allow_blank=True, default="", max_length=2_000)


class CleanedSerializer(serializers.Serializer[Any]):
    reminders_7_days = serializers.IntegerField()
    reminders_2_days = serializers.IntegerField()
    deleted_quotes = serializers.IntegerField()


def present_quote(found: Quote) -> Json:
    """A quote, as its customer sees it."""
    return {
        "id": found.pk,
        **{
            name: getattr(found, name)
            for name in ("quote_id", "customer_name", "customer_email", "credits_needed", "expires_at", "status")
        },
        "customer_company": found.customer_company or None,
        "monthly_price": found.monthly_price,
        "annual_price": found.annual_price,
        "annual_savings": found.annual_savings,
        "credit_distribution": {"first_month": found.first_month_credits, "monthly_after": found.later_month_credits},
        "yearly_credits": found.yearly_credits,
        "is_expired": found.is_expired(),
        "plan_status": find_plan_status(found),
        "selected_plan": found.selected_plan or None,
    }


def present_staff_quote(found: Quote) -> Json:
    """A quote, as staff see it."""
    return {
        **present_quote(found),
        "notes": found.notes,
        "created_at": found.created_at,
        "archived": found.archived_at is not None,
    }


def find_plan_status(found: Quote) -> str | None:
    """How far the plan is that came of it; none before a plan was chosen."""
    request = getattr(found, "plan_request", None)
    return PlanStatus(request.status).value if request else None


def present_preview(figures: Figures) -> Json:
    """A price that nothing was made of yet."""
    return {
        "twelve_months": figures.price_of_twelve_months,
        "monthly_price": figures.monthly_price,
        "annual_price": figures.annual_price,
        "annual_savings": figures.annual_savings,
        "credit_distribution": {
            "first_month": figures.first_month_credits,
            "monthly_after": figures.later_month_credits,
        },
        "yearly_credits": figures.yearly_credits,
    }
