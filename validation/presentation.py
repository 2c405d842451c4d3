"""Batches and results as the API answers them.

Plain dictionaries, because a page holds up to 10,000 results; `validation.serializers` describes the same keys for
the schema, and a test holds the two together. Each answer carries the dashboard's and the documented public names
with equal values (VAL-026).
"""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Sum

from billing import welcome
from billing.welcome import Checks
from emailcheck.common import check_costs
from validation import estimates, progress, results, second_looks
from validation.day_models import TALLY_FIELDS
from validation.estimates import Estimate
from validation.gates import checks_of
from validation.lookups import History, stored_count
from validation.models import ACTIVE, Batch, Chunk, ChunkState, Result, Upload
from validation.second_opinions import ASKED, DECISION, OURSELVES

Json = dict[str, Any]
HIDDEN = "hidden"
_ROWS = frozenset({"individual_validations", "recent_validations", "validations"})
_TRIED = (
    "email",
    "category",
    "reason",
    "is_valid",
    "confidence_score",
    "safe_to_send",
    "label",
    "syntax_valid",
    "domain_valid",
    "smtp_valid",
    "is_disposable",
    "is_catch_all",
    "is_spam_trap",
    "free_email",
    "checks",
    "created_at",
    "details",
    "sentence",
    "did_you_mean",
    "flags",
    "mx_records",
    "evidence",
    "transcript",
    "retry_after",
)


def result_row(result: Result) -> Json:
    """A result in a list: without its evidence."""
    is_valid = result.category == "valid"
    return {
        "id": result.pk,
        "row": result.position,
        "email": result.email,
        "category": result.category,
        "reason": result.reason,
        "is_valid": is_valid,
        "valid": is_valid,
        "confidence_score": result.confidence,
        "safe_to_send": result.safe_to_send,
        "label": results.label(category=result.category, safe_to_send=result.safe_to_send),
        "syntax_valid": result.syntax_valid,
        "domain_valid": result.domain_valid,
        "smtp_valid": result.smtp_valid,
        "is_disposable": result.is_disposable,
        "disposable": result.is_disposable,
        "is_catch_all": result.is_catch_all,
        "is_spam_trap": result.is_spam_trap,
        "free_email": result.is_free,
        "validation_type": "comprehensive",
        "checks": checks_of(result),
        "created_at": result.created_at,
        "validated_at": result.created_at,
        "rechecked_at": result.rechecked_at,
        "details": {"domain": result.domain, "category_reason": result.sentence},
    }


def result_in_full(result: Result) -> Json:
    """A result with its evidence."""
    details = result.evidence()
    return result_row(result) | {
        "sentence": result.sentence,
        "did_you_mean": details["did_you_mean"],
        "flags": details["flags"],
        "mx_records": details["mx"],
        "evidence": [_check(check) for check in details["checks"]],
        "transcript": details["transcript"],
        "retry_after": details.get("retry_after"),
        "credits_used": int(result.charged),
        "validation_provider": _decider(details["checks"]).lower(),
        "shared_with": _shared_with(details["checks"]),
    }


def _decider(checks: Iterable[Sequence[Any]]) -> str:
    """Who decided: ourselves, or an outside provider."""
    return next((check[3] for check in checks if check[0] == DECISION), OURSELVES)


def _shared_with(checks: Iterable[Sequence[Any]]) -> list[str]:
    """The outside providers that received the address, in the order of asking."""
    return list(dict.fromkeys(check[3] for check in checks if check[0] == ASKED))


def tried(result: Result, *, remaining: int) -> Json:
    """The result of a visitor's try, which has no number, because it is not kept; `remaining` are the tries left."""
    full = result_in_full(result)
    return {name: full[name] for name in _TRIED} | {"remaining": remaining}


def _check(check: Sequence[Any]) -> Json:
    name, outcome, detail, source, time_ms, expires_at = check
    return {
        "check": name,
        "outcome": outcome,
        "detail": detail,
        "source": source,
        "time_ms": time_ms,
        "expires_at": expires_at,
    }


def with_live_counts(batches: Iterable[Batch]) -> list[Batch]:
    """The batches with the counts of now: of those that still run, summed over their chunks in one query."""
    found = list(batches)
    running = {batch.pk: batch for batch in found if batch.status in ACTIVE}
    # Chunks that nobody works on count nothing, and there may be thousands of them.
    counted = (ChunkState.RUNNING, ChunkState.DONE)
    sums = Chunk.objects.filter(batch_id__in=running, state__in=counted).values_list("batch_id")
    for batch_id, *numbers in sums.annotate(*(Sum(name) for name in TALLY_FIELDS)):
        for name, number in zip(TALLY_FIELDS, numbers, strict=True):
            setattr(running[batch_id], name, number)
    return found


def batch_summary(batch: Batch) -> Json:
    """A batch with its counts."""
    return {
        "id": batch.public_id,
        "batch_type": batch.batch_type,
        "filename": batch.filename or None,
        "processing_status": batch.status,
        "progress_percentage": _percentage(batch),
        "total_emails": batch.total_emails,
        "processed_emails": batch.processed,
        **_counts(batch),
        "duplicates_removed": batch.duplicates_removed,
        "credits_used": batch.credits_used,
        "checks": checks_of(batch),
        "created_at": batch.created_at,
        "completed_at": batch.completed_at,
        "rechecked_at": batch.rechecked_at,
        "expires_at": batch.expires_at,
        "expired_at": batch.expired_at,
        "error": batch.error or None,
    }


def batch_detail(batch: Batch, *, page: int, page_size: int) -> Json:
    """A batch with a page of its results, in the order of the list, and what of it can be checked in full."""
    found = batch.results.without_evidence().order_by("position")
    total = stored_count(batch)
    first = (page - 1) * page_size
    offer = second_looks.offer_of(batch)
    return batch_summary(*with_live_counts([batch])) | {
        "not_in_plan_count": offer.rows,
        "in_full_cost": offer.cost,
        "checking_in_full": is_checked_in_full(batch),
        "emails": [result_row(row) for row in found[first : first + page_size]],
        "page": page,
        "page_size": page_size,
        "total": total,
        "next": page + 1 if first + page_size < total else None,
    }


def history(found: History) -> Json:
    """The dashboard's view of the history beside the flat documented one (VAL-027)."""
    return {
        "batches": [batch_summary(batch) for batch in with_live_counts(found.batches)],
        "batches_total": found.batches_total,
        "batches_next": found.batches_next,
        "individual_validations": [result_row(row) for row in found.individual],
        "individual_total": found.individual_total,
        "individual_next": found.individual_next,
        "validations": [_flat(row) for row in found.flat],
        "total": found.flat_total,
        "page": found.page,
    }


def hidden(answer: Json) -> Json:
    """An answer in which no result tells its address; for whoever looks at somebody else's."""
    return {key: [_without_address(row) for row in value] if key in _ROWS else value for key, value in answer.items()}


def _without_address(row: Json) -> Json:
    told = row | {"email": HIDDEN}
    return told | {"details": {"domain": HIDDEN, "category_reason": HIDDEN}} if "details" in row else told


def _flat(result: Result) -> Json:
    return {
        "id": result.pk,
        "email": result.email,
        "valid": result.category == "valid",
        "validated_at": result.created_at,
    }


def batch_status(batch: Batch) -> Json:
    """How far a batch is, with speed and time left once both can be told."""
    now = progress.of(batch)
    return {
        "batch_id": batch.public_id,
        "status": batch.status,
        "processing_status": batch.status,
        "progress_percentage": _percentage(batch),
        "total_emails": batch.total_emails,
        "processed_emails": batch.processed,
        **_counts(batch),
        "rate": now.rate,
        "seconds_left": now.seconds_left,
        "waiting": now.waiting,
        "waiting_until": now.waiting_until,
        "waiting_for": [_waiting_for(line) for line in now.waiting_for],
        "checks": checks_of(batch),
        "rechecking": batch.looks_for_free and batch.status in ACTIVE,
        "checking_in_full": is_checked_in_full(batch),
        "error": batch.error or None,
    }


def is_checked_in_full(batch: Batch) -> bool:
    """Whether the rows that basic checks left undecided are being taken up in full."""
    return batch.in_full_at is not None and not batch.looks_for_free and batch.status in ACTIVE


def _waiting_for(line: progress.WaitingFor) -> Json:
    return {name: getattr(line, name) for name in ("operator", "name", "reason", "rows", "until")}


def estimate(told: Estimate | None) -> Json | None:
    """How long a list takes at least, by operator."""
    if told is None:
        return None
    names = ("operator", "name", "rows", "per_minute", "seconds")
    return {
        "seconds": told.seconds,
        "over_a_day": told.over_a_day,
        "operators": [{name: getattr(share, name) for name in names} for share in told.operators],
    }


def batch_started(batch: Batch) -> Json:
    """A list that was started."""
    return {
        "batch_id": batch.public_id,
        "status": batch.status,
        "held": batch.hold.amount if batch.hold else 0,
        "checks": checks_of(batch),
        "estimate": estimate(estimates.of_batch(batch)),
    }


def batch_kept(batch: Batch) -> Json:
    """What a batch is called and how long it is kept."""
    return {"id": batch.public_id, "filename": batch.filename or None, "expires_at": batch.expires_at}


def list_answer(batch: Batch, rows: Iterable[Result]) -> Json:
    """The answer to a list that was handed in; `results` is empty while it runs."""
    return {
        "batch_id": batch.public_id,
        "status": batch.status,
        "filename": batch.filename or None,
        "total_processed": batch.processed,
        "total_emails": batch.total_emails,
        **_counts(batch),
        "duplicates_removed": batch.duplicates_removed,
        "credits_used": batch.credits_used,
        "checks": checks_of(batch),
        "estimate": estimate(estimates.of_batch(batch)),
        "results": [result_row(row) for row in rows],
    }


def draft(upload: Upload, *, credits: int, providers: Sequence[str]) -> Json:
    """A file before its start; `credits` is what its owner can spend, `providers` who could be sent its addresses."""
    shape = upload.shape
    checks = welcome.next_checks(upload.user, cost=upload.possible)
    chosen = {"name": shape["sheet"] or "", "rows": shape["rows"], "columns": shape["columns"]}
    sheets = {sheet["name"]: sheet for sheet in (chosen, *shape["others"])}
    return {
        "upload_id": upload.public_id,
        "filename": upload.filename,
        "expires_at": upload.expires_at,
        "type": shape["kind"],
        "sheets": [_sheet(sheets[name]) for name in shape["sheets"] or [""]],
        "sheet": shape["sheet"] or "",
        "email_column": str(shape["email_column"]),
        **{name: shape[name] for name in ("has_header", "encoding", "delimiter")},
        "chosen": [name for name, value in upload.options.items() if value is not None],
        **{name: getattr(upload, name) for name in ("rows", "unique", "duplicates", "blank", "bad_syntax")},
        "cost": upload.possible,
        "credits": credits,
        "unknown_costs": check_costs.FULL if checks == Checks.FULL else check_costs.BASIC,
        "checks": checks,
        "welcome_credits": welcome.welcome_of(upload.user).left,
        "max_credits": upload.max_credits,
        "retention_days": upload.retention_days,
        "use_providers": upload.use_providers,
        "providers": list(providers),
        "estimate": estimate(estimates.of_upload(upload)),
    }


def _sheet(sheet: Json) -> Json:
    names = ("name", "samples", "looks_like_email")
    columns = [{name: column[name] for name in names} for column in sheet["columns"]]
    return {"name": sheet["name"], "rows": sheet["rows"], "columns": columns}


def _counts(batch: Batch) -> dict[str, int]:
    return {name: getattr(batch, name) for name in TALLY_FIELDS if name.endswith("_count")}


def _percentage(batch: Batch) -> float:
    return round(100 * batch.processed / batch.total_emails, 1)
