"""Shapes of the calls about contracts."""

from datetime import date
from typing import Any

from rest_framework import serializers

from crm.contracts.models import Contract, ContractStatus
from crm.contracts.search import EXPIRING_SOON, OPPORTUNITIES, RUNNING, SORTS
from crm.serializers import MONEY
from emailcheck.common.api.serializers import Json, Shape, build_shape


def _contract_fields(**options: Any) -> dict[str, Any]:
    return {
        "companyName": serializers.CharField(max_length=255, source="company_name", **options),
        "plan": serializers.CharField(max_length=120, **options),
        "startDate": serializers.DateField(source="starts_on", **options),
        "endDate": serializers.DateField(source="ends_on", **options),
        "value": serializers.DecimalField(help_text="USD.", **MONEY, **options),
        "renewalDate": serializers.DateField(source="renews_on", required=False, allow_null=True),
        "autoRenewal": serializers.BooleanField(source="auto_renewal", required=False),
    }


NewContractSerializer = build_shape(
    "NewContractSerializer",
    "A contract to be written.",
    **_contract_fields(),
    deal_id=serializers.IntegerField(required=False, allow_null=True, default=None),
)


ContractChangesSerializer = build_shape(
    "ContractChangesSerializer",
    "What is not sent stays as it is.",
    **_contract_fields(required=False),
    status=serializers.ChoiceField(choices=(ContractStatus.ACTIVE, ContractStatus.CANCELLED), required=False),
)


ContractSerializer = build_shape(
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
        choices=(RUNNING, *ContractStatus.values),
        required=False,
        default="",
        allow_blank=True,
        help_text="`running` means active or expiring.",
    )
    alert = serializers.ChoiceField(
        choices=(EXPIRING_SOON, OPPORTUNITIES),
        required=False,
        default="",
        allow_blank=True,
        help_text="Ends within 30 days; or is worth more than USD 20,000. Neither is cancelled.",
    )
    sort = serializers.ChoiceField(choices=SORTS, required=False, default="end")
    order = serializers.ChoiceField(choices=("asc", "desc"), required=False, default="asc")
    page = serializers.IntegerField(required=False, default=1, min_value=1, max_value=100_000)


class ContractsSerializer(Shape):
    contracts = ContractSerializer(many=True)
    total = serializers.IntegerField(help_text="How many were found.")
    next = serializers.IntegerField(allow_null=True, help_text="The next page.")
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="How many there are of each status.")


class OneContractSerializer(Shape):
    contract = ContractSerializer()


def present_contract(found: Contract, today: date) -> Json:
    return {
        "id": found.pk,
        "companyName": found.company_name,
        "plan": found.plan,
        "startDate": found.starts_on,
        "endDate": found.ends_on,
        "value": found.value,
        "status": found.status(today),
        "renewalDate": found.renews_on,
        "autoRenewal": found.auto_renewal,
        "deal_id": found.deal_id,
        "quote_id": found.quote_id,
    }
