"""Calls about the rules of an organisation and its domains. They need a sign-in; keys are refused."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access.calling import calling_organisation, membership_of, require_right
from accounts.access.permissions import MayCall, RecentlyConfirmed
from accounts.organisations.roles import Right
from accounts.rules import domains, services
from accounts.rules import serializers as shapes
from accounts.rules.google_rule import is_google_set_up
from emailcheck.common import request_context
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class OrganisationRules(APIView):
    """What the organisation asks of those who work in it."""

    right: ClassVar = {"GET": Right.LOOK, "PUT": Right.MANAGE}
    permission_classes = (MayCall, RecentlyConfirmed)
    confirmed_only = ("PUT",)

    @extend_schema(operation_id="organisation_rules", responses=with_errors(shapes.RulesSerializer, 401, 403, 404))
    def get(self, request: Request) -> Response:
        rules = services.load_rules(membership_of(request), address=request_context.caller_address())
        return Response(shapes.RulesSerializer(rules).data)

    @extend_schema(
        operation_id="organisation_rules_update",
        request=shapes.RuleChangesSerializer,
        responses=with_errors(shapes.RulesSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request) -> Response:
        """What is not sent stays as it is."""
        wanted = validate_shape(shapes.RuleChangesSerializer, request.data)
        if "second_factor" in wanted:
            require_right(request, Right.OWN)
        services.change_rules(
            organisation=calling_organisation(request),
            by=membership_of(request),
            address=request_context.caller_address(),
            **wanted,
        )
        return self.get(request)


class Domains(APIView):
    """The domains that the organisation named; a new one."""

    right: ClassVar = {"GET": Right.LOOK, "POST": Right.MANAGE}

    @extend_schema(
        operation_id="organisation_domains", responses=with_errors(shapes.DomainListSerializer, 401, 403, 404)
    )
    def get(self, request: Request) -> Response:
        found = domains.list_domains(calling_organisation(request))
        return Response(shapes.DomainListSerializer({"domains": found, "google_available": is_google_set_up()}).data)

    @extend_schema(
        operation_id="organisation_domains_create",
        request=shapes.NewDomainSerializer,
        responses=with_errors({201: shapes.DomainSerializer}, 400, 401, 403, 404, 409),
    )
    def post(self, request: Request) -> Response:
        made = domains.add_domain(
            organisation=calling_organisation(request), **validate_shape(shapes.NewDomainSerializer, request.data)
        )
        return Response(shapes.DomainSerializer(made).data, status=201)


class DomainDetail(APIView):
    """One domain."""

    right = Right.MANAGE
    permission_classes = (MayCall, RecentlyConfirmed)
    confirmed_only = ("PUT",)

    @extend_schema(
        operation_id="organisation_domains_update",
        request=shapes.DomainChangesSerializer,
        responses=with_errors(shapes.DomainSerializer, 400, 401, 403, 404),
    )
    def put(self, request: Request, domain_id: int) -> Response:
        required = validate_shape(shapes.DomainChangesSerializer, request.data)["google_required"]
        changed = domains.require_google(
            organisation=calling_organisation(request), domain_id=domain_id, required=required
        )
        return Response(shapes.DomainSerializer(changed).data)

    @extend_schema(operation_id="organisation_domains_remove", responses=with_errors(MessageSerializer, 401, 403, 404))
    def delete(self, request: Request, domain_id: int) -> Response:
        domains.remove_domain(organisation=calling_organisation(request), domain_id=domain_id)
        return Response({"message": "The domain was removed."})


class DomainCheck(APIView):
    """Whether DNS proves a domain, asked for now."""

    right = Right.MANAGE

    @extend_schema(
        operation_id="organisation_domains_check",
        request=None,
        responses=with_errors(shapes.CheckedDomainSerializer, 401, 403, 404, 409, 429),
    )
    def post(self, request: Request, domain_id: int) -> Response:
        domain, found = domains.check_domain(organisation=calling_organisation(request), domain_id=domain_id)
        return Response(shapes.CheckedDomainSerializer({"domain": domain, "found": found}).data)
