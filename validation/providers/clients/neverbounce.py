"""NeverBounce, version 4.2 of its interface.

Every error of its own comes with status 200 and a word in `status`. Accounts billed by use have no paid credits.
"""

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import urlencode

from validation.providers.clients import mapping
from validation.providers.clients.answer_fields import (
    find_complaint,
    find_text,
    find_whole_number,
    parse_object,
    parse_percentage,
    require_object,
    require_objects,
    require_whole_number,
    require_word,
)
from validation.providers.clients.base import (
    MOST_IN_JOB,
    BadAnswer,
    BadKey,
    Opinion,
    OutOfCredit,
    Phase,
    Progress,
    ProviderError,
    RateLimited,
    Refused,
    Unavailable,
)
from validation.providers.clients.calls import ProviderAccount, build_refusal
from validation.providers.clients.opinions import (
    build_file_name,
    build_opinion,
    check_job_size,
    collect_opinions,
    find_job_error,
)

_MARGIN_S = 1.0
_MOST_S = 30
_FORBIDDEN = 403
_PAGE: Final = 1_000
_PHASES: Final[Mapping[str, Phase]] = {
    "under_review": Phase.REVIEW,
    "uploading": Phase.WAITING,
    "queued": Phase.WAITING,
    "parsing": Phase.WAITING,
    "waiting": Phase.WAITING,
    "waiting_analyzed": Phase.WAITING,
    "running": Phase.RUNNING,
    "complete": Phase.DONE,
    "failed": Phase.FAILED,
}
_FAILURES: Final[Mapping[str, type[ProviderError]]] = {
    "auth_failure": BadKey,
    "bad_referrer": BadKey,
    "throttle_triggered": RateLimited,
    "general_failure": Refused,
}


class NeverBounce(ProviderAccount):
    """Our account at NeverBounce."""

    def check(self, address: str, *, timeout: float) -> Opinion:
        begun = time.monotonic()
        seconds = str(int(max(1, min(_MOST_S, timeout - _MARGIN_S))))
        params = {"email": address, "credits_info": "1", "timeout": seconds}
        reply = self._post_form("/v4.2/single/check", params, seconds=timeout)
        return self._opinion(reply, address, charged=_parse_charged(reply), took=time.monotonic() - begun)

    def balance(self) -> int | None:
        reply = self._post_form("/v4.2/account/info", {})
        credits = require_object(reply.get("credits_info"), "credits_info")
        paid = find_whole_number(credits, "paid_credits_remaining")
        return None if paid is None else paid + (find_whole_number(credits, "free_credits_remaining") or 0)

    def submit(self, addresses: Sequence[str], *, label: str) -> str:
        check_job_size(addresses)
        params = {
            "input_location": "supplied",
            "input": [{"email": address} for address in addresses],
            "filename": build_file_name(label),
            # A separate start call fails until parsing has ended, so the service starts by itself.
            "auto_parse": 1,
            "auto_start": 1,
            "run_sample": 0,
            "allow_manual_review": 0,
        }
        return str(require_whole_number(self._post_json("/v4.2/jobs/create", params), "job_id"))

    def poll(self, job: str) -> Progress:
        reply = self._post_form("/v4.2/jobs/status", {"job_id": job})
        status = require_word(reply, "job_status")
        why = find_text(reply, "failure_reason")
        return Progress(_PHASES.get(status, Phase.WAITING), parse_percentage(reply, "percent_complete"), why or status)

    def fetch(self, job: str) -> list[Opinion]:
        error = find_job_error(self.poll(job))
        if error:
            raise error
        found: list[dict[str, Any]] = []
        for page in range(1, MOST_IN_JOB // _PAGE + 2):
            params = {"job_id": job, "page": str(page), "items_per_page": str(_PAGE)}
            reply = self._post_form("/v4.2/jobs/results", params, is_large=True)
            found += require_objects(reply.get("results"), "results")
            if page >= (find_whole_number(reply, "total_pages") or 0):
                break
        return collect_opinions(found, self._of_result)

    def _post_form(
        self, path: str, params: Mapping[str, str], *, seconds: float | None = None, is_large: bool = False
    ) -> dict[str, Any]:
        """Send a form, which keeps the key out of the URL. Raises `ProviderError`."""
        body = urlencode({"key": self._key, **params}).encode()
        calls = self._bulk if path.startswith("/v4.2/jobs/") else self._calls
        kind = "application/x-www-form-urlencoded"
        answer = calls.send("POST", path, body, kind=kind, seconds=seconds, is_large=is_large)
        return _parse_answer(answer.status, answer.body, path)

    def _post_json(self, path: str, params: Mapping[str, Any]) -> dict[str, Any]:
        body = json.dumps({"key": self._key, **params}).encode()
        answer = self._bulk.send("POST", path, body, kind="application/json", is_large=True)
        return _parse_answer(answer.status, answer.body, path)

    def _of_result(self, result: Mapping[str, Any]) -> Opinion:
        address = find_text(require_object(result.get("data"), "data"), "email") or ""
        return self._opinion(require_object(result.get("verification"), "verification"), address)

    def _opinion(
        self, reply: Mapping[str, Any], address: str, *, charged: bool | None = None, took: float = 0.0
    ) -> Opinion:
        result, flags = _parse_result(reply), _parse_flags(reply)
        why = next((flag for flag in mapping.NEVERBOUNCE_REASONS if flag in flags and (result, flag) in _TABLE), "")
        meaning = _TABLE.get((result, why), mapping.UNRECOGNISED)
        return build_opinion(
            meaning,
            reply,
            provider=self.name,
            address=address,
            key=self._key,
            words=(result, why),
            flags=[mapping.NEVERBOUNCE_FLAGS[flag] for flag in flags if flag in mapping.NEVERBOUNCE_FLAGS],
            is_catch_all=True if "accepts_all" in flags else None,
            advises_against=mapping.NEVERBOUNCE_WARNS in flags,
            did_you_mean=find_text(reply, "suggested_correction"),
            charged=charged,
            took=took,
        )


_TABLE: Final = mapping.NEVERBOUNCE


def _parse_answer(status: int, body: bytes, path: str) -> dict[str, Any]:
    """The answer of a call that succeeded. Raises `ProviderError`."""
    if status == _FORBIDDEN:
        raise BadKey(f"{path}: {status}")
    if status >= 400:
        raise build_refusal(status, path)
    reply = parse_object(body)
    status_word = require_word(reply, "status")
    if status_word == "success":
        return reply
    if status_word == "general_failure" and "insufficient credit" in find_complaint(reply, "message"):
        raise OutOfCredit("general_failure: insufficient credit")
    if status_word == "temp_unavail":
        raise Unavailable(f"{path}: {status_word}", charged=False)
    raise _FAILURES.get(status_word, BadAnswer)(f"{path}: {status_word}")


def _parse_result(reply: Mapping[str, Any]) -> str:
    """The result as a word; older calls answer a number."""
    number = find_whole_number(reply, "result")
    if number is None:
        return require_word(reply, "result")
    if 0 <= number < len(mapping.NEVERBOUNCE_RESULTS):
        return mapping.NEVERBOUNCE_RESULTS[number]
    return str(number)


def _parse_flags(reply: Mapping[str, Any]) -> frozenset[str]:
    found = reply.get("flags")
    return frozenset(flag for flag in found if isinstance(flag, str)) if isinstance(found, list) else frozenset()


def _parse_charged(reply: Mapping[str, Any]) -> bool | None:
    """Whether a credit was used, paid or free; None on accounts billed by use."""
    credits = reply.get("credits_info")
    if not isinstance(credits, dict):
        return None
    used = [find_whole_number(credits, f"{kind}_credits_used") for kind in ("paid", "free")]
    return None if None in used else any(used)
