"""Shapes of the calls about quotes."""

from typing import Any

from rest_framework import serializers

from billing.serializers_payments import SecondPaymentSerializer
from quotes.lists import Answered, Direction, Sort
from quotes.models import Period, PlanStatus, QuoteStatus, RequestStatus

Shape = serializers.Serializer[dict[str, Any]]
_WAITING = (PlanStatus.PENDING, PlanStatus.PAYMENT_RECEIVED)


_SEARCH: dict[str, Any] = {"required": False, "default": "", "allow_blank": True, "max_length": 254}
_CURSOR: dict[str, Any] = {**_SEARCH, "max_length": 200}


class PagedSerializer(Shape):
    """A page of a list; `next` is the `cursor` of the page behind it."""

    total = serializers.IntegerField(help_text="How many were found on all pages.")
    next = serializers.CharField(allow_null=True)


class RequestCustomSerializer(Shape):
    credits_needed = serializers.JSONField(
        help_text="A whole number, at least 1.", required=False, allow_null=True, default=None
    )
    company_name = serializers.CharField(required=False, allow_blank=True, default="", max_length=255)
    notes = serializers.CharField(required=False, allow_blank=True, default="", max_length=2_000)


class RequestIdSerializer(Shape):
    id = serializers.IntegerField()


class RequestedSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()
    request = RequestIdSerializer()


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


class SuccessSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()


class StaffQuoteSerializer(QuoteSerializer):
    notes = serializers.CharField()
    created_at = serializers.DateTimeField()
    archived = serializers.BooleanField()


class StaffQuotesQuerySerializer(Shape):
    search = serializers.CharField(**_SEARCH, help_text="A part of id, quote id, customer, e-mail or company.")
    sort = serializers.ChoiceField(choices=Sort.choices, required=False, default=Sort.DATE)
    order = serializers.ChoiceField(choices=Direction.choices, required=False, default=Direction.DESCENDING)
    cursor = serializers.CharField(**_CURSOR)


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


class QuoteRequestSerializer(Shape):
    id = serializers.IntegerField()
    user_name = serializers.CharField()
    user_email = serializers.CharField()
    company_name = serializers.CharField(allow_null=True)
    credits_requested = serializers.IntegerField()
    credits_needed = serializers.IntegerField(help_text="The same as credits_requested.")
    notes = serializers.CharField()
    status = serializers.ChoiceField(choices=RequestStatus.choices)
    created_at = serializers.DateTimeField()


class QuoteRequestsQuerySerializer(Shape):
    search = serializers.CharField(**_SEARCH, help_text="A part of name, e-mail or company.")
    state = serializers.ChoiceField(choices=Answered.choices, required=False, default="", allow_blank=True)
    cursor = serializers.CharField(**_CURSOR)


class QuoteRequestsSerializer(PagedSerializer):
    requests = QuoteRequestSerializer(many=True)
    answered = serializers.IntegerField(help_text="How many of all requests have an answer.")


class RequestStatusSerializer(Shape):
    status = serializers.ChoiceField(choices=(RequestStatus.PENDING, RequestStatus.DECLINED))


class AnsweredRequestSerializer(Shape):
    id = serializers.IntegerField()
    status = serializers.ChoiceField(choices=RequestStatus.choices)


class RequestAnsweredSerializer(Shape):
    request = AnsweredRequestSerializer()


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


class SelectSerializer(SecondPaymentSerializer):
    plan = serializers.ChoiceField(choices=Period.choices)


class SelectedSerializer(Shape):
    order_id = serializers.CharField(help_text="Of the order, or for monthly payments of the agreement.")
    approval_url = serializers.CharField(help_text="Where the browser goes to pay.")


class PlanRequestSerializer(Shape):
    """What a customer chose of a quote."""

    id = serializers.IntegerField()
    quote_id = serializers.CharField()
    customer_email = serializers.CharField()
    selected_plan = serializers.ChoiceField(choices=Period.choices)
    status = serializers.ChoiceField(choices=PlanStatus.choices)
    amount_paid = serializers.FloatField(allow_null=True, help_text="USD.")
    payment_received_at = serializers.DateTimeField(allow_null=True)
    auto_approval_at = serializers.DateTimeField(allow_null=True)
    created_at = serializers.DateTimeField()


class MyRequestSerializer(Shape):
    """What the account asked a price for; declined: there will be no quote."""

    id = serializers.IntegerField()
    credits_needed = serializers.IntegerField()
    company_name = serializers.CharField(allow_null=True)
    notes = serializers.CharField()
    status = serializers.ChoiceField(choices=RequestStatus.choices)
    created_at = serializers.DateTimeField()


class MyPlanRequestSerializer(Shape):
    """What the account chose of a quote, until it is active."""

    id = serializers.IntegerField()
    quote_id = serializers.CharField()
    credits_needed = serializers.IntegerField()
    selected_plan = serializers.ChoiceField(choices=Period.choices)
    status = serializers.ChoiceField(choices=PlanStatus.choices)
    amount_paid = serializers.FloatField(allow_null=True, help_text="USD.")
    payment_received_at = serializers.DateTimeField(allow_null=True)
    auto_approval_at = serializers.DateTimeField(allow_null=True, help_text="When it is active at the latest.")
    created_at = serializers.DateTimeField()


class MyRequestsSerializer(Shape):
    requests = MyRequestSerializer(many=True)
    plan_requests = MyPlanRequestSerializer(many=True)


class PlanRequestsQuerySerializer(Shape):
    search = serializers.CharField(**_SEARCH, help_text="A part of e-mail or quote id.")
    period = serializers.ChoiceField(choices=Period.choices, required=False, default="", allow_blank=True)
    status = serializers.ChoiceField(choices=_WAITING, required=False, default="", allow_blank=True)
    cursor = serializers.CharField(**_CURSOR)


class PlanRequestsSerializer(PagedSerializer):
    requests = PlanRequestSerializer(many=True)


class ApproveSerializer(Shape):
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)
