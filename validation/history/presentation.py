"""The history of an account as the API returns it."""

from collections.abc import Sequence

from validation.batches.presentation import load_live_counts, present_batch
from validation.history.queries import History
from validation.results.ids import choose_id_form
from validation.results.models import Result
from validation.results.presentation import Json, present_results
from validation.results.repairs import load_repairs


def present_history(found: History) -> Json:
    """The dashboard's view of the history beside the flat documented one (VAL-027)."""
    return {
        "batches": [present_batch(batch) for batch in load_live_counts(found.batches)],
        "batches_total": found.batches_total,
        "batches_next": found.batches_next,
        "individual_validations": present_results(found.individual),
        "individual_total": found.individual_total.number,
        "individual_total_is_least": found.individual_total.is_least,
        "individual_next": found.individual_next,
        "validations": _present_flat_rows(found.flat),
        "total": found.flat_total.number,
        "total_is_least": found.flat_total.is_least,
        "page": found.page,
        "next_cursor": found.next_cursor,
    }


def _present_flat_rows(results: Sequence[Result]) -> list[Json]:
    if not results:
        return []
    repairs, write_id = load_repairs(results), choose_id_form()
    return [
        {
            "id": write_id(result.pk),
            "email": repairs[result.pk].source if result.pk in repairs else result.email,
            "valid": result.category == "valid",
            "validated_at": result.created_at,
        }
        for result in results
    ]
