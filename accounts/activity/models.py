"""What happened on an account, and who of the staff did it."""

from django.db import models
from django.utils import timezone

from accounts.activity.actors import StaffAct
from accounts.organisations.models import Organisation, OwnedQuerySet
from accounts.users.models import User


class ActivityKind(models.TextChoices):
    SIGN_IN = "sign_in"
    KEY = "key"
    SETTINGS = "settings"
    PURCHASE = "purchase"
    VALIDATION = "validation"
    MEMBER = "member"
    EXPORT = "export"
    STAFF = "staff"


class Activity(StaffAct):
    """What happened on an account, when and from where; what staff do also says who did it and what changed."""

    user = models.ForeignKey(
        User, models.SET_NULL, null=True, related_name="activity", help_text="Who did it, or on whose account it was."
    )
    organisation = models.ForeignKey(
        Organisation,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="activity",
        db_index=False,
        db_constraint=False,
    )
    role = models.CharField(
        max_length=10, blank=True, default="", db_default="", help_text="As what in the organisation; none: by itself."
    )
    via = models.CharField(
        max_length=100, blank=True, default="", db_default="", help_text="The API key, or the agency, that acted."
    )
    is_copy = models.BooleanField(
        default=False,
        db_default=False,
        help_text="For the audit of the organisation alone: the person has the same line without one.",
    )
    kind = models.CharField(max_length=10, choices=ActivityKind)
    action = models.CharField(max_length=200)
    ip = models.GenericIPAddressField(null=True)
    staff_id = models.BigIntegerField(null=True, db_index=True)
    target = models.CharField(max_length=100, blank=True)
    changes = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "activity"
        indexes = [
            models.Index(fields=["user", "-id"], name="activity_of_user"),
            models.Index(fields=["organisation", "-id"], name="activity_of_organisation"),
            models.Index(fields=["kind", "-id"], name="activity_of_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M} {self.action}"
