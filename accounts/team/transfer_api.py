"""Calls that hand an organisation over to another member. Keys are refused."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.access import limits
from accounts.access.authentication import caller
from accounts.access.calling import calling_organisation
from accounts.access.models import SignIn
from accounts.organisations.roles import Right
from accounts.team import serializers as shapes
from accounts.team import transfers
from emailcheck.common.api.serializers import MessageSerializer, validate_shape, with_errors


class Transfer(APIView):
    """An owner's offer."""

    right: ClassVar = Right.OWN

    @extend_schema(
        operation_id="organisation_transfer",
        request=shapes.TransferRequestSerializer,
        responses=with_errors({201: shapes.OwnershipOfferSerializer}, 400, 401, 403, 404, 409, 429),
    )
    def post(self, request: Request) -> Response:
        """Offer the organisation to a member, with password or code. Nothing changes until they accept."""
        assert isinstance(request.auth, SignIn)
        user, given = caller(request), validate_shape(shapes.TransferRequestSerializer, request.data)
        member_id = given.pop("member_id")
        limits.count_code_guess(user_id=user.pk)
        transfers.confirm_giver(user=user, sign_in=request.auth, **given)
        limits.reset_code_guesses(user_id=user.pk)
        made = transfers.offer_organisation(organisation=calling_organisation(request), giver=user, member_id=member_id)
        return Response(shapes.OwnershipOfferSerializer(shapes.present_transfer(made, user.pk)).data, status=201)

    @extend_schema(
        operation_id="organisation_transfer_withdraw", responses=with_errors(MessageSerializer, 401, 403, 404)
    )
    def delete(self, request: Request) -> Response:
        """Withdraw the offer."""
        transfers.withdraw_transfer(organisation=calling_organisation(request))
        return Response({"message": "The offer was withdrawn."})


class AcceptTransfer(APIView):
    """Accepting the offer, as its receiver."""

    right = Right.LOOK

    @extend_schema(
        operation_id="organisation_transfer_accept",
        request=None,
        responses=with_errors(MessageSerializer, 401, 403, 404),
    )
    def post(self, request: Request) -> Response:
        transfers.accept_transfer(organisation=calling_organisation(request), receiver=caller(request))
        return Response({"message": "You are an owner of the organisation now."})


class DeclineTransfer(APIView):
    """Declining the offer, as its receiver."""

    right = Right.LOOK

    @extend_schema(
        operation_id="organisation_transfer_decline",
        request=None,
        responses=with_errors(MessageSerializer, 401, 403, 404),
    )
    def post(self, request: Request) -> Response:
        transfers.decline_transfer(organisation=calling_organisation(request), receiver=caller(request))
        return Response({"message": "You have declined."})
