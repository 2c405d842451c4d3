"""Results as the pipeline stores them, without checking anything."""

from datetime import datetime

from django.utils import timezone

from accounts.models import User
from validation import results, rollups
from validation.day_models import Source
from validation.models import Batch, BatchStatus, BatchType, Result
from validation.results import Row

CONFIDENCE = {"valid": 0.97, "catch_all": 0.5, "unknown": 0.3}


def row(email: str, category: str = "valid", *, position: int = 0, safe: bool | None = None) -> Row:
    """A row as a verdict of that category makes it."""
    return results.not_checked(email, position=position)._replace(
        domain=email.lower().rpartition("@")[2],
        category=category,
        confidence=CONFIDENCE.get(category, 0.0),
        safe_to_send=category == "valid" if safe is None else safe,
        charged=category != "unknown",
    )


def single(user: User, email: str, category: str = "valid", *, took_ms: int = 40) -> Result:
    return results.write_single(results.prepare_single(row(email, category), took_ms=took_ms), user_id=user.pk)


def finished(user: User, rows: list[tuple[str, str]], *, filename: str = "list.csv") -> Batch:
    """A completed list of (address, category), with its counts."""
    batch = Batch.objects.create(
        user=user, batch_type=BatchType.FILE_UPLOAD, filename=filename, total_emails=len(rows),
        status=BatchStatus.COMPLETED, completed_at=timezone.now(),
    )  # fmt: skip
    made = [row(email, category, position=number) for number, (email, category) in enumerate(rows, start=1)]
    results.write(results.prepare(made), user_id=user.pk, batch_id=batch.pk)
    Batch.objects.filter(pk=batch.pk).update(**results.tally(made))
    batch.refresh_from_db()
    return batch


def counted(user: User, moment: datetime, *categories: str, source: Source = Source.LIST) -> None:
    """Daily counts of that day, without results."""
    tally = results.tally([row("a@b.com", category) for category in categories])
    rollups.add(tally, user_id=user.pk, on=rollups.day_of(moment), source=source)
