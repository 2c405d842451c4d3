"""The repairs of a list, kept beside its results."""

from collections.abc import Iterable, Iterator
from itertools import islice

from validation.batches.intake.findings import Finding
from validation.batches.models import Batch
from validation.results.models import RepairedAddress
from validation.results.storage import searchable_address

_ROWS_AT_ONCE = 1_000


def store_repairs(batch: Batch, findings: Iterable[Finding]) -> None:
    """Store the repairs of a list that was queued, in the caller's transaction."""
    rows = _iterate_rows(batch, findings)
    while some := list(islice(rows, _ROWS_AT_ONCE)):
        RepairedAddress.objects.bulk_create(some)


def _iterate_rows(batch: Batch, findings: Iterable[Finding]) -> Iterator[RepairedAddress]:
    for finding in findings:
        for position in finding.positions if finding.applied else ():
            if position is not None:
                yield RepairedAddress(
                    batch=batch,
                    position=position,
                    source=finding.source,
                    source_key=searchable_address(finding.source),
                    kinds=" ".join(finding.kinds),
                )
