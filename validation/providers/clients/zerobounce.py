"""ZeroBounce, version 2 of its interface.

It reports errors with status 200 too, and a wrong key and an empty account in the same words. Its GETs take the key in
the query alone, so no path with a query goes into an error or a log.
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

from emailcheck.common.outbound.http import Answer
from validation.engine import Flag
from validation.providers.clients import mapping
from validation.providers.clients.answer_fields import (
    find_complaint,
    find_flag,
    find_text,
    find_whole_number,
    parse_object,
    parse_percentage,
    parse_word,
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
    StillRunning,
)
from validation.providers.clients.calls import ProviderAccount
from validation.providers.clients.csv_tables import build_csv, parse_csv_rows
from validation.providers.clients.opinions import (
    build_file_name,
    build_opinion,
    check_job_size,
    collect_opinions,
    find_job_error,
)

_ASKS_AGAIN_S = 1_800.0
_LEAST_S = 0.1
_MARGIN_S = 1.0
_LEAST_ALLOWED_S, _MOST_ALLOWED_S = 3, 60
_COMPLAINTS = ("error", "error_message", "message", "Message")
_PHASES: Final[Mapping[str, Phase]] = {
    "queued": Phase.WAITING,
    "processing": Phase.RUNNING,
    "catchallprocessing": Phase.RUNNING,
    "complete": Phase.DONE,
    "failed": Phase.FAILED,
    "deleted": Phase.FAILED,
}


class ZeroBounce(ProviderAccount):
    """Our account at ZeroBounce."""

    def check(self, address: str, *, timeout: float) -> Opinion:
        begun = time.monotonic()
        query = {"api_key": self._key, "email": address, "ip_address": "", "timeout": _format_timeout(timeout)}
        reply = self._read_reply(self._calls.get("/v2/validate", query, seconds=timeout), ends=begun + timeout)
        return self._opinion(reply, address, took=time.monotonic() - begun)

    def balance(self) -> int:
        return self._credits(None)

    def submit(self, addresses: Sequence[str], *, label: str) -> str:
        check_job_size(addresses)
        fields = {
            "api_key": self._key,
            "email_address_column": "1",
            "has_header_row": "false",
            "remove_duplicate": "false",
        }
        kind, body = _build_form(fields, build_csv(addresses), label)
        reply = self._read_reply(self._bulk.send("POST", "/v2/sendfile", body, kind=kind))
        if find_flag(reply, "success") is not True:
            raise self._explain_complaint(find_complaint(reply, *_COMPLAINTS))
        return require_word(reply, "file_id")

    def poll(self, job: str) -> Progress:
        reply = self._read_reply(self._bulk.get("/v2/filestatus", {"api_key": self._key, "file_id": job}))
        if find_flag(reply, "success") is False:
            raise self._explain_complaint(find_complaint(reply, *_COMPLAINTS))
        status = require_word(reply, "file_status").replace(" ", "")
        why = find_text(reply, "error_reason")
        phase = Phase.FAILED if why else _PHASES.get(status, Phase.RUNNING)
        return Progress(phase, parse_percentage(reply, "complete_percentage"), why or status)

    def fetch(self, job: str) -> list[Opinion]:
        query = {"api_key": self._key, "file_id": job}
        answer = self._bulk.get("/v2/getfile", query, is_large=True)
        if answer.status >= 400 or answer.body.lstrip()[:1] == b"{":
            raise self._not_ready(job, find_complaint(parse_object(answer.body), *_COMPLAINTS), answer.status)
        return collect_opinions(parse_csv_rows(answer.body, prefix="zb_", verdict="status"), self._of_row)

    def _read_reply(self, answer: Answer, *, ends: float | None = None) -> dict[str, Any]:
        """The answer without an error. Raises `ProviderError`. `ends`: monotonic time of the deadline."""
        reply = parse_object(answer.body)
        if answer.status >= 400 or reply.get("error"):
            raise self._explain_complaint(find_complaint(reply, *_COMPLAINTS), answer.status, ends=ends)
        return reply

    def _explain_complaint(self, complaint: str, status: int = 200, *, ends: float | None = None) -> ProviderError:
        """The error behind an error text.

        A wrong key and an empty account share one text; the balance tells them apart.
        """
        if "api key" not in complaint and "api_key" not in complaint and "credit" not in complaint:
            return Refused(f"refused with {status}")
        try:
            left = self._credits(ends)
        except ProviderError as error:
            return error
        return Refused("refused, with credits left") if left else OutOfCredit("no credits left")

    def _credits(self, ends: float | None) -> int:
        seconds = None if ends is None else max(ends - time.monotonic(), _LEAST_S)
        answer = self._calls.get("/v2/getcredits", {"api_key": self._key}, seconds=seconds)
        reply = parse_object(answer.body)
        left = find_whole_number(reply, "Credits")
        if left is None:
            complaint = find_complaint(reply, *_COMPLAINTS)
            raise BadKey("getcredits: refused") if "key" in complaint else BadAnswer("Credits is no number")
        if left < 0:
            raise BadKey("getcredits: -1")
        return left

    def _not_ready(self, job: str, complaint: str, status: int) -> ProviderError:
        """The error for a missing file. The texts for an unfinished job are undocumented, so its state is queried."""
        return find_job_error(self.poll(job)) or self._explain_complaint(complaint, status)

    def _opinion(self, reply: Mapping[str, Any], address: str, *, took: float = 0.0) -> Opinion:
        if reply.get("status") is None and find_complaint(reply, "message", "Message"):
            raise StillRunning("being looked at again", again_after=_ASKS_AGAIN_S)
        words = require_word(reply, "status"), parse_word(reply, "sub_status")
        return build_opinion(
            mapping.ZEROBOUNCE.get(words, mapping.UNRECOGNISED),
            reply,
            provider=self.name,
            address=address,
            key=self._key,
            words=words,
            flags={Flag.FREE} if find_flag(reply, "free_email") else (),
            is_catch_all=find_flag(reply, "catchall_domain"),
            advises_against=mapping.zerobounce_warns(words),
            did_you_mean=find_text(reply, "did_you_mean"),
            charged=words[0] != "unknown",
            took=took,
        )

    def _of_row(self, row: Mapping[str, str]) -> Opinion:
        address = row.get("email_address") or next(iter(row.values()), "")
        return self._opinion({name: value or None for name, value in row.items()}, address)


def _format_timeout(timeout: float) -> str:
    """The provider's own time limit, short enough for its answer to reach us in time."""
    return str(int(max(_LEAST_ALLOWED_S, min(_MOST_ALLOWED_S, timeout - _MARGIN_S))))


def _build_form(fields: Mapping[str, str], file: bytes, label: str) -> tuple[str, bytes]:
    """A multipart form (RFC 7578) with one file: its media type and body."""
    boundary = secrets.token_hex(16)
    parts = [f'Content-Disposition: form-data; name="{field}"\r\n\r\n{text}' for field, text in fields.items()]
    parts.append(
        f'Content-Disposition: form-data; name="file"; filename="{build_file_name(label)}"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    )
    head = "\r\n".join(f"--{boundary}\r\n{part}" for part in parts).encode()
    return f"multipart/form-data; boundary={boundary}", head + file + f"\r\n--{boundary}--\r\n".encode()
