"""Uploaded files before their start."""

from typing import Self

from django.db import models
from django.utils import timezone

from accounts.organisations.models import Organisation, OwnedQuerySet, RetentionDays
from emailcheck.common import secrecy
from validation.batches.models import Batch


def new_upload_id() -> str:
    return secrecy.generate_id("upl")


class UploadQuerySet(OwnedQuerySet["Upload"]):
    """Uploads. A view's loader starts with `for_org`, so that another account's id is not found."""

    def for_org(self, organisation: Organisation) -> Self:
        return self.filter(organisation=organisation, test=organisation.in_test_mode)

    def open(self) -> Self:
        """Uploads that are not started."""
        return self.filter(batch=None)


class Upload(models.Model):
    """A file before its start: its format, contents and choices. No credits are held for it."""

    public_id = models.CharField(max_length=32, unique=True, default=new_upload_id, editable=False)
    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="uploads")
    filename = models.CharField(max_length=255, blank=True)
    test = models.BooleanField(default=False, db_default=False, help_text="Handed in with a test key.")
    pasted = models.BooleanField(default=False, db_default=False, help_text="A typed list, kept as a file.")
    file = models.CharField(max_length=255, help_text="Path below MEDIA_ROOT.")
    sorted_file = models.CharField(
        max_length=255, help_text="Findings, then its addresses in chunks, as JSON lines beside it."
    )
    options = models.JSONField(help_text="What the customer insists on, as listfiles.ReadOptions.")
    shape = models.JSONField(help_text="How the file was understood, as listfiles.ListShape.")
    rows = models.PositiveIntegerField()
    possible = models.PositiveIntegerField(help_text="Unique addresses that can cost a credit.")
    bad_syntax = models.PositiveIntegerField()
    duplicates = models.PositiveIntegerField()
    blank = models.PositiveIntegerField()
    operators = models.JSONField(
        null=True, blank=True, help_text="Rows by operator, as `validation.batches.intake.operators` knows them."
    )
    repair_choices = models.JSONField(
        null=True,
        blank=True,
        help_text="How cells become addresses, as batches.intake.choices.RepairChoices; null: as they stand.",
    )
    findings = models.JSONField(
        null=True, blank=True, help_text="What is to be reviewed, as batches.intake.findings counts it."
    )
    content_hash = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="SHA-256 of the addresses of the whole list."
    )
    cut_at = models.PositiveIntegerField(null=True, blank=True, help_text="The first position left out by max_credits.")
    rest = models.JSONField(
        null=True, blank=True, help_text="How many addresses from `cut_at` on were left out: {unique, possible}."
    )
    reuse_days = models.PositiveSmallIntegerField(
        default=0, db_default=0, help_text="Verdicts of up to so many days are taken over; 0: none."
    )
    known = models.JSONField(
        null=True, blank=True, help_text="What is known of its addresses, as batches.reuse.KnownAddresses counts it."
    )
    known_file = models.CharField(
        max_length=255, blank=True, default="", db_default="", help_text="The verdicts to take over, beside the file."
    )
    retention_days = models.PositiveSmallIntegerField(null=True, blank=True, choices=RetentionDays)
    use_providers = models.BooleanField(null=True, blank=True)
    max_credits = models.PositiveIntegerField(
        null=True, blank=True, help_text="It is cut to the first addresses that so many credits pay for."
    )
    batch = models.OneToOneField(Batch, models.CASCADE, null=True, blank=True, related_name="upload")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["organisation", "-id"], name="upload_newest")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def unique(self) -> int:
        return self.possible + self.bad_syntax
