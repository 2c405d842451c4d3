"""Routes by egress address and mail operator, and their samples."""

from django.db import models


class RouteState(models.TextChoices):
    WORKING = "working"
    BACKING_OFF = "backing_off"
    BLOCKED = "blocked"


class Route(models.Model):
    """How a mail operator takes us on one way out."""

    route = models.CharField(max_length=60)
    operator = models.CharField(max_length=60)
    state = models.CharField(max_length=12, choices=RouteState)
    last_refusal = models.CharField(max_length=300, blank=True)
    refused_at = models.DateTimeField(null=True)
    next_attempt_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["route", "operator"], name="route_once")]

    def __str__(self) -> str:
        return f"{self.route} {self.operator}"


class RouteSample(models.Model):
    """The probes of a process at an operator on one route since its last sample."""

    at = models.DateTimeField(db_index=True)
    route = models.CharField(max_length=60)
    operator = models.CharField(max_length=60)
    probes = models.PositiveIntegerField()
    refusals = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.route} {self.operator}"
