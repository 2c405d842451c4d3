"""Recent requests for the rate limits, and the machines that count together."""

from django.db import models


class RecentRequests(models.Model):
    """When one caller's latest accepted requests came, for a limit on them; Redis keeps the same where there is one."""

    key = models.CharField(max_length=64, primary_key=True, help_text="Keyed hash of who is limited, and of what.")
    times = models.JSONField(default=list, help_text="Seconds since 1970, oldest first.")
    expires_at = models.DateTimeField("forget at", db_index=True)

    class Meta:
        verbose_name_plural = "recent requests"

    def __str__(self) -> str:
        return self.key


class Machine(models.Model):
    """A machine whose processes check addresses, while limits are counted over several. Times are the database's."""

    id = models.CharField(max_length=32, primary_key=True)
    host = models.CharField(max_length=255, help_text="Its name, for people.")
    joined_at = models.DateTimeField(help_text="When it was first seen, or seen again after more than a minute.")
    seen_at = models.DateTimeField(db_index=True)
    reaches_redis = models.BooleanField()

    def __str__(self) -> str:
        return self.host
