"""Results as the API returns them."""

from collections.abc import Iterable, Sequence
from typing import Any

from validation.entitlements import name_checks
from validation.providers.routing import ASKED, DECISION, OURSELVES
from validation.results import storage
from validation.results.ids import IdForm, choose_id_form
from validation.results.models import Result
from validation.results.repairs import Repair, load_repairs
from validation.results.storage import load_evidence

Json = dict[str, Any]


HIDDEN = "hidden"


_TEXTS = ("email_checked", "repaired_from")
_ROWS = frozenset({"individual_validations", "recent_validations", "validations"})


def present_results(results: Iterable[Result], write_id: IdForm | None = None) -> list[Json]:
    """Results in a list: without their evidence. `write_id` is given for what outlives the call."""
    rows = list(results)
    if not rows:
        return []
    repairs, write = load_repairs(rows), write_id or choose_id_form()
    return [present_result(row, repairs.get(row.pk), write) for row in rows]


def present_result(result: Result, repair: Repair | None, write_id: IdForm) -> Json:
    """A result without its evidence. `repair`: what its address was taken out of."""
    is_valid, made_at = result.category == "valid", result.reused_from or result.created_at
    return {
        "id": write_id(result.pk),
        "row": result.row,
        "email": repair.source if repair else result.email,
        "email_checked": result.email,
        "repaired_from": repair.source if repair else None,
        "repairs": list(repair.kinds) if repair else [],
        "category": result.category,
        "reason": result.reason,
        "is_valid": is_valid,
        "valid": is_valid,
        "confidence_score": result.confidence,
        "safe_to_send": result.safe_to_send,
        "label": storage.result_label(category=result.category, safe_to_send=result.safe_to_send),
        "syntax_valid": result.syntax_valid,
        "domain_valid": result.domain_valid,
        "smtp_valid": result.smtp_valid,
        "is_disposable": result.is_disposable,
        "disposable": result.is_disposable,
        "is_catch_all": result.is_catch_all,
        "is_spam_trap": result.is_spam_trap,
        "free_email": result.is_free,
        "validation_type": "comprehensive",
        "checks": name_checks(basic=result.basic),
        "created_at": made_at,
        "validated_at": made_at,
        "reused": result.reused_from is not None,
        "rechecked_at": result.rechecked_at,
        "details": {"domain": result.domain, "category_reason": result.sentence},
    }


def present_result_in_full(result: Result) -> Json:
    """A result with its evidence."""
    details = load_evidence(result)
    return present_result(result, load_repairs([result]).get(result.pk), choose_id_form()) | {
        "sentence": result.sentence,
        "did_you_mean": details["did_you_mean"],
        "found_addresses": details.get("found_addresses", []),
        "found_count": details.get("found_count", 0),
        "flags": details["flags"],
        "mx_records": details["mx"],
        "evidence": [_present_check(check) for check in details["checks"]],
        "transcript": details["transcript"],
        "retry_after": details.get("retry_after"),
        "credits_used": int(result.charged),
        "validation_provider": _find_decider(details["checks"]).lower(),
        "shared_with": _list_shared_with(details["checks"]),
    }


def _find_decider(checks: Iterable[Sequence[Any]]) -> str:
    """The source of the verdict: ourselves, or an outside provider."""
    return next((check[3] for check in checks if check[0] == DECISION), OURSELVES)


def _list_shared_with(checks: Iterable[Sequence[Any]]) -> list[str]:
    """The outside providers that received the address, in order."""
    return list(dict.fromkeys(check[3] for check in checks if check[0] == ASKED))


def _present_check(check: Sequence[Any]) -> Json:
    name, outcome, detail, source, time_ms, expires_at = check
    return {
        "check": name,
        "outcome": outcome,
        "detail": detail,
        "source": source,
        "time_ms": time_ms,
        "expires_at": expires_at,
    }


def hide_addresses(answer: Json) -> Json:
    """A response with all addresses hidden, for staff who look at a customer's results."""
    return {key: [_hide_address(row) for row in value] if key in _ROWS else value for key, value in answer.items()}


def _hide_address(row: Json) -> Json:
    hidden = row | {"email": HIDDEN} | {name: HIDDEN for name in _TEXTS if row.get(name)}
    return hidden | {"details": {"domain": HIDDEN, "category_reason": HIDDEN}} if "details" in row else hidden
