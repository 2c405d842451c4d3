"""Domains that an organisation has proved to own."""

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation, OwnedQuerySet


class OwnedDomain(models.Model):
    """A domain of mail that an organisation names as its own; it is so from when its DNS says so, for one alone."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, related_name="domains")
    name = models.CharField(max_length=253, help_text="In lower case and A-labels.")
    token = models.CharField(max_length=64, help_text="What the TXT record has to say.")
    google_required = models.BooleanField(default=False, help_text="Its people sign in by Google alone.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    proved_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True, help_text="When DNS was asked last.")
    lost_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when DNS does not say so any more; none: it does, or never did."
    )

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "name"], name="owned_domain_once"),
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(proved_at__isnull=False), name="owned_domain_of_one"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def record_name(self) -> str:
        """Where the TXT record is looked for first; it may stand at the domain itself too."""
        return f"_emailcheck.{self.name}"

    @property
    def record_value(self) -> str:
        """What it says."""
        return f"emailcheck-domain={self.token}"
