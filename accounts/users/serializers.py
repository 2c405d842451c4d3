"""The account as the API presents it."""

from typing import Any

from rest_framework import serializers

from accounts.users.models import Role, Status, User
from emailcheck.common import registry
from emailcheck.common.api.serializers import Shape


class AccountSerializer(Shape):
    """The signed-in account."""

    id = serializers.IntegerField()
    email = serializers.EmailField()
    name = serializers.CharField()
    company = serializers.CharField(allow_null=True)
    address = serializers.CharField(allow_null=True)
    vat_id = serializers.CharField(allow_null=True)
    picture = serializers.CharField(allow_null=True)
    role = serializers.ChoiceField(choices=Role.choices)
    status = serializers.ChoiceField(choices=Status.choices)
    is_staff = serializers.BooleanField()
    email_verified = serializers.BooleanField()
    subscription_plan = serializers.CharField()
    credits = serializers.IntegerField()
    monthly_usage = serializers.IntegerField()
    created_at = serializers.DateTimeField()


def present_account(user: User) -> dict[str, Any]:
    """The account as the API answers it; plan and credits come from the apps above by the registry."""
    values = {
        "id": user.pk,
        "email": user.email,
        "name": user.name,
        "company": user.company or None,
        "address": user.address or None,
        "vat_id": user.vat_id or None,
        "picture": None,
        "role": user.role,
        "status": user.status,
        "is_staff": user.is_staff,
        "email_verified": user.email_verified,
        "created_at": user.created_at,
    }
    return dict(AccountSerializer(values | registry.above.load_account_summary(user)).data)
