"""Counts of a day: what pages show without counting results."""

from django.db import models

from accounts.organisations.models import Organisation, OwnedQuerySet


class Tally(models.Model):
    """The number of checked addresses, by outcome."""

    processed = models.PositiveIntegerField(default=0)
    valid_count = models.PositiveIntegerField(default=0)
    invalid_count = models.PositiveIntegerField(default=0)
    unknown_count = models.PositiveIntegerField(default=0)
    catch_all_count = models.PositiveIntegerField(default=0)
    disposable_count = models.PositiveIntegerField(default=0)
    spam_trap_count = models.PositiveIntegerField(default=0)
    safe_to_send_count = models.PositiveIntegerField(default=0)
    risky_count = models.PositiveIntegerField(default=0)
    credits_used = models.PositiveIntegerField(default=0)

    class Meta:
        abstract = True


TALLY_FIELDS = tuple(field.name for field in Tally._meta.local_fields)


class Source(models.TextChoices):
    """The source of a day's counts; `deleted`: results deleted since, of lists or single checks."""

    SINGLE = "single"
    LIST = "list"
    DELETED = "deleted"


class Day(Tally):
    """An account's checks on a day (UTC), for pages that show counts.

    Only `validation.daily.rollups` writes it, in the transaction that writes or deletes the results.
    """

    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", related_name="days", db_index=False
    )
    date = models.DateField()
    source = models.CharField(max_length=8, choices=Source)
    timed = models.PositiveIntegerField(default=0, help_text="Single checks whose time is known.")
    time_ms = models.PositiveBigIntegerField(default=0, help_text="What those took, in all.")

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organisation", "date", "source"], name="day_once")]
        indexes = [models.Index(fields=["date"], name="day_by_date")]

    def __str__(self) -> str:
        return f"{self.organisation_id} {self.date} {self.source}"


class DayOfAll(Tally):
    """What all accounts together had checked on a day (UTC), those that are deleted included.

    The sum over the shards counts: `SHARDS` of them by account, so that writers seldom wait for each other, and `GONE`
    of the deleted ones. `validation.daily.rollups` alone writes it, with `Day`.
    """

    SHARDS = 16
    GONE = 16

    date = models.DateField()
    shard = models.PositiveSmallIntegerField("part")
    timed = models.PositiveIntegerField(default=0)
    time_ms = models.PositiveBigIntegerField(default=0)

    class Meta:
        verbose_name_plural = "days of all"
        constraints = [models.UniqueConstraint(fields=["date", "shard"], name="day_of_all_once")]

    def __str__(self) -> str:
        return f"{self.date} {self.shard}"
