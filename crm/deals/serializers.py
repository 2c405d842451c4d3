"""Shapes of the calls about deals."""

from typing import Any

from rest_framework import serializers

from crm.deals.board import OVERDUE, SOON
from crm.deals.models import OPEN_STAGES, Deal, DealEvent, Stage
from crm.serializers import MONEY
from emailcheck.common.api.serializers import Json, Shape, build_shape


def _deal_fields(**options: Any) -> dict[str, Any]:
    return {
        "companyName": serializers.CharField(max_length=255, source="company_name", **options),
        "contactName": serializers.CharField(max_length=150, source="contact_name", **options),
        "contactEmail": serializers.EmailField(source="contact_email", **options),
        "dealValue": serializers.DecimalField(source="value", help_text="USD.", **MONEY, **options),
        "expectedCloseDate": serializers.DateField(source="expected_close_date", **options),
        "notes": serializers.CharField(max_length=5_000, allow_blank=True, required=False),
    }


NewDealSerializer = build_shape(
    "NewDealSerializer",
    "A deal to be made; it may begin in one of the first four stages.",
    **_deal_fields(),
    stage=serializers.ChoiceField(choices=OPEN_STAGES, required=False),
)


DealChangesSerializer = build_shape(
    "DealChangesSerializer",
    "What is not sent stays as it is.",
    **_deal_fields(required=False),
    stage=serializers.ChoiceField(choices=Stage.choices, required=False),
    lastContact=serializers.DateTimeField(source="last_contact_at", required=False, allow_null=True),
)


DealSerializer = build_shape(
    "DealSerializer",
    "A sale that may come.",
    id=serializers.IntegerField(),
    companyName=serializers.CharField(),
    contactName=serializers.CharField(),
    contactEmail=serializers.CharField(),
    dealValue=serializers.FloatField(help_text="USD."),
    stage=serializers.ChoiceField(choices=Stage.choices),
    expectedCloseDate=serializers.DateField(),
    notes=serializers.CharField(),
    createdAt=serializers.DateTimeField(),
    lastContact=serializers.DateTimeField(allow_null=True),
)


class BoardQuerySerializer(Shape):
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    closing = serializers.ChoiceField(
        choices=(OVERDUE, SOON),
        required=False,
        default="",
        allow_blank=True,
        help_text="Open deals whose day has passed, or comes within 30 days.",
    )


class StageSumSerializer(Shape):
    """A column of the board with the sums of all deals that were found."""

    stage = serializers.ChoiceField(choices=Stage.choices)
    count = serializers.IntegerField()
    value = serializers.FloatField(help_text="USD.")


class DealsSerializer(Shape):
    deals = DealSerializer(many=True, help_text="The first hundred of each stage, in their order.")
    stages = StageSumSerializer(many=True)


class DealMadeSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()
    deal = DealSerializer()


class OneDealSerializer(Shape):
    deal = DealSerializer()


class DealEventSerializer(Shape):
    """What happened to a deal."""

    time = serializers.DateTimeField()
    user = serializers.CharField()
    action = serializers.CharField()
    text = serializers.CharField()


class DealQuoteSerializer(Shape):
    """A quote that was made for a deal."""

    quote_id = serializers.CharField()


class DealDetailSerializer(OneDealSerializer):
    quotes = DealQuoteSerializer(many=True)
    history = DealEventSerializer(many=True)
    contract_id = serializers.IntegerField(allow_null=True)


class MoveSerializer(Shape):
    stage = serializers.ChoiceField(choices=Stage.choices)
    position = serializers.IntegerField(required=False, allow_null=True, default=None, min_value=0, max_value=1_000_000)


class NoteSerializer(Shape):
    text = serializers.CharField(max_length=5_000)


class NotedSerializer(Shape):
    note = DealEventSerializer()


ContactedDealSerializer = build_shape(
    "ContactedDealSerializer",
    "When the customer was last written to.",
    id=serializers.IntegerField(),
    lastContact=serializers.DateTimeField(),
)


class ContactedSerializer(Shape):
    deal = ContactedDealSerializer()


def present_deal(found: Deal) -> Json:
    return {
        "id": found.pk,
        "companyName": found.company_name,
        "contactName": found.contact_name,
        "contactEmail": found.contact_email,
        "dealValue": found.value,
        "stage": found.stage,
        "expectedCloseDate": found.expected_close_date,
        "notes": found.notes,
        "createdAt": found.created_at,
        "lastContact": found.last_contact_at,
    }


def present_event(found: DealEvent, who: str | None) -> Json:
    """A line of a deal's history, and who made it."""
    return {"time": found.created_at, "user": who, "action": found.action, "text": found.text}
