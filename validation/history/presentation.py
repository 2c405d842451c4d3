"""The history of an account as the API returns it."""

from validation.batches.presentation import load_live_counts, present_batch
from validation.history.queries import History
from validation.results.models import Result
from validation.results.presentation import Json, present_result


def present_history(found: History) -> Json:
    """The dashboard's view of the history beside the flat documented one (VAL-027)."""
    return {
        "batches": [present_batch(batch) for batch in load_live_counts(found.batches)],
        "batches_total": found.batches_total,
        "batches_next": found.batches_next,
        "individual_validations": [present_result(row) for row in found.individual],
        "individual_total": found.individual_total,
        "individual_next": found.individual_next,
        "validations": [_present_flat(row) for row in found.flat],
        "total": found.flat_total,
        "page": found.page,
    }


def _present_flat(result: Result) -> Json:
    return {
        "id": result.pk,
        "email": result.email,
        "valid": result.category == "valid",
        "validated_at": result.created_at,
    }
