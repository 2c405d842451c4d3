"""Samples of requests, failures and machines, by the minute."""

from django.db import models


class RequestSample(models.Model):
    """The requests that one machine answered in about a minute, of one group (`metrics.GROUPS`)."""

    at = models.DateTimeField(db_index=True)
    machine = models.CharField(max_length=64)
    group = models.CharField(max_length=16)
    requests = models.PositiveIntegerField()
    refused = models.PositiveIntegerField(help_text="Answered with 4xx.")
    failed = models.PositiveIntegerField(help_text="Answered with 5xx.")
    time_ms = models.FloatField(help_text="What all took, without waiting for mail hosts.")
    probing_ms = models.FloatField(help_text="What all waited for mail hosts.")
    buckets = models.JSONField(help_text="How many took up to metrics.BUCKETS_MS each, and more than the last.")

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.group}"


class RequestFailure(models.Model):
    """A request that failed by our own fault."""

    at = models.DateTimeField(db_index=True)
    description = models.CharField("what", max_length=200, help_text="Method, route and code; never a value.")
    status = models.PositiveSmallIntegerField()
    user_id = models.BigIntegerField(null=True)
    request_id = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.description


class MachineSample(models.Model):
    """How one machine was, and what its workers did since the sample before."""

    at = models.DateTimeField(db_index=True)
    machine = models.CharField(max_length=64)
    cpu_percent = models.FloatField()
    memory_percent = models.FloatField()
    disk_percent = models.FloatField()
    active_requests = models.PositiveIntegerField()
    rows = models.PositiveIntegerField(help_text="Rows of lists that were checked.")
    chunks = models.PositiveIntegerField()
    work_ms = models.FloatField(help_text="How long the chunks were worked on, in all.")
    profiles_problem = models.CharField(
        max_length=300, blank=True, db_default="", default="", help_text="What is wrong with its file of limits."
    )

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.machine}"
