"""Stored verdicts: a result for each address, and pages of evidence for lists."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation, OwnedQuerySet
from validation.access.readers import Reader
from validation.results.fields import ByteOrderedField, PackedJSONField


class Evidence(models.Model):
    """A page with the evidence of several rows of a chunk, which have most of it in common."""

    batch = models.ForeignKey("validation.Batch", models.CASCADE, related_name="evidence")
    rows = PackedJSONField(help_text="A page as `validation.results.storage` makes it.")

    class Meta:
        verbose_name_plural = "evidence"

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.pk}"


class RepairedAddress(models.Model):
    """An address of a list that was taken out of another text, or spelt anew by the customer's choice."""

    # The constraint below serves this key too.
    batch = models.ForeignKey("validation.Batch", models.CASCADE, related_name="repaired", db_index=False)
    position = models.PositiveIntegerField(help_text="Of its result.")
    source = models.CharField(max_length=1000, help_text="The text as it was handed in.")
    source_key = ByteOrderedField(max_length=320, help_text="The text in lower case, as searches take it.")
    kinds = models.CharField(max_length=120, help_text="The kinds of repair, of `validation.engine.repair`, by blanks.")

    class Meta:
        verbose_name_plural = "repaired addresses"
        constraints = [models.UniqueConstraint(fields=["batch", "position"], name="repaired_once_per_position")]
        indexes = [models.Index(fields=["batch", "source_key"], name="repaired_by_source")]

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.position}"


class Category(models.TextChoices):
    VALID = "valid"
    INVALID = "invalid"
    CATCH_ALL = "catch_all"
    DISPOSABLE = "disposable"
    SPAM_TRAP = "spam_trap"
    UNKNOWN = "unknown"


class ResultQuerySet(OwnedQuerySet["Result"]):
    """Results. Lists do not load the evidence."""

    def for_org(self, organisation: Organisation) -> Self:
        return (
            self.filter(batch__organisation=organisation, batch__test=True)
            if organisation.in_test_mode
            else self.filter(organisation=organisation)
        )

    def visible_to(self, reader: Reader) -> Self:
        """Those of the reader's organisation, without those of lists that are hidden from the reader."""
        return self.for_org(reader.organisation).filter(reader.visible("batch__"))

    def individual(self) -> Self:
        return self.filter(batch=None)

    def without_evidence(self) -> Self:
        """Results with their lists, which know their rows."""
        return self.defer("details").prefetch_related("batch")


_SINGLE = Q(batch=None)
_UNDECIDED = Q(category__in=[Category.CATCH_ALL.value, Category.UNKNOWN.value])


class Result(models.Model):
    """The verdict on one address, with its evidence."""

    # The indexes below serve these keys too. Results of test mode have no account, so that nothing live finds them.
    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", null=True, related_name="results", db_index=False
    )
    batch = models.ForeignKey(
        "validation.Batch", models.CASCADE, null=True, blank=True, related_name="results", db_index=False
    )
    position = models.PositiveIntegerField(
        default=0, help_text="Where it stands in the list; its row is found by `Batch.row_of`."
    )
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
    reused_from = models.DateTimeField(
        null=True,
        blank=True,
        help_text="When an earlier list made the verdict that this one took over, free of charge.",
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
            # Each order of a page is a range of one of these for each category; see `validation.results.index_ranges`.
            models.Index(fields=["batch", "category", "position"], name="result_by_category"),
            # With all that a search is sorted and chosen by, of a list or of the history, so that it reads no rows.
            models.Index(
                fields=["batch", "category", "address", "position", "confidence", "safe_to_send", "id"],
                name="result_search_by_address",
            ),
            models.Index(
                fields=["batch", "category", "domain", "position", "confidence", "safe_to_send", "id"],
                name="result_search_by_domain",
            ),
            models.Index(
                fields=["batch", "category", "confidence", "position", "safe_to_send"],
                name="result_confidence_decision",
            ),
            # The undecided that are safe, or that are not, may be few among many.
            models.Index(
                fields=["batch", "category", "safe_to_send", "position"], condition=_UNDECIDED, name="result_undecided"
            ),
            models.Index(fields=["organisation", "-id"], name="result_history"),
            models.Index(fields=["organisation", "category", "-id"], name="result_history_category"),
            models.Index(fields=["organisation", "category", "-created_at", "-id"], name="result_history_day"),
            models.Index(fields=["organisation", "category", "-id"], condition=_SINGLE, name="result_single_category"),
            # With the time, so that a search of some days reads no rows either.
            models.Index(
                fields=["organisation", "category", "address", "id", "created_at"],
                condition=_SINGLE,
                name="result_search_single_address",
            ),
            models.Index(
                fields=["organisation", "category", "domain", "id", "created_at"],
                condition=_SINGLE,
                name="result_search_single_domain",
            ),
            models.Index(
                fields=["organisation", "category", "-created_at", "-id"],
                condition=_SINGLE,
                name="result_single_by_day",
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def row(self) -> int:
        """Its row in the list, from 1; 0 of a single check."""
        return self.batch.row_of(self.position) if self.batch else 0
