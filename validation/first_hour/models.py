"""The steps of a developer's first hour, kept once they were shown as done."""

from django.db import models

from accounts.organisations.models import Organisation


class FirstHour(models.Model):
    """When an organisation first did each step; null for one that was not seen. What shows a step is deleted after a
    while: what was ticked stays so."""

    organisation = models.OneToOneField(
        Organisation,
        models.CASCADE,
        primary_key=True,
        related_name="+",
        db_constraint=False,  # an earlier version beside this one does not know of the table
    )
    key = models.DateTimeField(null=True, blank=True, help_text="A key was made.")
    call = models.DateTimeField(null=True, blank=True, help_text="A call with a key was answered 2xx.")
    webhook = models.DateTimeField(null=True, blank=True, help_text="An endpoint took a message.")
    list = models.DateTimeField(null=True, blank=True, help_text="A list was started with a key.")

    def __str__(self) -> str:
        return f"First hour of {self.organisation_id}"
