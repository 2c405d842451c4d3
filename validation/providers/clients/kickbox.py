"""Kickbox, version 2 of its interface.

A wrong key and an empty account share status 403 and differ in words. Results of a job lie behind a link that ends
after an hour; asking for the job again gives a new one. Its CSV files escape quotes with a backslash.
"""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from emailcheck.common.outbound.http import Answer
from validation.providers.clients import mapping
from validation.providers.clients.answer_fields import (
    find_complaint,
    find_flag,
    find_text,
    find_whole_number,
    parse_object,
    parse_word,
    require_object,
    require_whole_number,
    require_word,
)
from validation.providers.clients.base import (
    BadAnswer,
    BadKey,
    Opinion,
    OutOfCredit,
    Phase,
    Progress,
    ProviderError,
    Refused,
)
from validation.providers.clients.calls import LinkEnded, ProviderAccount, build_refusal, download_results
from validation.providers.clients.configuration import Access
from validation.providers.clients.csv_tables import build_csv, parse_csv_rows
from validation.providers.clients.opinions import (
    build_file_name,
    build_opinion,
    check_job_size,
    collect_opinions,
    find_job_error,
)

_MARGIN_S = 1.0
_MOST_MS = 30_000
_FORBIDDEN = 403
_PHASES: Final[Mapping[str, Phase]] = {
    "starting": Phase.WAITING,
    "processing": Phase.RUNNING,
    "completed": Phase.DONE,
    "failed": Phase.FAILED,
}
_TABLE: Final = mapping.KICKBOX


class Kickbox(ProviderAccount):
    """Our account at Kickbox."""

    def __init__(self, access: Access) -> None:
        super().__init__(access)
        # In a header, so that no address or log holds it.
        self._headers = {"Authorization": f"token {self._key}"}

    def check(self, address: str, *, timeout: float) -> Opinion:
        begun = time.monotonic()
        milliseconds = int(max(1.0, min(_MOST_MS, 1000 * (timeout - _MARGIN_S))))
        query = {"email": address, "timeout": str(milliseconds)}
        reply = _parse_answer(self._calls.get("/v2/verify", query, headers=self._headers, seconds=timeout))
        return self._opinion(reply, address, took=time.monotonic() - begun)

    def balance(self) -> int:
        reply = _parse_answer(self._calls.get("/v2/balance", {}, headers=self._headers))
        return require_whole_number(reply, "balance")

    def submit(self, addresses: Sequence[str], *, label: str) -> str:
        check_job_size(addresses)
        headers = {**self._headers, "X-Kickbox-Filename": build_file_name(label)}
        body = build_csv(addresses, backslash=True)
        reply = _parse_answer(
            self._bulk.send("PUT", "/v2/verify-batch", body, kind="text/csv", headers=headers, is_large=True)
        )
        return str(require_whole_number(reply, "id"))

    def poll(self, job: str) -> Progress:
        return _parse_progress(self._job(job))

    def fetch(self, job: str) -> list[Opinion]:
        try:
            file = self._download(job)
        except LinkEnded:
            file = self._download(job)
        return collect_opinions(parse_csv_rows(file, prefix="kickbox_", verdict="result", backslash=True), self._of_row)

    def _job(self, job: str) -> dict[str, Any]:
        answer = self._bulk.get(f"/v2/verify-batch/{quote(job, safe='')}", {}, headers=self._headers)
        return _parse_answer(answer, about_job=True)

    def _download(self, job: str) -> bytes:
        reply = self._job(job)
        error = find_job_error(_parse_progress(reply))
        if error:
            raise error
        link = find_text(reply, "download_url")
        if link is None:
            raise BadAnswer("download_url is missing")
        return download_results(link, base=self._bulk.base)

    def _of_row(self, row: Mapping[str, str]) -> Opinion:
        return self._opinion(row, row.get("email") or next(iter(row.values()), ""))

    def _opinion(self, reply: Mapping[str, Any], address: str, *, took: float = 0.0) -> Opinion:
        words = require_word(reply, "result"), parse_word(reply, "reason")
        true = [trait for trait in mapping.KICKBOX_TRAITS if find_flag(reply, trait)]
        trait = next((trait for trait in true if (*words, trait) in _TABLE), "")
        return build_opinion(
            _TABLE.get((*words, trait), mapping.UNRECOGNISED),
            reply,
            provider=self.name,
            address=address,
            key=self._key,
            words=words,
            flags=[ours for theirs, ours in mapping.KICKBOX_FLAGS.items() if find_flag(reply, theirs)],
            is_catch_all=find_flag(reply, "accept_all"),
            did_you_mean=find_text(reply, "did_you_mean"),
            took=took,
        )


def _parse_answer(answer: Answer, *, about_job: bool = False) -> dict[str, Any]:
    """The answer of a successful call. Raises `ProviderError`, also for a failed job."""
    if answer.status < 400:
        reply = parse_object(answer.body)
        if find_flag(reply, "success") is False and not (about_job and reply.get("status")):
            raise _classify_complaint(find_complaint(reply, "message"), answer.status)
        return reply
    if answer.status != _FORBIDDEN:
        raise build_refusal(answer.status, "call")
    raise _classify_complaint(find_complaint(parse_object(answer.body), "message"), answer.status)


def _classify_complaint(complaint: str, status: int) -> ProviderError:
    if "insufficient balance" in complaint:
        return OutOfCredit("insufficient balance")
    return BadKey(f"refused with {status}") if status == _FORBIDDEN else Refused(f"refused with {status}")


def _parse_progress(reply: Mapping[str, Any]) -> Progress:
    status = require_word(reply, "status")
    phase = _PHASES.get(status, Phase.WAITING)
    return Progress(phase, 100.0 if phase is Phase.DONE else _parse_percent(reply), find_text(reply, "error") or status)


def _parse_percent(reply: Mapping[str, Any]) -> float:
    progress = require_object(reply.get("progress") or {}, "progress")
    total, left = find_whole_number(progress, "total"), find_whole_number(progress, "unprocessed")
    if not total or left is None:
        return 0.0
    return max(0.0, min(100.0, 100 * (total - left) / total))
