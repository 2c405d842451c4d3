"""What happened on an account, and who of the staff did it."""

from typing import Self

from django.db import models
from django.utils import timezone

from accounts.activity.actors import StaffAct
from accounts.users.models import User


class ActivityKind(models.TextChoices):
    SIGN_IN = "sign_in"
    KEY = "key"
    SETTINGS = "settings"
    PURCHASE = "purchase"
    VALIDATION = "validation"
    STAFF = "staff"


class ActivityQuerySet(models.QuerySet["Activity"]):
    def for_user(self, user: User) -> Self:
        return self.filter(user=user)


class Activity(StaffAct):
    """What happened on an account, when and from where; what staff do also says who did it and what changed."""

    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="activity")
    kind = models.CharField(max_length=10, choices=ActivityKind)
    action = models.CharField(max_length=200)
    ip = models.GenericIPAddressField(null=True)
    staff_id = models.BigIntegerField(null=True, db_index=True)
    target = models.CharField(max_length=100, blank=True)
    changes = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ActivityQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "activity"
        indexes = [
            models.Index(fields=["user", "-id"], name="activity_of_user"),
            models.Index(fields=["kind", "-id"], name="activity_of_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M} {self.action}"
