"""Lists of addresses: their contents, progress and counts.

`Batch → Chunk → Result`: the counts of a batch are the sums over its chunks (`batches.chunks.models`), its results are
in `results.models`. A single check is a result without a batch.
"""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation, OwnedQuerySet, RetentionDays
from billing.ledger.models import CreditHold
from emailcheck.common import secrecy
from validation.access.readers import Reader
from validation.daily.models import Tally
from validation.engine import EVERY_CHECK, OptionalCheck


class BatchType(models.TextChoices):
    FILE_UPLOAD = "file_upload"
    BULK_TEXTAREA = "bulk_textarea"


class BatchStatus(models.TextChoices):
    QUEUED = "queued"
    PROCESSING = "processing"
    COMPLETED = "completed"
    FAILED = "failed"
    PAUSED = "paused"
    CANCELLED = "cancelled"


ACTIVE = (BatchStatus.QUEUED, BatchStatus.PROCESSING)


ENDED = (BatchStatus.COMPLETED, BatchStatus.FAILED, BatchStatus.CANCELLED)


def new_batch_id() -> str:
    return secrecy.generate_id("bat")


class BatchQuerySet(OwnedQuerySet["Batch"]):
    """Batches. A view's loader starts with `visible_to`, so that another account's id is not found."""

    def for_org(self, organisation: Organisation) -> Self:
        return self.filter(organisation=organisation, test=organisation.in_test_mode, deleted_at=None)

    def visible_to(self, reader: Reader) -> Self:
        """Those of the reader's organisation that nobody hides from the reader."""
        return self.for_org(reader.organisation).filter(reader.visible())

    def hidden_from(self, reader: Reader) -> Self:
        """Those of the reader's organisation that their makers keep to themselves, owners and admins."""
        return self.for_org(reader.organisation).filter(reader.hidden())

    def retained_for(self, days: int) -> Self:
        """Batches stored for so many days after their end, by their own setting or their account's."""
        return self.filter(Q(retention_days=days) | Q(retention_days=None, organisation__results_days=days))

    def active(self) -> Self:
        return self.filter(status__in=ACTIVE)


class Batch(Tally):
    """A submitted list: its contents, progress and counts.

    The inherited tally is written when the batch ends; until then it is the sum over the chunks.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_batch_id, editable=False)
    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="batches")
    maker = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", help_text="Who started it."
    )
    private = models.BooleanField(
        default=False, db_default=False, help_text="Only its maker, owners and admins see it, and keys that they made."
    )
    test = models.BooleanField(default=False, db_default=False, help_text="Made with a test key.")
    batch_type = models.CharField(max_length=16, choices=BatchType)
    filename = models.CharField(max_length=255, blank=True)
    file = models.CharField(max_length=255, blank=True, help_text="Path of the upload below MEDIA_ROOT.")
    status = models.CharField(max_length=12, choices=BatchStatus, default=BatchStatus.QUEUED)
    total_emails = models.PositiveIntegerField()
    duplicates_removed = models.PositiveIntegerField(default=0)
    blank_rows = models.PositiveIntegerField(default=0)
    positions_a_row = models.PositiveSmallIntegerField(
        default=1,
        db_default=1,
        help_text="1: a position is a row. Else a row may hold several addresses, and has so many positions.",
    )
    repair_choices = models.JSONField(
        null=True,
        blank=True,
        help_text="How its cells became addresses, as batches.intake.choices.RepairChoices; null: as they stood.",
    )
    repaired_count = models.PositiveIntegerField(default=0, db_default=0)
    overfull = models.JSONField(
        null=True, blank=True, help_text="The first cells with more addresses than are taken: [[row, addresses], …]."
    )
    reused_count = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Addresses that took over an earlier verdict."
    )
    cut_at = models.PositiveIntegerField(
        null=True, blank=True, help_text="The first position that was left out for want of credits."
    )
    content_hash = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="SHA-256 of its addresses."
    )
    possible = models.PositiveIntegerField(
        null=True, blank=True, help_text="Addresses of possible syntax, taken over ones too; null: as first held."
    )
    rest = models.JSONField(
        null=True, blank=True, help_text="How many addresses from `cut_at` on were left out: {unique, possible}."
    )
    hold = models.ForeignKey(CreditHold, models.RESTRICT, null=True, blank=True, related_name="+")
    checks_left_out = models.JSONField(
        "left out", null=True, blank=True, help_text="Checks that the plan did not include when the list was handed in."
    )
    error = models.CharField(max_length=300, blank=True, help_text="Why it failed or pauses.")
    stop_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="Workers hand in what they have and take no more."
    )
    retention_days = models.PositiveSmallIntegerField(
        choices=RetentionDays, null=True, blank=True, help_text="Else the account's choice."
    )
    address_location = models.JSONField(
        "place",
        null=True,
        blank=True,
        help_text="Where the addresses are in the file, as listfiles.Place; null without a file.",
    )
    use_providers = models.BooleanField(
        null=True, blank=True, help_text="False keeps the addresses in-house; null: as the account says."
    )
    operators = models.JSONField(
        null=True, blank=True, help_text="Rows by operator, as far as known before the start; null once that is past."
    )
    questions_booked = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Questions to outside providers about its rows."
    )
    rankings = models.JSONField(
        null=True,
        blank=True,
        help_text="Its commonest reasons and largest mail hosts, as `reports` counted them since it ended.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    rechecked_at = models.DateTimeField(null=True, blank=True, help_text="When its unknown rows were taken up again.")
    full_check_at = models.DateTimeField(
        "in full at",
        null=True,
        blank=True,
        help_text="When the rows that basic checks had left undecided were taken up in full.",
    )
    rest_at = models.DateTimeField(
        null=True, blank=True, help_text="When addresses that were left out were taken up last."
    )
    expiry_announced_at = models.DateTimeField(null=True, blank=True)
    expired_at = models.DateTimeField(null=True, blank=True, help_text="When its retention ended.")
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="Its owner sees it no more; the counts stay.")

    objects = BatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "batches"
        indexes = [
            models.Index(fields=["organisation", "-id"], name="batch_history"),
            # Complete, because SQLite leaves partial indexes aside when their condition comes as a parameter.
            models.Index(fields=["status"], name="batch_by_status"),
        ]

    def __str__(self) -> str:
        return self.public_id

    def row_of(self, position: int) -> int:
        """The row of a position: the data row of the file, or the line of a typed list, from 1."""
        return position // self.positions_a_row

    def last_position_of(self, row: int) -> int:
        """The last position that a row can have."""
        return (row + 1) * self.positions_a_row - 1

    @property
    def checks(self) -> frozenset[OptionalCheck]:
        """The optional checks of its rows, fixed at the start whatever the plan becomes."""
        left_out = () if self.full_check_at else self.checks_left_out or ()
        return EVERY_CHECK - frozenset(map(OptionalCheck, left_out))

    @property
    def is_basic(self) -> bool:
        """Whether its rows get only the checks of the Free plan."""
        return self.checks != EVERY_CHECK

    @property
    def last_recheck_at(self) -> datetime | None:
        """When rows were last re-checked, free or in full; None without a re-check since its rest was taken up."""
        last = max((at for at in (self.rechecked_at, self.full_check_at) if at), default=None)
        return None if last and self.rest_at and last < self.rest_at else last

    @property
    def is_rechecked(self) -> bool:
        """Whether its unknown rows had their free second look, those of its rest too."""
        return self.rechecked_at is not None and (self.rest_at is None or self.rest_at < self.rechecked_at)

    @property
    def is_free_recheck(self) -> bool:
        """Whether its last re-check was the free one of unknown rows."""
        return self.rechecked_at is not None and self.rechecked_at == self.last_recheck_at

    @property
    def expires_at(self) -> datetime | None:
        """When its results are removed; None while it runs and after their removal."""
        if self.completed_at is None or self.expired_at is not None:
            return None
        return self.completed_at + timedelta(days=self.retention_days or self.organisation.results_days)
