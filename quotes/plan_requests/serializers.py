"""Shapes of the calls about plan requests."""

from rest_framework import serializers

from billing.payments.serializers import SecondPaymentSerializer
from emailcheck.common.api.serializers import Json, Shape
from quotes.plan_requests.models import PlanRequest
from quotes.quotes.models import Period, PlanStatus
from quotes.requests.serializers import MyRequestSerializer
from quotes.serializers import CURSOR, SEARCH, PagedSerializer

_WAITING = (PlanStatus.PENDING, PlanStatus.PAYMENT_RECEIVED)


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
    organisation = serializers.CharField(
        allow_blank=True, help_text="Which gets the plan; empty: it has no account yet."
    )
    selected_plan = serializers.ChoiceField(choices=Period.choices)
    status = serializers.ChoiceField(choices=PlanStatus.choices)
    amount_paid = serializers.FloatField(allow_null=True, help_text="USD.")
    payment_received_at = serializers.DateTimeField(allow_null=True)
    auto_approval_at = serializers.DateTimeField(allow_null=True)
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
    search = serializers.CharField(**SEARCH, help_text="A part of e-mail or quote id.")
    period = serializers.ChoiceField(choices=Period.choices, required=False, default="", allow_blank=True)
    status = serializers.ChoiceField(choices=_WAITING, required=False, default="", allow_blank=True)
    cursor = serializers.CharField(**CURSOR)


class PlanRequestsSerializer(PagedSerializer):
    requests = PlanRequestSerializer(many=True)


class ApproveSerializer(Shape):
    reason = serializers.CharField(required=False, allow_blank=True, default="", max_length=500)


def present_plan_request(found: PlanRequest) -> Json:
    """What a customer chose, as staff see it."""
    organisation = found.quote.organisation
    return _present(found) | {"organisation": organisation.title if organisation else ""}


def present_own_plan_request(found: PlanRequest) -> Json:
    """What a customer chose, as the customer sees it."""
    return _present(found) | {"credits_needed": found.quote.credits_needed}


def _present(found: PlanRequest) -> Json:
    names = ("selected_plan", "status", "amount_paid", "payment_received_at", "auto_approval_at", "created_at")
    return {
        "id": found.pk,
        "quote_id": found.quote.quote_id,
        "customer_email": found.quote.customer_email,
        **{name: getattr(found, name) for name in names},
    }
