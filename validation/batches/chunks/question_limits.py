"""How many questions a list may have asked of outside providers, and those that it has had."""

from dataclasses import dataclass

from django.db.models import F

from emailcheck.env import Env
from validation.batches.models import Batch
from validation.providers.allowance import ProviderAllowance
from validation.providers.models import ProviderMonth

BATCH_PERCENT = Env().number("PROVIDER_BATCH_PERCENT", 20)
BATCH_LEAST = 20


@dataclass(frozen=True, slots=True)
class BatchQuestions:
    """The questions of one list, at most so many, while it runs; `providers.booking` counts by it."""

    batch_id: int
    most: int

    def book_one(self) -> bool:
        """Count one more. The condition is on the row itself, so that it holds after waiting for somebody's change."""
        running = Batch.objects.active().filter(pk=self.batch_id, stop_asked_at=None)
        return bool(running.filter(questions_booked__lt=self.most).update(questions_booked=F("questions_booked") + 1))

    def return_one(self) -> None:
        """Count one less."""
        booked = Batch.objects.filter(pk=self.batch_id, questions_booked__gt=0)
        booked.update(questions_booked=F("questions_booked") - 1)


def batch_question_limit(batch: Batch) -> int:
    """How many questions a list may have asked."""
    return max(BATCH_LEAST, batch.total_emails * BATCH_PERCENT // 100)


def count_questions_left(gate: ProviderAllowance, batch: Batch, month: ProviderMonth | None) -> int:
    """How many rows of a list may still be asked about, by what is known now; booking is exact."""
    used = month.questions if month else 0
    return max(0, min(batch_question_limit(batch) - batch.questions_booked, gate.a_month - used))
