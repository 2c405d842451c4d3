"""The sample of a list: figures at once, verdicts once the list starts."""

from typing import Self

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation
from emailcheck.common.queue.leases import Leased, LeasedQuerySet
from validation.results.fields import PackedJSONField


class SampleQuerySet(LeasedQuerySet["Sample"]):
    """Samples. Each content has one. One is held by a lease as long as it is under work."""

    def for_org(self, organisation: Organisation) -> Self:
        return self.filter(organisation=organisation, test=organisation.in_test_mode)

    def under_way(self) -> Self:
        return self.filter(ended_at=None)


class Sample(Leased):
    """A random part of a list, fully checked free of charge, once for each content."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="samples")
    test = models.BooleanField(default=False, db_default=False, help_text="Made with a test key.")
    content_hash = models.CharField(max_length=64, help_text="SHA-256 of the addresses of the list.")
    unique = models.PositiveIntegerField(help_text="Different addresses of the list.")
    size = models.PositiveSmallIntegerField(help_text="Addresses that were drawn.")
    counts = models.JSONField(
        null=True, blank=True, help_text="How many came out how, as batches.samples.estimates has it; null: under way."
    )
    verdicts = PackedJSONField(null=True, blank=True, help_text="[[address, verdict], …], each null until the end.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    ended_at = models.DateTimeField(null=True, blank=True)

    objects = SampleQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organisation", "test", "content_hash"], name="sample_once_per_content")
        ]
        indexes = [
            models.Index(fields=["organisation", "created_at"], name="sample_by_month"),
            models.Index(fields=["ended_at"], name="sample_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id}: {self.content_hash[:8]}"
