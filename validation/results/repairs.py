"""What was handed in, where an address was taken out of another text."""

from collections.abc import Sequence
from typing import NamedTuple

from validation.results.models import RepairedAddress, Result


class Repair(NamedTuple):
    """The text as it was handed in, and the kinds of repair."""

    source: str
    kinds: tuple[str, ...]


def load_repairs(results: Sequence[Result]) -> dict[int, Repair]:
    """The repairs of some results, by their ids. No query where their lists were taken as they stood."""
    return _load_repairs_of_lists(results) | _load_repairs_of_singles(results)


def _load_repairs_of_lists(results: Sequence[Result]) -> dict[int, Repair]:
    repaired = {(row.batch_id, row.position): row.pk for row in results if row.batch and row.batch.repair_choices}
    if not repaired:
        return {}
    found = RepairedAddress.objects.filter(
        batch__in={batch_id for batch_id, _ in repaired}, position__in={position for _, position in repaired}
    ).values_list("batch_id", "position", "source", "kinds")
    return {
        repaired[batch_id, position]: Repair(source, tuple(kinds.split()))
        for batch_id, position, source, kinds in found
        if (batch_id, position) in repaired
    }


def _load_repairs_of_singles(results: Sequence[Result]) -> dict[int, Repair]:
    """Those of single checks stand in their evidence; where it was not loaded, the rest of it is not loaded now."""
    unread = [result.pk for result in results if result.position == 0 and "details" in result.get_deferred_fields()]
    read = [result for result in results if result.position == 0 and isinstance(result.__dict__.get("details"), dict)]
    found = [(result.pk, result.details.get("repaired_from"), result.details.get("repairs")) for result in read]
    if unread:
        kept = Result.objects.filter(pk__in=unread)
        found += kept.values_list("pk", "details__repaired_from", "details__repairs")
    return {number: Repair(source, tuple(kinds)) for number, source, kinds in found if source}
