"""Conditions of indexes that SQLite knows again in a query."""

from django.db.models import BooleanField, Func


class IsGiven(Func):
    """Whether a text is not empty. It has no parameter, because SQLite does not see that one meets a condition."""

    template = "%(expressions)s > ''"
    output_field = BooleanField()
