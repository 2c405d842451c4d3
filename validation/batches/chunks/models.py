"""A chunk: the addresses of a batch that one worker checks in one go; its results are written once, when it is done."""

from typing import Self

from django.db import models

from emailcheck.common.queue.leases import Leased, LeasedQuerySet
from validation.batches.models import Batch
from validation.daily.models import Tally
from validation.results.fields import PackedJSONField


class ChunkState(models.TextChoices):
    PENDING = "pending"
    RUNNING = "running"
    DONE = "done"


UNFINISHED = (ChunkState.PENDING, ChunkState.RUNNING)


class ChunkQuerySet(LeasedQuerySet["Chunk"]):
    """Chunks. One is held by a lease as long as it is running."""

    def in_active_batches(self) -> Self:
        """Those that may be written.

        A look-up instead of a join: after waiting for a concurrent change, PostgreSQL re-checks the conditions on the
        row itself, but not those inside the subquery that a join becomes.
        """
        return self.filter(batch_id__in=Batch.objects.active().values("pk"))


class Chunk(Leased, Tally):
    """A part of a batch that one worker checks in one go, under a lease."""

    # The indexes below serve this key too.
    batch = models.ForeignKey(Batch, models.CASCADE, related_name="chunks", db_index=False)
    number = models.PositiveIntegerField()
    rows = models.JSONField(
        help_text="[[position, address], …], with how it was asked for before and how long it stood in line since, "
        "where it was; empty once results."
    )
    size = models.PositiveIntegerField()
    state = models.CharField(max_length=8, choices=ChunkState, default=ChunkState.PENDING)
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
    asks_providers = models.BooleanField(
        "asks",
        default=False,
        db_default=False,
        help_text="The engine has left its rows open, and outside providers are asked.",
    )
    reuses = models.BooleanField(
        default=False,
        db_default=False,
        help_text="Its rows take over earlier verdicts, free of charge: [[position, address, result], …].",
    )
    engine_verdicts = PackedJSONField(
        null=True, blank=True, help_text="What the engine says of the rows of such a chunk."
    )
    latest_replies = models.JSONField(
        "latest", null=True, blank=True, help_text="What mail hosts said last, while its rows are under work."
    )
    done_at = models.DateTimeField(null=True, blank=True)

    objects = ChunkQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["batch", "number"], name="chunk_number_once")]
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
                    "asks_providers",
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
