"""The machines that count together."""

from django.db import models


class Machine(models.Model):
    """A machine whose processes check addresses, while limits are counted over several. Times are the database's."""

    id = models.CharField(max_length=32, primary_key=True)
    host = models.CharField(max_length=255, help_text="Its name, for people.")
    joined_at = models.DateTimeField(help_text="When it was first seen, or seen again after more than a minute.")
    seen_at = models.DateTimeField(db_index=True)
    reaches_redis = models.BooleanField()

    def __str__(self) -> str:
        return self.host
