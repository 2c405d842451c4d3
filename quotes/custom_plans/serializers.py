"""Shapes of the calls about custom plans."""

from typing import Any

from rest_framework import serializers

from billing.catalogue.plans import Cycle
from emailcheck.common.api.serializers import Shape
from quotes.custom_plans import services as custom_plans
from quotes.serializers import PagedSerializer

_MONEY: dict[str, Any] = {"max_digits": 12, "decimal_places": 2, "min_value": 0, "help_text": "USD."}


class TypedFeaturesField(serializers.JSONField):
    """Further features: a list, or a text with commas."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | list) or not all(isinstance(part, str) and len(part) <= 2_000 for part in data):
            self.fail("invalid")
        return data


def _plan_fields(**options: Any) -> dict[str, Any]:
    """Names in camel case are no names of ours."""
    feature = serializers.ChoiceField(choices=custom_plans.FEATURES)
    return {
        "name": serializers.CharField(max_length=120, **options),
        "description": serializers.CharField(max_length=1_000, required=False, allow_blank=True),
        "monthlyPrice": serializers.DecimalField(source="monthly_price", **_MONEY, **options),
        "yearlyPrice": serializers.DecimalField(source="yearly_price", **_MONEY, **options),
        "credits": serializers.IntegerField(min_value=0, max_value=1_000_000_000, help_text="A month.", **options),
        "features": serializers.ListField(child=feature, required=False, max_length=20),
        "customFeatures": TypedFeaturesField(required=False, help_text="A list, or a text with commas."),
        "targetCustomer": serializers.CharField(max_length=255, source="target_customer", **options),
        "isActive": serializers.BooleanField(source="is_active", required=False),
    }


NewCustomPlanSerializer: type[Shape] = type(
    "NewCustomPlanSerializer", (Shape,), {**_plan_fields(), "__doc__": "A plan to be made."}
)


CustomPlanChangesSerializer: type[Shape] = type(
    "CustomPlanChangesSerializer",
    (Shape,),
    {**_plan_fields(required=False), "__doc__": "What is not sent stays as it is; features are sent all together."},
)


CustomPlanSerializer: type[Shape] = type(
    "CustomPlanSerializer",
    (Shape,),
    {
        "id": serializers.IntegerField(),
        "name": serializers.CharField(),
        "description": serializers.CharField(),
        "monthlyPrice": serializers.FloatField(source="monthly_price"),
        "yearlyPrice": serializers.FloatField(source="yearly_price"),
        "credits": serializers.IntegerField(),
        "features": serializers.ListField(child=serializers.CharField()),
        "targetCustomer": serializers.CharField(source="target_customer"),
        "isActive": serializers.BooleanField(source="is_active"),
        "createdAt": serializers.DateTimeField(source="created_at"),
        "__doc__": "A plan that staff made; prices in USD, credits a month.",
    },
)


class CustomPlansQuerySerializer(Shape):
    search = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=254,
        help_text="A part of name, description or customer.",
    )  # fmt: skip
    active = serializers.BooleanField(required=False, allow_null=True, default=None)
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=200)


class CustomPlansSerializer(PagedSerializer):
    plans = CustomPlanSerializer(many=True)


class OneCustomPlanSerializer(Shape):
    plan = CustomPlanSerializer()


class CustomPlanMadeSerializer(OneCustomPlanSerializer):
    success = serializers.BooleanField()
    message = serializers.CharField()


class CloneSerializer(Shape):
    name = serializers.CharField(max_length=120, required=False, allow_blank=True, default="")


class AssignSerializer(Shape):
    """The account is named by its id or by its address."""

    user_id = serializers.IntegerField(required=False, allow_null=True, default=None)
    email = serializers.EmailField(required=False, allow_blank=True, default="")
    organisation = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=40,
        help_text="One that the person owns; without it the one that they hold.",
    )  # fmt: skip
    billing_cycle = serializers.ChoiceField(choices=Cycle.choices)
    reason = serializers.CharField(max_length=500)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["user_id"] is None) == (attrs["email"] == ""):
            raise serializers.ValidationError({"user_id": ["Name the account by its id, or by its e-mail address."]})
        return attrs
