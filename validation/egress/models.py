"""The known egress addresses of all machines."""

from django.db import models
from django.utils import timezone

from accounts.activity.actors import StaffAct


class EgressUse(models.TextChoices):
    """The staff's decision about an egress address. All but the first open no new sessions."""

    ACTIVE = "active"
    RESTING = "resting"
    DRAINING = "draining"
    REMOVED = "removed"


class EgressAddress(StaffAct):
    """One egress address of the `VERIFIER_ROUTES` of some process, now or earlier.

    Without `warms_since` it is warm: it was there at the first start.
    """

    key = models.CharField(max_length=500, unique=True, help_text="Source address, or proxy without its password.")
    name = models.CharField(max_length=100, help_text="What evidence and routes call it.")
    helo = models.CharField(max_length=253)
    state = models.CharField(max_length=8, choices=EgressUse, default=EgressUse.ACTIVE)
    added_at = models.DateTimeField(default=timezone.now)
    warms_since = models.DateTimeField(null=True, blank=True)
    seen_at = models.DateTimeField(help_text="When a process last had it among its routes.")
    note = models.CharField(max_length=200, blank=True, help_text="Why its state was changed.")
    changed_at = models.DateTimeField(null=True, blank=True)
    staff_id = models.BigIntegerField(null=True, blank=True, help_text="Who changed it last.")

    class Meta:
        verbose_name_plural = "egress addresses"

    def __str__(self) -> str:
        return self.name
