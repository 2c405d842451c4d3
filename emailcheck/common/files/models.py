"""Files that are to go."""

from django.db import models
from django.db.models.functions import Now


class PendingDeletion(models.Model):
    """A file that nobody may read any more and that is not gone yet. Times are the database's."""

    name = models.CharField(max_length=255, help_text="Those made of it go too.")
    since = models.DateTimeField(db_default=Now(), db_index=True)
    tries = models.PositiveIntegerField(default=0, db_default=0)
    error = models.CharField(max_length=255, default="", db_default="", help_text="Why the last try failed.")

    def __str__(self) -> str:
        return self.name
