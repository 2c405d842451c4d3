"""The staff's calls about custom plans."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.auth import caller
from accounts.permissions import StaffView
from billing.models import Cycle
from emailcheck.common.api import ErrorSerializer, checked
from emailcheck.common.idempotency import idempotent
from quotes import custom_plans, lists
from quotes.models import CustomPlan
from quotes.serializers import PagedSerializer, Shape, SuccessSerializer

_ERRORS: dict[int, Any] = {401: ErrorSerializer, 403: ErrorSerializer}
_OF_ONE: dict[int, Any] = {400: ErrorSerializer, 404: ErrorSerializer, **_ERRORS}
_MONEY: dict[str, Any] = {"max_digits": 12, "decimal_places": 2, "min_value": 0, "help_text": "USD."}


class TypedFeaturesField(serializers.JSONField):
    """Further features: a list, or a text with commas."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, str | list) or not all(isinstance(part, str) and len(part) <= 2_000 for part in data):
            self.fail("invalid")
        return data


def _fields(**options: Any) -> dict[str, Any]:
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
    "NewCustomPlanSerializer", (Shape,), {**_fields(), "__doc__": "A plan to be made."}
)
CustomPlanChangesSerializer: type[Shape] = type(
    "CustomPlanChangesSerializer",
    (Shape,),
    {**_fields(required=False), "__doc__": "What is not sent stays as it is; features are sent all together."},
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
    billing_cycle = serializers.ChoiceField(choices=Cycle.choices)
    reason = serializers.CharField(max_length=500)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if (attrs["user_id"] is None) == (attrs["email"] == ""):
            raise serializers.ValidationError({"user_id": ["Name the account by its id, or by its e-mail address."]})
        return attrs


def _read(shape: type[Shape], request: Request) -> dict[str, Any]:
    """The columns that were sent; both kinds of features become one list."""
    sent = checked(shape, request.data)
    typed = sent.pop("customFeatures", "")
    if typed or "features" in sent:
        sent["features"] = custom_plans.merged(sent.get("features", ()), typed)
    return sent


def _made(plan: CustomPlan) -> Response:
    answer = {"success": True, "message": "Custom plan created successfully!", "plan": plan}
    return Response(CustomPlanMadeSerializer(answer).data, status=201)


class CustomPlans(StaffView):
    """The plans that staff made, newest first."""

    @extend_schema(
        operation_id="admin_custom_plans",
        parameters=[CustomPlansQuerySerializer],
        responses={200: CustomPlansSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def get(self, request: Request) -> Response:
        page = lists.custom_plans(**checked(CustomPlansQuerySerializer, request.query_params))
        return Response(CustomPlansSerializer({"plans": page.rows, "total": page.total, "next": page.next}).data)

    @extend_schema(
        operation_id="admin_custom_plan_create",
        request=NewCustomPlanSerializer,
        responses={201: CustomPlanMadeSerializer, 400: ErrorSerializer, **_ERRORS},
    )
    def post(self, request: Request) -> Response:
        terms = custom_plans.Terms(**_read(NewCustomPlanSerializer, request))
        return _made(custom_plans.create(staff=caller(request), terms=terms))


class CustomPlanDetail(StaffView):
    """Edit a plan; what was assigned before keeps its terms."""

    @extend_schema(
        operation_id="admin_custom_plan_update",
        request=CustomPlanChangesSerializer,
        responses={200: OneCustomPlanSerializer, **_OF_ONE},
    )
    def put(self, request: Request, plan_id: int) -> Response:
        changes = _read(CustomPlanChangesSerializer, request)
        found = custom_plans.edit(staff=caller(request), plan_id=plan_id, changes=changes)
        return Response(OneCustomPlanSerializer({"plan": found}).data)


class CustomPlanClone(StaffView):
    """Make a plan like another one."""

    @extend_schema(
        operation_id="admin_custom_plan_clone",
        request=CloneSerializer,
        responses={201: CustomPlanMadeSerializer, **_OF_ONE},
    )
    def post(self, request: Request, plan_id: int) -> Response:
        name = checked(CloneSerializer, request.data)["name"]
        return _made(custom_plans.clone(staff=caller(request), plan_id=plan_id, name=name))


class CustomPlanAssign(StaffView):
    """Give a plan to a customer at once, in place of the one there was."""

    @extend_schema(
        operation_id="admin_custom_plan_assign", request=AssignSerializer, responses={200: SuccessSerializer, **_OF_ONE}
    )
    @idempotent
    def post(self, request: Request, plan_id: int) -> Response:
        wanted = checked(AssignSerializer, request.data)
        user = custom_plans.assign(
            staff=caller(request),
            plan_id=plan_id,
            user_id=wanted["user_id"],
            email=wanted["email"],
            cycle=Cycle(wanted["billing_cycle"]),
            reason=wanted["reason"],
        )
        return Response({"success": True, "message": f"Plan assigned to {user.email}"})
