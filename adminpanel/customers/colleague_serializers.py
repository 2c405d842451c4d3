"""How the deletion of a colleague is asked for and shown."""

from typing import Any

from rest_framework import serializers

from accounts.activity import actors
from accounts.staff.models import ColleagueDeletion
from accounts.users.models import User
from emailcheck.common.api.serializers import Shape


class ColleagueDeletionSerializer(Shape):
    id = serializers.IntegerField()
    user_id = serializers.IntegerField()
    name = serializers.CharField()
    email = serializers.CharField()
    reason = serializers.CharField()
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    may_confirm = serializers.BooleanField(help_text="Neither asked for by the caller, nor about the caller.")
    may_cancel = serializers.BooleanField(help_text="Not about the caller.")


class ColleagueDeletionsSerializer(Shape):
    deletions = ColleagueDeletionSerializer(many=True)


class ColleagueDeletionDoneSerializer(Shape):
    success = serializers.BooleanField()
    message = serializers.CharField()


def present_deletion(deletion: ColleagueDeletion, reader: User) -> dict[str, Any]:
    """A request as this administrator sees it."""
    is_own_account = deletion.colleague_id == reader.pk
    values = {
        "id": deletion.pk,
        "user_id": deletion.colleague_id,
        "name": deletion.colleague_name,
        "email": deletion.colleague_email,
        "reason": deletion.reason,
        "asked_by": actors.format_actors([deletion])[0],
        "asked_at": deletion.created_at,
        "expires_at": deletion.expires_at,
        "may_confirm": not is_own_account and deletion.staff_id != reader.pk,
        "may_cancel": not is_own_account,
    }
    return dict(ColleagueDeletionSerializer(values).data)
