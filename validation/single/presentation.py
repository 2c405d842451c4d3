"""A visitor's try as the API answers it."""

from validation.results.models import Result
from validation.results.presentation import Json, present_result_in_full

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


def present_try(result: Result, *, remaining: int) -> Json:
    """The result of a visitor's try, which has no number, because it is not kept; `remaining` are the tries left."""
    full = present_result_in_full(result)
    return {name: full[name] for name in _TRIED} | {"remaining": remaining}
