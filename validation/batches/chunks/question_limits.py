"""The limit of a list's questions to outside providers, and their count."""

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
    """The questions of one running list, up to a limit. `providers.booking` counts with it."""

    batch_id: int
    most: int

    def book_one(self) -> bool:
        """Count one more question.

        The condition is on the row itself, so it also holds after waiting for a concurrent change.
        """
        running = Batch.objects.active().filter(pk=self.batch_id, stop_asked_at=None)
        return bool(running.filter(questions_booked__lt=self.most).update(questions_booked=F("questions_booked") + 1))

    def return_one(self) -> None:
        """Count one question less."""
        booked = Batch.objects.filter(pk=self.batch_id, questions_booked__gt=0)
        booked.update(questions_booked=F("questions_booked") - 1)


def batch_question_limit(batch: Batch) -> int:
    """The number of provider questions that a list may have."""
    return max(BATCH_LEAST, batch.total_emails * BATCH_PERCENT // 100)


def count_questions_left(gate: ProviderAllowance, batch: Batch, month: ProviderMonth | None) -> int:
    """The number of rows that may still be sent to providers, as an estimate. Booking is exact."""
    used = month.questions if month else 0
    return max(0, min(batch_question_limit(batch) - batch.questions_booked, gate.a_month - used))
