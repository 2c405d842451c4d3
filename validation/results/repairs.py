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
