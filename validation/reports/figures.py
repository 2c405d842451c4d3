"""What stands in the report of a list: counts alone, which are those of its page."""

from dataclasses import dataclass
from datetime import datetime

from emailcheck.common.errors import Conflict, Gone
from validation.batches import rankings
from validation.batches.coverage import checks_of
from validation.batches.models import Batch, BatchStatus
from validation.batches.rankings import Counts
from validation.results.models import Category
from validation.results.storage import DO_NOT_SEND

NOT_FINISHED = "The report is made when the list is finished."
EXPIRED = "The results of this list have passed their retention time."


@dataclass(frozen=True, slots=True)
class ReportFigures:
    """The figures of a finished list. `reasons` are those of verdicts, `hosts` names; both with the most first."""

    filename: str
    finished_at: datetime
    total: int
    duplicates: int
    credits_used: int
    checks: str
    categories: dict[str, int]
    safe: int
    risky: int
    reasons: Counts
    hosts: Counts

    @property
    def never(self) -> int:
        return sum(count for category, count in self.categories.items() if category in DO_NOT_SEND)


def load_figures(batch: Batch) -> ReportFigures:
    """The figures of a finished list. Raises `Conflict` (`NOT_COMPLETED`) for any other, `Gone` (`EXPIRED`) once its
    results are removed."""
    if batch.status != BatchStatus.COMPLETED or batch.completed_at is None:
        raise Conflict(NOT_FINISHED, code="NOT_COMPLETED")
    if batch.expired_at is not None:
        raise Gone(EXPIRED, code="EXPIRED")
    ranked = rankings.load_rankings(batch)
    return ReportFigures(
        filename=batch.filename,
        finished_at=batch.completed_at,
        total=batch.total_emails,
        duplicates=batch.duplicates_removed,
        credits_used=batch.credits_used,
        checks=checks_of(batch),
        categories={category: getattr(batch, f"{category}_count") for category in Category.values},
        safe=batch.safe_to_send_count,
        risky=batch.risky_count,
        reasons=ranked.reasons,
        hosts=ranked.hosts,
    )
