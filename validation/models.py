"""Batches, their chunks and the results.

`Batch → Chunk → Result`: a chunk carries the addresses of a batch that one worker checks in one go; its results are
written once, when it is done. The counts of a batch are the sums over its chunks. A single check is a result
without a batch.
"""

import secrets
from datetime import datetime, timedelta
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.models import KeptDays, User
from billing.models import CreditHold
from emailcheck.common import ids
from validation.day_models import Tally
from validation.egress_models import EgressAddress as EgressAddress
from validation.engine import EVERY_CHECK, OptionalCheck
from validation.evidence_models import DomainMemory as DomainMemory
from validation.evidence_models import Evidence as Evidence
from validation.fields import ByteOrderedField
from validation.packing import PackedJSONField, read
from validation.provider_models import Question as Question
from validation.webhook_models import Webhook as Webhook


class Category(models.TextChoices):
    VALID = "valid"
    INVALID = "invalid"
    CATCH_ALL = "catch_all"
    DISPOSABLE = "disposable"
    SPAM_TRAP = "spam_trap"
    UNKNOWN = "unknown"


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


class ChunkState(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


UNFINISHED = (ChunkState.PENDING, ChunkState.RUNNING)


def new_batch_id() -> str:
    return ids.new("bat")


class BatchQuerySet(models.QuerySet["Batch"]):
    """Batches; the loader of a view starts with `for_user`, so that a stranger's id is not found."""

    def for_user(self, user: User) -> Self:
        return self.filter(user=user, test=user.in_test_mode, deleted_at=None)

    def kept_for(self, days: int) -> Self:
        """Those that are kept so many days after their end, by their own choice or their account's."""
        return self.filter(Q(retention_days=days) | Q(retention_days=None, user__results_days=days))

    def active(self) -> Self:
        return self.filter(status__in=ACTIVE)


class Batch(Tally):
    """A list that was handed in: what it holds, how far it is, what came out.

    The inherited tally is written when the batch ends; until then it is the sum over the chunks.
    """

    public_id = models.CharField(max_length=32, unique=True, default=new_batch_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="batches")
    test = models.BooleanField(default=False, db_default=False, help_text="Made with a test key.")
    batch_type = models.CharField(max_length=16, choices=BatchType)
    filename = models.CharField(max_length=255, blank=True)
    file = models.CharField(max_length=255, blank=True, help_text="Path of the upload below MEDIA_ROOT.")
    status = models.CharField(max_length=12, choices=BatchStatus, default=BatchStatus.QUEUED)
    total_emails = models.PositiveIntegerField()
    duplicates_removed = models.PositiveIntegerField(default=0)
    blank_rows = models.PositiveIntegerField(default=0)
    hold = models.ForeignKey(CreditHold, models.RESTRICT, null=True, blank=True, related_name="+")
    left_out = models.JSONField(
        null=True, blank=True, help_text="Checks that the plan did not include when the list was handed in."
    )
    error = models.CharField(max_length=300, blank=True, help_text="Why it failed or pauses.")
    stop_asked_at = models.DateTimeField(
        null=True, blank=True, help_text="Workers hand in what they have and take no more."
    )
    retention_days = models.PositiveSmallIntegerField(
        choices=KeptDays, null=True, blank=True, help_text="Else the account's choice."
    )
    place = models.JSONField(
        null=True, blank=True, help_text="Where the addresses are in the file, as listfiles.Place; null without a file."
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
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    started_at = models.DateTimeField(null=True, blank=True)
    completed_at = models.DateTimeField(null=True, blank=True)
    rechecked_at = models.DateTimeField(null=True, blank=True, help_text="When its unknown rows were taken up again.")
    in_full_at = models.DateTimeField(
        null=True, blank=True, help_text="When the rows that basic checks had left undecided were taken up in full."
    )
    expiry_announced_at = models.DateTimeField(null=True, blank=True)
    expired_at = models.DateTimeField(null=True, blank=True, help_text="When its retention ended.")
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="Its owner sees it no more; the counts stay.")

    objects = BatchQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "batches"
        indexes = [
            models.Index(fields=["user", "-id"], name="batch_history"),
            # Complete, because SQLite leaves partial indexes aside when their condition comes as a parameter.
            models.Index(fields=["status"], name="batch_by_status"),
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def checks(self) -> frozenset[OptionalCheck]:
        """The optional checks that are made for its rows, whatever becomes of the plan meanwhile."""
        left_out = () if self.in_full_at else self.left_out or ()
        return EVERY_CHECK - frozenset(map(OptionalCheck, left_out))

    @property
    def is_basic(self) -> bool:
        """Whether its rows get the checks of Free alone."""
        return self.checks != EVERY_CHECK

    @property
    def second_look_at(self) -> datetime | None:
        """When some of its rows were last taken up again, free or in full; None while it has been looked at once."""
        return max((at for at in (self.rechecked_at, self.in_full_at) if at), default=None)

    @property
    def looks_for_free(self) -> bool:
        """Whether its last look was the free one at unknown rows."""
        return self.rechecked_at is not None and self.rechecked_at == self.second_look_at

    @property
    def expires_at(self) -> datetime | None:
        """When its results are removed; None while it runs and when they are gone."""
        if self.completed_at is None or self.expired_at is not None:
            return None
        return self.completed_at + timedelta(days=self.retention_days or self.user.results_days)


def new_upload_id() -> str:
    return ids.new("upl")


class UploadQuerySet(models.QuerySet["Upload"]):
    """Uploads; the loader of a view starts with `for_user`, so that a stranger's id is not found."""

    def for_user(self, user: User) -> Self:
        return self.filter(user=user)

    def open(self) -> Self:
        """Those that nobody has started."""
        return self.filter(batch=None)


class Upload(models.Model):
    """A file before its start: how it was understood, what it holds and what was chosen. Nothing is held for it."""

    public_id = models.CharField(max_length=32, unique=True, default=new_upload_id, editable=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="uploads")
    filename = models.CharField(max_length=255)
    file = models.CharField(max_length=255, help_text="Path below MEDIA_ROOT.")
    sorted_file = models.CharField(max_length=255, help_text="Its addresses in chunks, as JSON lines, beside it.")
    options = models.JSONField(help_text="What the customer insists on, as listfiles.ReadOptions.")
    shape = models.JSONField(help_text="How the file was understood, as listfiles.ListShape.")
    rows = models.PositiveIntegerField()
    possible = models.PositiveIntegerField(help_text="Unique addresses that can cost a credit.")
    bad_syntax = models.PositiveIntegerField()
    duplicates = models.PositiveIntegerField()
    blank = models.PositiveIntegerField()
    operators = models.JSONField(
        null=True, blank=True, help_text="Rows by operator, as `validation.operators` knows them."
    )
    retention_days = models.PositiveSmallIntegerField(null=True, blank=True, choices=KeptDays)
    use_providers = models.BooleanField(null=True, blank=True)
    max_credits = models.PositiveIntegerField(
        null=True, blank=True, help_text="It is cut to the first addresses that so many credits pay for."
    )
    batch = models.OneToOneField(Batch, models.CASCADE, null=True, blank=True, related_name="upload")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(db_index=True)

    objects = UploadQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["user", "-id"], name="upload_newest")]

    def __str__(self) -> str:
        return self.public_id

    @property
    def unique(self) -> int:
        return self.possible + self.bad_syntax


def new_lease() -> str:
    return secrets.token_hex(16)


class Chunk(Tally):
    """A part of a batch that one worker checks in one go.

    A worker claims it by a lease: whoever holds the newest `lease` may write, everybody else is fenced off.
    """

    # The indexes below serve this key too.
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="chunks", db_index=False)
    number = models.PositiveIntegerField()
    rows = models.JSONField(
        help_text="[[position, address], …], with how it was asked for before and how long it stood in line since, "
        "where it was; empty once results."
    )
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=ChunkState, default=ChunkState.PENDING)
    lease = models.CharField(max_length=32, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    not_before = models.DateTimeField(
        null=True, blank=True, help_text="Its rows wait until then: for greylisting hosts, in line, for providers."
    )
    waits_for = models.CharField(
        max_length=32, blank=True, default="", db_default="", help_text="The operator for which its rows stand in line."
    )
    wait_cause = models.CharField(
        max_length=8,
        blank=True,
        default="",
        db_default="",
        help_text="The limit of ours for which they do; empty: none.",
    )
    waits_since = models.DateTimeField(null=True, blank=True, help_text="When they got into line.")
    asks = models.BooleanField(
        default=False, db_default=False, help_text="The engine has left its rows open, and outside providers are asked."
    )
    left_open = PackedJSONField(null=True, blank=True, help_text="What the engine says of the rows of such a chunk.")
    done_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "number"], name="chunk_number_once"),
        ]
        indexes = [
            # A batch may have thousands of chunks that wait: what workers ask all the time, and what pages show of
            # them, is answered from this index alone. Complete, because SQLite leaves partial indexes aside when their
            # condition comes as a parameter.
            models.Index(
                fields=[
                    "batch",
                    "state",
                    "not_before",
                    "number",
                    "waits_for",
                    "wait_cause",
                    "asks",
                    "attempts",
                    "size",
                ],
                name="chunk_by_state",
            ),
            models.Index(fields=["batch", "lease_until"], name="chunk_by_lease"),
            models.Index(fields=["batch", "done_at", "processed"], name="chunk_by_end"),
        ]

    def __str__(self) -> str:
        return f"{self.batch_id}/{self.number}"


class ResultQuerySet(models.QuerySet["Result"]):
    """Results; lists leave the evidence in the database."""

    def for_user(self, user: User) -> Self:
        return self.filter(batch__user=user, batch__test=True) if user.in_test_mode else self.filter(user=user)

    def individual(self) -> Self:
        return self.filter(batch=None)

    def without_evidence(self) -> Self:
        return self.defer("details")


_SINGLE = Q(batch=None)


class Result(models.Model):
    """The verdict on one address, with its evidence."""

    # The indexes below serve these keys too. Results of test mode have no account, so that nothing live finds them.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="results", db_index=False
    )
    batch = models.ForeignKey(Batch, models.CASCADE, null=True, blank=True, related_name="results", db_index=False)
    position = models.PositiveIntegerField(default=0, help_text="Row of the list, from 1.")
    email = models.CharField(max_length=1000)
    address = ByteOrderedField(
        max_length=320, db_default="", editable=False, help_text="The e-mail in lower case, as searches take it."
    )
    domain = models.CharField(max_length=255, blank=True)
    category = models.CharField(max_length=10, choices=Category)
    reason = models.CharField(max_length=32)
    sentence = models.CharField(max_length=300)
    confidence = models.FloatField()
    safe_to_send = models.BooleanField()
    syntax_valid = models.BooleanField()
    domain_valid = models.BooleanField(null=True)
    smtp_valid = models.BooleanField(null=True)
    is_disposable = models.BooleanField(null=True)
    is_catch_all = models.BooleanField(null=True)
    is_spam_trap = models.BooleanField(null=True)
    is_free = models.BooleanField()
    basic = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Only the checks of Free were made, whatever they would have decided.",
    )
    charged = models.BooleanField()
    rechecked_at = models.DateTimeField(
        null=True, blank=True, help_text="Set on a second verdict, in the place of an unknown one."
    )
    created_at = models.DateTimeField(default=timezone.now)
    details = models.JSONField(
        help_text="Of a single check: flags, suggestion, mail hosts, checks, transcript. In a list: page and index."
    )

    objects = ResultQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["batch", "position"], name="result_once_per_row"),
            models.CheckConstraint(
                condition=Q(confidence__gte=0, confidence__lte=1), name="result_confidence_in_range"
            ),
        ]
        indexes = [
            # Each order of a page is a range of one of these for each category; see `validation.ranges`.
            models.Index(fields=["batch", "category", "position"], name="result_by_category"),
            models.Index(fields=["batch", "category", "address", "position", "confidence"], name="result_by_address"),
            models.Index(fields=["batch", "category", "domain", "position", "confidence"], name="result_by_domain"),
            models.Index(fields=["batch", "category", "confidence", "position"], name="result_by_confidence"),
            models.Index(fields=["user", "-id"], name="result_history"),
            models.Index(fields=["user", "category", "-id"], name="result_history_category"),
            models.Index(fields=["user", "category", "-id"], condition=_SINGLE, name="result_single_category"),
            models.Index(fields=["user", "category", "address", "id"], condition=_SINGLE, name="result_single_address"),
            models.Index(fields=["user", "category", "domain", "id"], condition=_SINGLE, name="result_single_domain"),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    def evidence(self) -> dict[str, Any]:
        """What the verdict rests on: flags, did_you_mean, mx, transcript, checks."""
        if isinstance(self.details, dict):
            return self.details
        page, index = self.details
        return read(Evidence.objects.get(pk=page).rows, index)
