"""The staff calls about custom plans."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.access.authentication import caller
from accounts.access.views import StaffView
from billing.catalogue.plans import Cycle
from emailcheck.common.api.idempotency import idempotent
from emailcheck.common.api.serializers import Shape, validate_query, validate_shape, with_errors
from quotes.custom_plans import services as custom_plans
from quotes.custom_plans.models import CustomPlan
from quotes.custom_plans.serializers import (
    AssignSerializer,
    CloneSerializer,
    CustomPlanChangesSerializer,
    CustomPlanMadeSerializer,
    CustomPlansQuerySerializer,
    CustomPlansSerializer,
    NewCustomPlanSerializer,
    OneCustomPlanSerializer,
)
from quotes.custom_plans.services import search_custom_plans
from quotes.serializers import SuccessSerializer


def _parse_columns(shape: type[Shape], request: Request) -> dict[str, Any]:
    """The columns that were sent; both kinds of features become one list."""
    sent = validate_shape(shape, request.data)
    typed = sent.pop("customFeatures", "")
    if typed or "features" in sent:
        sent["features"] = custom_plans.merge_features(sent.get("features", ()), typed)
    return sent


def _created_response(plan: CustomPlan) -> Response:
    answer = {"success": True, "message": "Custom plan created successfully!", "plan": plan}
    return Response(CustomPlanMadeSerializer(answer).data, status=201)


class CustomPlans(StaffView):
    """The plans that staff made, newest first."""

    @extend_schema(
        operation_id="admin_custom_plans",
        parameters=[CustomPlansQuerySerializer],
        responses=with_errors(CustomPlansSerializer, 400, 401, 403),
    )
    def get(self, request: Request) -> Response:
        page = search_custom_plans(**validate_query(CustomPlansQuerySerializer, request.query_params))
        return Response(CustomPlansSerializer({"plans": page.rows, "total": page.total, "next": page.next}).data)

    @extend_schema(
        operation_id="admin_custom_plan_create",
        request=NewCustomPlanSerializer,
        responses=with_errors({201: CustomPlanMadeSerializer}, 400, 401, 403),
    )
    def post(self, request: Request) -> Response:
        terms = custom_plans.PlanTerms(**_parse_columns(NewCustomPlanSerializer, request))
        return _created_response(custom_plans.create_plan(staff=caller(request), terms=terms))


class CustomPlanDetail(StaffView):
    """Edit a plan; what was assigned before keeps its terms."""

    @extend_schema(
        operation_id="admin_custom_plan_update",
        request=CustomPlanChangesSerializer,
        responses=with_errors(OneCustomPlanSerializer, 400, 404, 401, 403),
    )
    def put(self, request: Request, plan_id: int) -> Response:
        changes = _parse_columns(CustomPlanChangesSerializer, request)
        found = custom_plans.edit_plan(staff=caller(request), plan_id=plan_id, changes=changes)
        return Response(OneCustomPlanSerializer({"plan": found}).data)


class CustomPlanClone(StaffView):
    """Make a plan like another one."""

    @extend_schema(
        operation_id="admin_custom_plan_clone",
        request=CloneSerializer,
        responses=with_errors({201: CustomPlanMadeSerializer}, 400, 404, 401, 403),
    )
    def post(self, request: Request, plan_id: int) -> Response:
        name = validate_shape(CloneSerializer, request.data)["name"]
        return _created_response(custom_plans.clone_plan(staff=caller(request), plan_id=plan_id, name=name))


class CustomPlanAssign(StaffView):
    """Give a plan to a customer at once, in place of the one there was."""

    @extend_schema(
        operation_id="admin_custom_plan_assign",
        request=AssignSerializer,
        responses=with_errors(SuccessSerializer, 400, 404, 401, 403),
    )
    @idempotent
    def post(self, request: Request, plan_id: int) -> Response:
        values = validate_shape(AssignSerializer, request.data)
        organisation = custom_plans.assign_plan(
            staff=caller(request),
            plan_id=plan_id,
            user_id=values["user_id"],
            email=values["email"],
            organisation_id=values["organisation"],
            cycle=Cycle(values["billing_cycle"]),
            reason=values["reason"],
        )
        named = organisation.title if values["organisation"] else organisation.contact.email
        return Response({"success": True, "message": f"Plan assigned to {named}"})
