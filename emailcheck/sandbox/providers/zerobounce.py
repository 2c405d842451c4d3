"""The calls of ZeroBounce, version 2: errors with status 200, `-1` for a wrong key, JSON where a CSV was asked for."""

import csv
import email.parser
import email.policy
import io
import uuid
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.providers import zerobounce_shapes as shapes
from emailcheck.sandbox.providers.findings import AddressTruth, Finding
from emailcheck.sandbox.providers.rate_limits import CallLimiter, CallRate
from emailcheck.sandbox.providers.service import PATH, Job, ServiceRequest, SimulatedService

KEY: Final = "sandbox5d41402abc4b2a76b9719d91"
_INVALID_KEY = "Invalid API key or your account ran out of credits"
_MOST_AT_ONCE = 100
_RATES = (CallRate("/v2/validate", 80_000, 10, 60), CallRate("/v2/validatebatch", 30, 60, 600))
_STATES = ("Queued", "Processing", "Complete")


class Refusals:
    """How ZeroBounce refuses."""

    def down(self) -> Response:
        return Response("error code: 520", 520, media_type="text/plain")

    def rate_limited(self) -> Response:
        return JSONResponse({"error": "Rate limit exceeded. Try again in 1 minute."}, 429)

    def bad_key(self) -> Response:
        return JSONResponse({"error": _INVALID_KEY})


class ZeroBounce:
    """One account at ZeroBounce."""

    def __init__(self, look_up: Callable[[str], AddressTruth]) -> None:
        self.account = SimulatedService("zerobounce", "ZeroBounce", KEY, Refusals(), look_up, CallLimiter(*_RATES))
        self._counted: Counter[str] = Counter()

    def routes(self) -> list[Route]:
        calls: tuple[tuple[str, Callable[[ServiceRequest], Response]], ...] = (
            ("validate", self._validate),
            ("validatebatch", self._validate_batch),
            ("getapiusage", self._usage),
            ("activity", self._activity),
            ("filestatus", self._file_status),
            ("getfile", self._get_file),
            ("deletefile", self._delete_file),
        )
        endpoint, here = self.account.endpoint, f"{PATH}/zerobounce/v2"
        return [
            *(Route(f"{here}/{name}", endpoint(act, allows=_has_key), methods=["GET", "POST"]) for name, act in calls),
            Route(f"{here}/getcredits", endpoint(self._credits, allows=_allow_anybody), methods=["GET", "POST"]),
            Route(f"{here}/sendfile", endpoint(self._send_file, allows=_allow_anybody), methods=["POST"]),
        ]

    def _validate(self, call: ServiceRequest) -> Response:
        address = call.text("email")
        if not address:
            return JSONResponse({"error": "Missing parameter: email"})
        if call.flag("greylist_processing"):
            return JSONResponse({"message": "The email is being re-validated. Please check back in 30 minutes."})
        answer = self._validated(call, address)
        return JSONResponse({"error": _INVALID_KEY} if answer is None else answer)

    def _validate_batch(self, call: ServiceRequest) -> Response:
        batch, timeout = call.members.get("email_batch"), call.members.get("timeout", "60")
        if not isinstance(timeout, str) or not isinstance(batch, list) or len(batch) > _MOST_AT_ONCE:
            return _batch_error_response(_INVALID_KEY)
        found: list[dict[str, Any]] = []
        for item in batch:
            answer = self._validated(call, str(item.get("email_address")))
            if answer is None:
                return _batch_error_response(_INVALID_KEY)
            found.append(answer)
        return JSONResponse({"email_batch": found, "errors": []})

    def _validated(self, call: ServiceRequest, address: str) -> dict[str, Any] | None:
        """The response for one address, None without credits. Unknown results are free."""
        known = self.account.look_up(call, address)
        status_words = self._choose_result(call, known)
        costs = status_words[0] != "unknown" and not shapes.is_free_of_charge(known)
        if not self.account.spend(call, int(costs)) or not (costs or self.account.balance(call)):
            return None
        return shapes.validate_json(known, status_words, datetime.now(UTC))

    def _choose_result(self, call: ServiceRequest, known: AddressTruth) -> tuple[str, str]:
        status_words = shapes.NEW_WORDS if "new_words" in call.troubles else shapes.choose_status(known)
        self._counted.update(("total", f"status_{status_words[0].replace('-', '_')}", f"sub_status_{status_words[1]}"))
        return status_words

    def _credits(self, call: ServiceRequest) -> Response:
        wrong = "bad_key" in call.troubles or not _has_key(call)
        return JSONResponse({"Credits": -1 if wrong else self.account.balance(call)})

    def _usage(self, call: ServiceRequest) -> Response:
        answer = {name: count for name, count in self._counted.items() if name != "sub_status_"}
        return JSONResponse({"total": 0, **answer, "start_date": "1/1/2026", "end_date": "12/31/2026"})

    def _activity(self, call: ServiceRequest) -> Response:
        known = self.account.look_up(call, call.text("email"))
        found = known.finding in {Finding.EXISTS, Finding.WRITTEN_TO}
        return JSONResponse({"found": found, "active_in_days": "180" if found else None, "active_first_seen": None})

    def _send_file(self, call: ServiceRequest) -> Response:
        fields, name, file = _parse_form(call)
        if "bad_key" in call.troubles or fields.get("api_key") != KEY:
            return JSONResponse({"success": "False", "message": [_INVALID_KEY], "error_message": _INVALID_KEY})
        rows = [row for row in csv.reader(io.StringIO(file.decode("utf-8-sig"), newline="")) if row]
        header = rows.pop(0) if rows and fields.get("has_header_row", "").lower() == "true" else []
        column = int(fields.get("email_address_column", "1")) - 1
        unique_rows = _drop_repeats(rows, column) if fields.get("remove_duplicate", "true").lower() != "false" else rows
        if not unique_rows or 2 * len(unique_rows) < len(rows):
            return JSONResponse({"success": False, "message": "More than 50% of the lines were removed."}, 400)
        known = [self.account.look_up(call, row[column]) for row in unique_rows]
        names = header or ["Email Address", *(f"Column {number}" for number in range(2, len(unique_rows[0]) + 1))]
        lines = [dict(zip(names, row, strict=False)) for row in unique_rows]
        job = self.account.open_job(name, lines, known, str(uuid.uuid4()))
        return JSONResponse({"success": True, "message": "File Accepted", "file_name": name, "file_id": job.id})

    def _file_status(self, call: ServiceRequest) -> Response:
        job = self.account.jobs.get(call.text("file_id"))
        if job is None:
            return JSONResponse({"success": False, "message": "file_id is invalid."})
        job.step = min(job.step + 1, Job.STEPS)
        if job.step == Job.STEPS and not job.charged and not job.failure:
            self._charge_job(call, job)
        state, failure = _STATES[job.step], "The file failed." if "job_failed" in call.troubles else job.failure
        if "review" in call.troubles:
            state = "Queued"
        return JSONResponse(
            {
                "success": True,
                "file_id": job.id,
                "file_name": job.name,
                "upload_date": f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
                "file_status": "Failed" if failure else state,
                "file_phase_2_status": "N/A",
                "complete_percentage": "100% Complete." if state == "Complete" else f"{50 * job.step}%",
                "error_reason": failure or None,
                "return_url": None,
            }
        )

    def _charge_job(self, call: ServiceRequest, job: Job) -> None:
        """Charge a job. Unknown results are free here too."""
        costs = sum(shapes.choose_status(known)[0] != "unknown" for known in job.known)
        if self.account.spend(call, costs):
            job.charged = costs
        else:
            job.failure = "Insufficient credits."

    def _get_file(self, call: ServiceRequest) -> Response:
        job = self.account.jobs.get(call.text("file_id"))
        if job is None or not job.is_done or "expired_link" in call.troubles:
            return JSONResponse({"success": "False", "message": ["File is not ready or does not exist."]})
        text = io.StringIO(newline="")
        writer = csv.writer(text, quoting=csv.QUOTE_ALL)
        writer.writerow((*job.rows[0], *shapes.COLUMNS))
        for row, known in zip(job.rows, job.known, strict=True):
            writer.writerow((*row.values(), *shapes.build_result_cells(known, self._choose_result(call, known))))
        return Response(text.getvalue(), media_type="application/octet-stream")

    def _delete_file(self, call: ServiceRequest) -> Response:
        job = self.account.jobs.pop(call.text("file_id"), None)
        if job is None:
            return JSONResponse({"success": False, "message": "File cannot be found."})
        answer = {"success": True, "message": "File Deleted", "file_name": job.name, "file_id": job.id}
        return JSONResponse(answer)


def _has_key(call: ServiceRequest) -> bool:
    return call.text("api_key") == KEY


def _allow_anybody(call: ServiceRequest) -> bool:
    return True


def _batch_error_response(status_words: str) -> Response:
    return JSONResponse({"email_batch": [], "errors": [{"error": status_words, "email_address": "all"}]})


def _drop_repeats(rows: list[list[str]], column: int) -> list[list[str]]:
    """The first row of each address, in the order of the file."""
    first: dict[str, list[str]] = {}
    for row in rows:
        first.setdefault(row[column].lower(), row)
    return list(first.values())


def _parse_form(call: ServiceRequest) -> tuple[dict[str, str], str, bytes]:
    """The fields of a multipart form, and the name and content of its file."""
    head = f"Content-Type: {call.request.headers.get('content-type', '')}\r\n\r\n".encode()
    message = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + call.body)
    fields, name, file = {}, "", b""
    for part in message.iter_parts():
        content = part.get_payload(decode=True)
        content = content if isinstance(content, bytes) else b""
        if part.get_filename():
            name, file = str(part.get_filename()), content
        else:
            fields[str(part.get_param("name", header="content-disposition"))] = content.decode()
    return fields, name, file
