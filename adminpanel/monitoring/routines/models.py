"""What came out when something that must hold was proved the last time."""

from django.db import models


class RoutineName(models.TextChoices):
    RECOUNT = "recount", "all credits were recounted"
    RESTORE_TEST = "restore_test", "the newest backup was restored elsewhere"


class RoutineResult(models.Model):
    """The last run of a routine."""

    name = models.CharField(max_length=20, choices=RoutineName, primary_key=True)
    ended_at = models.DateTimeField()
    problems = models.PositiveIntegerField(help_text="What was found to be wrong; 0: nothing.")
    note = models.CharField(max_length=300, blank=True, help_text="The first of them.")

    def __str__(self) -> str:
        return self.name
