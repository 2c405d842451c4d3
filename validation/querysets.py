"""How batches and results are looked up."""

from typing import TYPE_CHECKING

from django.db import models

if TYPE_CHECKING:
    from accounts.models import User
    from validation.models import Batch, Result


class BatchQuerySet(models.QuerySet["Batch"]):
    """Batches; the loader of a view starts with `for_user`, so that a stranger's id is not found."""

    def for_user(self, user: "User") -> "BatchQuerySet":
        return self.filter(user=user)

    def active(self) -> "BatchQuerySet":
        return self.filter(status__in=["queued", "processing"])


class ResultQuerySet(models.QuerySet["Result"]):
    """Results; lists leave the evidence in the database."""

    def for_user(self, user: "User") -> "ResultQuerySet":
        return self.filter(user=user)

    def individual(self) -> "ResultQuerySet":
        return self.filter(batch=None)

    def without_evidence(self) -> "ResultQuerySet":
        return self.defer("details")
