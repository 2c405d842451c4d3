"""Batches as the API returns them.

`batches.serializers` describes the same keys for the schema; a test compares the two. Each response has the dashboard's
and the documented public names with equal values (VAL-026).
"""

from collections.abc import Iterable
from typing import Any

from django.db.models import Sum

from billing.subscriptions import entitlements
from emailcheck.common.api import pagination
from validation.access.readers import Reader
from validation.batches import rankings
from validation.batches.chunks.host_replies import merge_replies
from validation.batches.chunks.models import Chunk, ChunkState
from validation.batches.control import rechecks
from validation.batches.coverage import checks_of
from validation.batches.models import ACTIVE, Batch, BatchStatus
from validation.batches.progress import estimates, tracking
from validation.batches.progress.estimates import Estimate
from validation.batches.progress.waits import WaitingFor
from validation.batches.queries import count_stored_results
from validation.daily.models import TALLY_FIELDS
from validation.results.models import Result
from validation.results.presentation import Json, present_results

MOST_NUMBERED_ROWS = 10_000


def load_live_counts(batches: Iterable[Batch]) -> list[Batch]:
    """The batches with their current counts. One query sums the chunks of running ones."""
    found = list(batches)
    running = {batch.pk: batch for batch in found if batch.status in ACTIVE}
    # Waiting chunks have no counts, and there may be thousands of them.
    counted = (ChunkState.RUNNING, ChunkState.DONE)
    sums = Chunk.objects.filter(batch_id__in=running, state__in=counted).values_list("batch_id")
    for batch_id, *numbers in sums.annotate(*(Sum(name) for name in TALLY_FIELDS)):
        for name, number in zip(TALLY_FIELDS, numbers, strict=True):
            setattr(running[batch_id], name, number)
    return found


def present_batch(batch: Batch) -> Json:
    """A batch with its counts."""
    return {
        "batch_id": batch.public_id,
        "id": batch.public_id,
        "batch_type": batch.batch_type,
        "filename": batch.filename or None,
        "private": batch.private,
        "status": batch.status,
        "processing_status": batch.status,
        "progress_percentage": _progress_percentage(batch),
        "total_emails": batch.total_emails,
        "processed": batch.processed,
        "processed_emails": batch.processed,
        **_present_counts(batch),
        "duplicates_removed": batch.duplicates_removed,
        "repaired_count": batch.repaired_count,
        "credits_used": batch.credits_used,
        "reused_count": batch.reused_count,
        "checks": checks_of(batch),
        "created_at": batch.created_at,
        "completed_at": batch.completed_at,
        "rechecked_at": batch.rechecked_at,
        "expires_at": batch.expires_at,
        "expired_at": batch.expired_at,
        "error": batch.error or None,
    }


def present_batch_detail(batch: Batch, *, reader: Reader, **asked: Any) -> Json:
    """A batch with a page of its results in list order, and the offer of a full check. `asked`: which page, by `cursor`
    and `limit`, or by `page` and `page_size`. Raises `BadInput` for a cursor that is not of this list."""
    offer, ranked = rechecks.find_offer(batch), rankings.find_rankings(batch)
    return present_batch(*load_live_counts([batch])) | {
        "email_columns": _list_email_columns(batch),
        "role_count": ranked and ranked.role,
        "typo_count": ranked and ranked.typo,
        "overfull": _present_overfull(batch),
        "may_share": reader.may_share(batch.maker_id),
        "not_in_plan_count": offer.rows,
        "in_full_cost": offer.cost,
        "checking_in_full": is_checked_in_full(batch),
        "rest": _present_rest(batch),
        **(_present_page if asked["cursor"] or "limit" in asked else _present_numbered_page)(batch, **asked),
    }


def _present_page(batch: Batch, *, cursor: str, limit: int = pagination.ROWS) -> Json:
    """A page of the results behind a cursor."""
    made_for = _describe_page(batch)
    last = pagination.decode_cursor(cursor, made_for, "cursor")[1] if cursor else 0
    rows = list(batch.results.without_evidence().filter(position__gt=last).order_by("position")[: limit + 1])
    more = len(rows) > limit
    following = pagination.encode_cursor(made_for, None, rows[limit - 1].position) if more else None
    return {
        "emails": present_results(rows[:limit]),
        "total": count_stored_results(batch),
        "next_cursor": following,
    }


def _present_numbered_page(batch: Batch, *, cursor: str, page: int = 1, page_size: int = MOST_NUMBERED_ROWS) -> Json:
    """A page of the results by its number, as it was before cursors."""
    first, total = (page - 1) * page_size, count_stored_results(batch)
    rows = list(batch.results.without_evidence().order_by("position")[first : first + page_size])
    more = first + page_size < total
    ends = pagination.encode_cursor(_describe_page(batch), None, rows[-1].position) if more and rows else None
    return {
        "emails": present_results(rows),
        "page": page,
        "page_size": page_size,
        "total": total,
        "next_cursor": ends,
        "next": page + 1 if more else None,
    }


def _describe_page(batch: Batch) -> str:
    """What a cursor of the results of a list is made for."""
    return f"batch {batch.public_id}"


def _list_email_columns(batch: Batch) -> list[int]:
    """The columns of the file that were checked, from 1."""
    location = batch.address_location or {}
    return location.get("email_columns") or [location[name] for name in ("email_column",) if name in location]


def _present_rest(batch: Batch) -> Json | None:
    """What was left out of a list and can be checked now."""
    if batch.cut_at is None or not batch.file or batch.status != BatchStatus.COMPLETED:
        return None
    counted = batch.rest or {}
    return {
        "addresses": counted.get("unique"),
        "cost": counted.get("possible"),
        "credits": entitlements.build_account_summary(batch.organisation)["credits"],
    }


def present_progress(batch: Batch, *, with_replies: bool = True) -> Json:
    """The progress of a batch, with speed and time left once they are measured, and what mail hosts said last."""
    now = tracking.measure_progress(batch)
    return {
        "batch_id": batch.public_id,
        "filename": batch.filename or None,
        "status": batch.status,
        "processing_status": batch.status,
        "progress_percentage": _progress_percentage(batch),
        "total_emails": batch.total_emails,
        "processed": batch.processed,
        "processed_emails": batch.processed,
        **_present_counts(batch),
        "rate": now.rate,
        "seconds_left": now.seconds_left,
        "waiting": now.waiting,
        "waiting_until": now.waiting_until,
        "waiting_for": [_present_waiting(line) for line in now.waiting_for],
        "checks": checks_of(batch),
        "rechecking": batch.is_free_recheck and batch.status in ACTIVE,
        "checking_in_full": is_checked_in_full(batch),
        "latest_replies": _load_latest_replies(batch) if with_replies else [],
        "error": batch.error or None,
    }


def _load_latest_replies(batch: Batch) -> list[Json]:
    """What mail hosts said last about rows under work."""
    if batch.status not in ACTIVE:
        return []
    at_work = Chunk.objects.filter(batch=batch, state=ChunkState.RUNNING).exclude(latest_replies=None)
    return merge_replies([replies or [] for replies in at_work.values_list("latest_replies", flat=True)])


def is_checked_in_full(batch: Batch) -> bool:
    """Whether a full check of the undecided rows is running."""
    return batch.last_recheck_at is not None and not batch.is_free_recheck and batch.status in ACTIVE


def _present_waiting(line: WaitingFor) -> Json:
    return {name: getattr(line, name) for name in ("operator", "name", "reason", "rows", "until")}


def present_estimate(estimate: Estimate | None) -> Json | None:
    """The least duration of a list, by operator."""
    if estimate is None:
        return None
    names = ("operator", "name", "rows", "per_minute", "seconds")
    return {
        "seconds": estimate.seconds,
        "over_a_day": estimate.over_a_day,
        "operators": [{name: getattr(share, name) for name in names} for share in estimate.operators],
    }


def present_started(batch: Batch) -> Json:
    """A list that was started."""
    return {
        "batch_id": batch.public_id,
        "status": batch.status,
        "held": batch.hold.amount if batch.hold else 0,
        "reused_count": batch.reused_count,
        "checks": checks_of(batch),
        "estimate": present_estimate(estimates.estimate_batch(batch)),
    }


def present_retention(batch: Batch) -> Json:
    """The name of a batch, who sees it, and its storage time."""
    return {
        "id": batch.public_id,
        "filename": batch.filename or None,
        "private": batch.private,
        "expires_at": batch.expires_at,
    }


def present_list_answer(batch: Batch, rows: Iterable[Result]) -> Json:
    """The response to a submitted list. `results` is empty while it runs."""
    return {
        "batch_id": batch.public_id,
        "status": batch.status,
        "filename": batch.filename or None,
        "processed": batch.processed,
        "total_processed": batch.processed,
        "total_emails": batch.total_emails,
        **_present_counts(batch),
        "duplicates_removed": batch.duplicates_removed,
        "repaired_count": batch.repaired_count,
        "overfull": _present_overfull(batch),
        "credits_used": batch.credits_used,
        "reused_count": batch.reused_count,
        "checks": checks_of(batch),
        "estimate": present_estimate(estimates.estimate_batch(batch)),
        "results": present_results(rows),
    }


def _present_overfull(batch: Batch) -> list[Json]:
    return [{"row": row, "found": found} for row, found in batch.overfull or []]


def _present_counts(batch: Batch) -> dict[str, int]:
    return {name: getattr(batch, name) for name in TALLY_FIELDS if name.endswith("_count")}


def _progress_percentage(batch: Batch) -> float:
    return round(100 * batch.processed / batch.total_emails, 1)
