"""What was measured: requests and machines by the minute, services by probes, routes by operator; and what staff say.

Samples are only ever added and deleted by age; nobody counts by adding to a row.
"""

from django.db import models
from django.db.models import Q
from django.utils import timezone


class Service(models.TextChoices):
    """What the status page names."""

    EMAIL_VALIDATION = "Email Validation"
    DASHBOARD = "Dashboard"
    VALIDATION = "Validation"
    API = "API"


class Part(models.TextChoices):
    """What else is probed, for staff."""

    DATABASE = "Database"
    PAYMENT = "Payment provider"


class State(models.TextChoices):
    """How a probe ended; `pending` until it has."""

    OPERATIONAL = "operational"
    DEGRADED = "degraded"
    DOWN = "down"
    PENDING = "pending"


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
    what = models.CharField(max_length=200, help_text="Method, route and code; never a value.")
    status = models.PositiveSmallIntegerField()
    user_id = models.BigIntegerField(null=True)
    request_id = models.CharField(max_length=64)

    def __str__(self) -> str:
        return self.what


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


class ProbeSample(models.Model):
    """What a probe of a service or part found."""

    at = models.DateTimeField()
    target = models.CharField(max_length=20, choices=[*Service.choices, *Part.choices])
    state = models.CharField(max_length=12, choices=State)
    took_ms = models.FloatField(null=True)
    detail = models.CharField(max_length=200, blank=True)
    in_maintenance = models.BooleanField(default=False, help_text="Not counted in the uptime.")

    class Meta:
        indexes = [
            models.Index(fields=["target", "-at"], name="probe_newest"),
            models.Index(fields=["at"], name="probe_by_time"),
        ]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.target} {self.state}"


class ProbeDay(models.Model):
    """The samples of a day (UTC), counted; kept when the samples are gone."""

    date = models.DateField()
    target = models.CharField(max_length=20, choices=[*Service.choices, *Part.choices])
    samples = models.PositiveIntegerField()
    up = models.PositiveIntegerField(help_text="Of those, the ones that were not down.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "date"], name="probe_day_once")]

    def __str__(self) -> str:
        return f"{self.date} {self.target}"


class IncidentKind(models.TextChoices):
    INCIDENT = "incident"
    MAINTENANCE = "maintenance"


class IncidentQuerySet(models.QuerySet["Incident"]):
    """Incidents and maintenance windows."""

    def during(self, begin: "models.DateTimeField[object, object] | object", end: object) -> "IncidentQuerySet":
        """Those that were going on at any time between."""
        return self.filter(Q(ended_at=None) | Q(ended_at__gt=begin), started_at__lte=end)


class Incident(models.Model):
    """What the status page tells: an outage, found by probes or told by staff, or planned work."""

    title = models.CharField(max_length=120)
    kind = models.CharField(max_length=12, choices=IncidentKind)
    services = models.JSONField(help_text="Names of the services that it concerns.")
    started_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    note = models.TextField(blank=True)
    measured = models.BooleanField(default=False, editable=False, help_text="Opened and ended by probes.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = IncidentQuerySet.as_manager()

    def __str__(self) -> str:
        return self.title


class Severity(models.TextChoices):
    CRITICAL = "critical"
    WARNING = "warning"
    INFO = "info"


class Alert(models.Model):
    """A figure beyond its threshold, until it is back."""

    key = models.CharField(max_length=120, help_text="What is watched: an open alert a key.")
    severity = models.CharField(max_length=8, choices=Severity)
    category = models.CharField(max_length=20)
    title = models.CharField(max_length=120)
    message = models.CharField(max_length=300)
    raised_at = models.DateTimeField(db_index=True)
    cleared_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["key"], condition=Q(cleared_at=None), name="alert_open_once"),
        ]

    def __str__(self) -> str:
        return self.title


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
    """What a process asked of an operator on one way out since its sample before."""

    at = models.DateTimeField(db_index=True)
    route = models.CharField(max_length=60)
    operator = models.CharField(max_length=60)
    probes = models.PositiveIntegerField()
    refusals = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.route} {self.operator}"
