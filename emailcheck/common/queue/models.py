"""When the parts of the running system last showed that they work."""

from django.db import models


class WorkerHeartbeat(models.Model):
    """When the workers of a queue on one machine last showed that they work. All times are the database's."""

    host = models.CharField(max_length=255, help_text="The machine's name, `MACHINE_NAME`.")
    queue = models.CharField(max_length=16)
    started_at = models.DateTimeField(help_text="When the oldest of them was started.")
    seen_at = models.DateTimeField(help_text="When the one that has been silent for longest last showed that it works.")
    reported_at = models.DateTimeField(help_text="When the machine last reported them.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["host", "queue"], name="one_heartbeat_a_host_and_queue")]

    def __str__(self) -> str:
        return f"{self.queue} on {self.host}"


class RestartRequest(models.Model):
    """Staff had all workers restart. Machines that follow it know it by its id: their clocks need not agree."""

    asked_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.asked_at:%Y-%m-%d %H:%M}"
