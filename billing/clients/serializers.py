"""Shapes of the calls about clients of an agency."""

from typing import Any

from rest_framework import serializers

from billing.clients.services import Agency, Client
from billing.ledger.models import CreditTransfer, Direction
from emailcheck.common.api.serializers import Shape


class NewClientSerializer(Shape):
    name = serializers.CharField(max_length=100)


class ClientSerializer(serializers.Serializer[Client]):
    id = serializers.CharField()
    name = serializers.CharField()
    credits = serializers.IntegerField(help_text="What it can spend.")
    returnable = serializers.IntegerField(help_text="What of it can be taken back: given by the agency and not spent.")
    members = serializers.IntegerField()
    has_logo = serializers.BooleanField()
    created_at = serializers.DateTimeField()


class ClientsSerializer(serializers.Serializer[Agency]):
    clients = ClientSerializer(many=True)
    may_make = serializers.BooleanField(help_text="Whether the plan includes clients.")
    movable = serializers.IntegerField(help_text="Credits that can be given: no welcome, trial or frozen ones.")


class NewTransferSerializer(Shape):
    credits = serializers.IntegerField(min_value=1, max_value=1_000_000_000)
    direction = serializers.ChoiceField(choices=Direction.choices)
    key = serializers.RegexField(
        r"^[\x21-\x7e]{8,80}$", help_text="Made by the caller: the same key moves credits once."
    )


class CreditTransferSerializer(serializers.ModelSerializer[CreditTransfer]):
    id = serializers.CharField(source="public_id")
    agency = serializers.SerializerMethodField()
    client = serializers.CharField(source="client.title")

    class Meta:
        model = CreditTransfer
        fields = ("id", "agency", "client", "direction", "credits", "created_at")

    def get_agency(self, transfer: CreditTransfer) -> str | None:
        return transfer.agency.title if transfer.agency else None


class CreditTransfersSerializer(serializers.Serializer[Any]):
    transfers = CreditTransferSerializer(many=True)


class ReceivedSerializer(CreditTransfersSerializer):
    agency = serializers.CharField(allow_null=True, help_text="The agency that acts in it and pays for it.")


class LogoSerializer(Shape):
    logo = serializers.FileField(help_text="PNG or JPEG, up to 200 KB.")
