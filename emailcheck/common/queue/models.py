"""When the parts of the running system last showed that they work."""

from django.db import models


class Heartbeat(models.Model):
    """When a part of the running system last showed that it works."""

    name = models.CharField(max_length=60, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
