"""Samples of probes, and their counts by day."""

from django.db import models

from adminpanel.monitoring.targets import Part, Service, State


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
    """The counted samples of a day (UTC), which outlive the samples."""

    date = models.DateField()
    target = models.CharField(max_length=20, choices=[*Service.choices, *Part.choices])
    samples = models.PositiveIntegerField()
    up = models.PositiveIntegerField(help_text="Of those, the ones that were not down.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["target", "date"], name="probe_day_once")]

    def __str__(self) -> str:
        return f"{self.date} {self.target}"
