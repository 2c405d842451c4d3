"""What pages of several versions ask for."""

from django.db import models


class ReleasedFile(models.Model):
    """A file of a bundle, under a name with a hash of its content: what it holds never changes."""

    name = models.CharField(max_length=120, primary_key=True)
    content = models.BinaryField()
    replaced_at = models.DateTimeField(
        null=True, help_text="When a web process started last whose bundle does not have it. The database's time."
    )

    def __str__(self) -> str:
        return self.name
