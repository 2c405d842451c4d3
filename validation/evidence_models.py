"""What verdicts rest on: the evidence of lists in pages, and what is remembered of domains."""

from django.db import models

from validation.packing import PackedJSONField


class Evidence(models.Model):
    """A page of evidence: what some rows of a chunk rest on, together, because they have most of it in common."""

    batch = models.ForeignKey("validation.Batch", models.CASCADE, related_name="evidence")
    rows = PackedJSONField(help_text="A page as `validation.packing` makes it.")

    class Meta:
        verbose_name_plural = "evidence"

    def __str__(self) -> str:
        return f"{self.batch_id}: {self.pk}"


class DomainMemory(models.Model):
    """Whether a domain accepts every name, as a random recipient found out; counts until `expires_at`."""

    domain = models.CharField(max_length=255, primary_key=True)
    accepts_all = models.BooleanField()
    reply = models.CharField(max_length=200)
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "domain memories"

    def __str__(self) -> str:
        return self.domain
