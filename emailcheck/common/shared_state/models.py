"""The machines that count together."""

from django.db import models


class Machine(models.Model):
    """A machine of the product. Times are the database's.

    `joined_at`, `seen_at` and `reaches_redis` are written by processes that check addresses while limits are counted
    over several machines; the others by every machine that runs.
    """

    id = models.CharField(max_length=32, primary_key=True)
    host = models.CharField(max_length=255, help_text="Its name, for people.")
    joined_at = models.DateTimeField(help_text="When it was first seen, or seen again after more than a minute.")
    seen_at = models.DateTimeField(db_index=True)
    reaches_redis = models.BooleanField()
    running_at = models.DateTimeField(null=True, blank=True, help_text="When it last said that it runs.")
    files_at = models.CharField(
        max_length=255, blank=True, default="", db_default="", help_text="Where it keeps uploads."
    )
    has_redis = models.BooleanField(null=True, blank=True, help_text="Whether it was started with `REDIS_URL`.")

    def __str__(self) -> str:
        return self.host
