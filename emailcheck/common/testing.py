"""Running queued work inside a test, one wake-up after another."""

from django.utils.module_loading import import_string
from django_q.models import OrmQ


def drain_queue(*, at_most: int = 1_000) -> list[str]:
    """Do all that is queued, and what that queues in turn. Answers what ran, in order.

    Raises `RuntimeError` when the work does not end within `at_most` calls.
    """
    ran: list[str] = []
    while row := OrmQ.objects.order_by("id").first():
        if len(ran) == at_most:
            raise RuntimeError(f"the queue does not come to an end: {ran[-3:]}")
        task = row.task
        row.delete()
        import_string(task["func"])(*task["args"])
        ran.append(task["func"])
    return ran
