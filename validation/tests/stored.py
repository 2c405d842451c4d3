"""Results as the pipeline stores them, without checking anything."""

from datetime import datetime

from django.utils import timezone

from accounts.users.models import User
from emailcheck.common.storage.statements import execute_together
from validation.batches.models import Batch, BatchStatus, BatchType
from validation.daily import rollups
from validation.daily.models import Source
from validation.results import storage
from validation.results.models import Result
from validation.results.storage import ResultRow

CONFIDENCE = {"valid": 0.97, "catch_all": 0.5, "unknown": 0.3}


def row(email: str, category: str = "valid", *, position: int = 0, safe: bool | None = None) -> ResultRow:
    """A row as a verdict of that category makes it."""
    return storage.build_unchecked_row(email, position=position)._replace(
        domain=email.lower().rpartition("@")[2],
        category=category,
        confidence=CONFIDENCE.get(category, 0.0),
        safe_to_send=category == "valid" if safe is None else safe,
        charged=category != "unknown",
    )


def single(user: User, email: str, category: str = "valid", *, took_ms: int = 40) -> Result:
    writing = storage.SingleWriting(row(email, category), took_ms=took_ms, organisation_id=user.pk)
    return writing.build_result(execute_together([writing.inserting, *writing.counting])[0])


def finished(user: User, rows: list[tuple[str, str]], *, filename: str = "list.csv") -> Batch:
    """A completed list of (address, category), with its counts."""
    batch = Batch.objects.create(
        organisation=user.own_organisation, batch_type=BatchType.FILE_UPLOAD, filename=filename, total_emails=len(rows),
        status=BatchStatus.COMPLETED, completed_at=timezone.now(),
    )  # fmt: skip
    made = [row(email, category, position=number) for number, (email, category) in enumerate(rows, start=1)]
    storage.insert_results(storage.prepare_results(made), organisation_id=user.pk, batch_id=batch.pk)
    Batch.objects.filter(pk=batch.pk).update(**storage.tally_rows(made))
    batch.refresh_from_db()
    return batch


def counted(user: User, moment: datetime, *categories: str, source: Source = Source.LIST) -> None:
    """Daily counts of that day, without results."""
    tally = storage.tally_rows([row("a@b.com", category) for category in categories])
    rollups.add_counts(tally, organisation_id=user.pk, on=rollups.day_of(moment), source=source)
