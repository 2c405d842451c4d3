"""Stores and reads the last result of each routine."""

from collections.abc import Sequence

from django.utils import timezone

from adminpanel.monitoring.routines.models import RoutineName, RoutineResult
from emailcheck.common.text.cleaning import make_storable, redact_text


def record_result(name: RoutineName, problems: Sequence[str]) -> None:
    """Store what a run of now has found, a sentence for each problem. It replaces the result before."""
    note = redact_text(make_storable(problems[0]))[:300] if problems else ""
    values = {"ended_at": timezone.now(), "problems": len(problems), "note": note}
    RoutineResult.objects.update_or_create(name=name, defaults=values)


def find_result(name: RoutineName) -> RoutineResult | None:
    """The last result; None before the first run."""
    return RoutineResult.objects.filter(name=name).first()
