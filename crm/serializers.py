"""Shapes of the calls about deals, contracts, messages and the newsletter."""

from typing import Any

from rest_framework import serializers

from crm import lookups
from crm.models import OPEN_STAGES, ContractStatus, MessageState, Stage, SubscriberState

Shape = serializers.Serializer[dict[str, Any]]
_MONEY: dict[str, Any] = {"max_digits": 14, "decimal_places": 2, "min_value": 0}


def _shape(name: str, doc: str, **fields: Any) -> type[Shape]:
    """A shape whose fields have names in camel case, which are no names of ours."""
    return type(name, (Shape,), {**fields, "__doc__": doc})


def _deal_fields(**options: Any) -> dict[str, Any]:
    return {
        "companyName": serializers.CharField(max_length=255, source="company_name", **options),
        "contactName": serializers.CharField(max_length=150, source="contact_name", **options),
        "contactEmail": serializers.EmailField(source="contact_email", **options),
        "dealValue": serializers.DecimalField(source="value", help_text="USD.", **_MONEY, **options),
        "expectedCloseDate": serializers.DateField(source="expected_close_date", **options),
        "notes": serializers.CharField(max_length=5_000, allow_blank=True, required=False),
    }


NewDealSerializer = _shape(
    "NewDealSerializer",
    "A deal to be made; it may begin in one of the first four stages.",
    **_deal_fields(),
    stage=serializers.ChoiceField(choices=OPEN_STAGES, required=False),
)
DealChangesSerializer = _shape(
    "DealChangesSerializer",
    "What is not sent stays as it is.",
    **_deal_fields(required=False),
    stage=serializers.ChoiceField(choices=Stage.choices, required=False),
    lastContact=serializers.DateTimeField(source="last_contact_at", required=False, allow_null=True),
)
DealSerializer = _shape(
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
        choices=(lookups.OVERDUE, lookups.SOON),
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


ContactedDealSerializer = _shape(
    "ContactedDealSerializer",
    "When the customer was last written to.",
    id=serializers.IntegerField(),
    lastContact=serializers.DateTimeField(),
)


class ContactedSerializer(Shape):
    deal = ContactedDealSerializer()


def _contract_fields(**options: Any) -> dict[str, Any]:
    return {
        "companyName": serializers.CharField(max_length=255, source="company_name", **options),
        "plan": serializers.CharField(max_length=120, **options),
        "startDate": serializers.DateField(source="starts_on", **options),
        "endDate": serializers.DateField(source="ends_on", **options),
        "value": serializers.DecimalField(help_text="USD.", **_MONEY, **options),
        "renewalDate": serializers.DateField(source="renews_on", required=False, allow_null=True),
        "autoRenewal": serializers.BooleanField(source="auto_renewal", required=False),
    }


NewContractSerializer = _shape(
    "NewContractSerializer",
    "A contract to be written.",
    **_contract_fields(),
    deal_id=serializers.IntegerField(required=False, allow_null=True, default=None),
)
ContractChangesSerializer = _shape(
    "ContractChangesSerializer",
    "What is not sent stays as it is.",
    **_contract_fields(required=False),
    status=serializers.ChoiceField(choices=(ContractStatus.ACTIVE, ContractStatus.CANCELLED), required=False),
)
ContractSerializer = _shape(
    "ContractSerializer",
    "What was agreed upon.",
    id=serializers.IntegerField(),
    companyName=serializers.CharField(),
    plan=serializers.CharField(),
    startDate=serializers.DateField(),
    endDate=serializers.DateField(),
    value=serializers.FloatField(help_text="USD."),
    status=serializers.ChoiceField(choices=ContractStatus.choices, help_text="By the dates, unless it is cancelled."),
    renewalDate=serializers.DateField(allow_null=True),
    autoRenewal=serializers.BooleanField(),
    deal_id=serializers.IntegerField(allow_null=True),
    quote_id=serializers.CharField(allow_null=True),
)


class ContractQuerySerializer(Shape):
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    status = serializers.ChoiceField(
        choices=(lookups.RUNNING, *ContractStatus.values),
        required=False,
        default="",
        allow_blank=True,
        help_text="`running` means active or expiring.",
    )
    alert = serializers.ChoiceField(
        choices=(lookups.EXPIRING_SOON, lookups.OPPORTUNITIES),
        required=False,
        default="",
        allow_blank=True,
        help_text="Ends within 30 days; or is worth more than USD 20,000. Neither is cancelled.",
    )
    sort = serializers.ChoiceField(choices=lookups.SORTS, required=False, default="end")
    order = serializers.ChoiceField(choices=("asc", "desc"), required=False, default="asc")
    page = serializers.IntegerField(required=False, default=1, min_value=1, max_value=100_000)


class ContractsSerializer(Shape):
    contracts = ContractSerializer(many=True)
    total = serializers.IntegerField(help_text="How many were found.")
    next = serializers.IntegerField(allow_null=True, help_text="The next page.")
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="How many there are of each status.")


class OneContractSerializer(Shape):
    contract = ContractSerializer()


class DeletedSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()


class WrittenMessageSerializer(Shape):
    """What a visitor writes to us."""

    name = serializers.CharField(max_length=150)
    email = serializers.EmailField()
    subject = serializers.CharField(max_length=200)
    message = serializers.CharField(max_length=5_000, source="text")
    website = serializers.CharField(
        required=False,
        default="",
        allow_blank=True,
        max_length=200,
        source="trap",
        help_text="Leave it empty: only robots fill it in.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.error_messages |= dict.fromkeys(("required", "blank", "null"), f"{name}: this field is required")


class MessageQuerySerializer(Shape):
    state = serializers.ChoiceField(choices=MessageState.choices, required=False, default="", allow_blank=True)
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class ContactSerializer(Shape):
    """A message of a visitor."""

    id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField()
    subject = serializers.CharField()
    message = serializers.CharField()
    state = serializers.ChoiceField(choices=MessageState.choices)
    created_at = serializers.DateTimeField()
    deal_id = serializers.IntegerField(allow_null=True)


class ContactsSerializer(Shape):
    contacts = ContactSerializer(many=True)
    total = serializers.IntegerField()
    next = serializers.CharField(allow_null=True)


class MessageStateSerializer(Shape):
    state = serializers.ChoiceField(choices=MessageState.choices)


class ChangedContactSerializer(Shape):
    id = serializers.IntegerField()
    state = serializers.ChoiceField(choices=MessageState.choices)


class ContactChangedSerializer(Shape):
    contact = ChangedContactSerializer()


ContactDealSerializer = _shape(
    "ContactDealSerializer",
    "What a message does not tell of the deal that is made of it.",
    companyName=serializers.CharField(max_length=255),
    dealValue=serializers.DecimalField(help_text="USD.", **_MONEY),
    expectedCloseDate=serializers.DateField(),
)


class NewsletterSerializer(Shape):
    email = serializers.CharField(max_length=320, allow_blank=True, required=False, default="")


class NewsletterTokenSerializer(Shape):
    token = serializers.CharField(max_length=1_000, allow_blank=True, required=False, default="")


class SubscribersFilterSerializer(Shape):
    search = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)
    state = serializers.ChoiceField(choices=SubscriberState.choices, required=False, default="", allow_blank=True)


class SubscribersQuerySerializer(SubscribersFilterSerializer):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class SubscriberSerializer(Shape):
    email = serializers.CharField()
    state = serializers.ChoiceField(choices=SubscriberState.choices)
    created_at = serializers.DateTimeField()


class SubscribersSerializer(Shape):
    subscribers = SubscriberSerializer(many=True)
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="How many there are in each state.")
    next = serializers.CharField(allow_null=True)
