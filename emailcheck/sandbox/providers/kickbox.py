"""The calls of Kickbox, version 2: a wrong key and an empty account differ only in words; links to results expire."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.providers import kickbox_shapes as shapes
from emailcheck.sandbox.providers.findings import AddressTruth
from emailcheck.sandbox.providers.rate_limits import CallLimiter, CallRate
from emailcheck.sandbox.providers.service import PATH, Job, ServiceRequest, SimulatedService, new_token

KEY: Final = "live_sandbox8fa14cdd754f91cc"
TEST_KEY: Final = "test_sandbox8fa14cdd754f91cc"
_HERE = f"{PATH}/kickbox"
_GONE = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>'
_RESULTS = ("deliverable", "undeliverable", "risky", "unknown")
_COLUMNS = ("result", "reason", "role", "free", "disposable", "accept_all", "did_you_mean", "sendex")


class Refusals:
    """How Kickbox refuses."""

    def down(self) -> Response:
        return _refusal_response("Internal server error", 500)

    def rate_limited(self) -> Response:
        return _refusal_response("Rate limit exceeded", 429)

    def bad_key(self) -> Response:
        return _refusal_response("Invalid API key", 403)


class Kickbox:
    """One account at Kickbox."""

    def __init__(self, look_up: Callable[[str], AddressTruth]) -> None:
        self.account = SimulatedService(
            "kickbox", "Kickbox", KEY, Refusals(), look_up, CallLimiter(CallRate("", 8_000, 60, 0), at_once=25)
        )

    def routes(self) -> list[Route]:
        endpoint = self.account.endpoint
        return [
            Route(f"{_HERE}/v2/verify", endpoint(self._verify, allows=_has_key), methods=["GET"]),
            Route(f"{_HERE}/v2/balance", endpoint(self._balance, allows=_has_key), methods=["GET"]),
            Route(f"{_HERE}/v2/verify-batch", endpoint(self._open_batch, allows=_has_key), methods=["PUT"]),
            Route(f"{_HERE}/v2/verify-batch/{{id}}", endpoint(self._batch, allows=_has_key), methods=["GET"]),
            Route(f"{_HERE}/downloads/{{link}}", endpoint(self._download, allows=_allow_anybody), methods=["GET"]),
            Route(
                f"{_HERE}/v1/disposable/{{name}}", endpoint(self._disposable, allows=_allow_anybody), methods=["GET"]
            ),
        ]

    def _verify(self, call: ServiceRequest) -> Response:
        known = self.account.look_up(call, call.text("email"))
        is_test = _is_test_key(call)
        if not known.address:
            return _refusal_response("Missing email address", 400)
        if (is_test and shapes.extract_trigger(known) == shapes.NO_BALANCE) or not self.account.spend(
            call, int(not is_test)
        ):
            return _refusal_response("Insufficient balance", 403)
        answer = shapes.verify_json(known, self._choose_result(call, known))
        headers = {"X-Kickbox-Balance": str(self.account.balance(call)), "X-Kickbox-Response-Time": "23"}
        return JSONResponse(answer, headers=headers)

    def _balance(self, call: ServiceRequest) -> Response:
        return JSONResponse({"balance": self.account.balance(call), "success": True, "message": None})

    def _open_batch(self, call: ServiceRequest) -> Response:
        if not call.request.headers.get("content-type", "").startswith("text/csv"):
            return _refusal_response("Content-Type must be text/csv", 415)
        text = io.StringIO(call.body.decode("utf-8-sig"), newline="")
        rows = [row for row in csv.reader(text, doublequote=False, escapechar="\\") if row]
        if not rows or not self.account.spend(call, 0 if _is_test_key(call) else len(rows)):
            return _refusal_response("Insufficient balance" if rows else "No emails to verify", 403 if rows else 400)
        name = call.request.headers.get("x-kickbox-filename", "Batch API Process")
        known = [self.account.look_up(call, row[0]) for row in rows]
        job = self.account.open_job(name, [{"email": row[0]} for row in rows], known)
        return JSONResponse({"id": int(job.id), "success": True, "message": None})

    def _batch(self, call: ServiceRequest) -> Response:
        job = self.account.jobs.get(call.request.path_params["id"])
        if job is None:
            return _refusal_response("Job not found", 404)
        answer = {"id": int(job.id), **self._present_job(call, job), "success": True, "message": None}
        job.step = min(job.step + 1, Job.STEPS)
        return JSONResponse(answer)

    def _present_job(self, call: ServiceRequest, job: Job) -> dict[str, Any]:
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.000Z}"
        if "job_failed" in call.troubles:
            return {"name": job.name, "created_at": moment, "status": "failed", "error": "The file cannot be read."}
        if "review" in call.troubles or job.step == 0:
            return {"status": "starting"}
        counts = Counter(self._choose_result(call, known).result for known in job.known)
        stats: dict[str, Any] = {result: counts[result] for result in _RESULTS}
        if not job.is_done:
            left = {"total": len(job.known), "unprocessed": len(job.known) // 2}
            return {"status": "processing", "progress": dict.fromkeys(_RESULTS, 0) | left}
        link = new_token()
        job.links.add(link)
        url = call.request.url
        return {
            "name": job.name,
            "download_url": f"{url.scheme}://{url.netloc}{_HERE}/downloads/{link}",
            "created_at": moment,
            "status": "completed",
            "stats": stats | {"sendex": 0.5, "addresses": len(job.known)},
            "error": None,
            "duration": 0,
        }

    def _download(self, call: ServiceRequest) -> Response:
        link = call.request.path_params["link"]
        job = next((job for job in self.account.jobs.values() if link in job.links), None)
        if job is None or "expired_link" in call.troubles:
            return Response(_GONE, 403, media_type="application/xml")
        text = io.StringIO(newline="")
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, doublequote=False, escapechar="\\")
        writer.writerow(("Email", *(f"Kickbox {name.replace('_', ' ').title()}" for name in _COLUMNS)))
        for row, known in zip(job.rows, job.known, strict=True):
            answer = shapes.verify_json(known, self._choose_result(call, known))
            writer.writerow((row["email"], *(_format_cell(answer[name]) for name in _COLUMNS)))
        return Response(text.getvalue(), media_type="text/csv")

    def _disposable(self, call: ServiceRequest) -> Response:
        name = call.request.path_params["name"]
        known = self.account.look_up(call, name if "@" in name else f"anna@{name}")
        return JSONResponse({"disposable": known.finding.value == "disposable"})

    def _choose_result(self, call: ServiceRequest, known: AddressTruth) -> shapes.KickboxResult:
        return shapes.choose_result(known, test=_is_test_key(call), new_words="new_words" in call.troubles)


def _read_key(call: ServiceRequest) -> str:
    scheme, _, token = call.request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() in {"token", "bearer"} else call.text("apikey")


def _has_key(call: ServiceRequest) -> bool:
    return _read_key(call) in {KEY, TEST_KEY}


def _is_test_key(call: ServiceRequest) -> bool:
    return _read_key(call) == TEST_KEY


def _allow_anybody(call: ServiceRequest) -> bool:
    return True


def _format_cell(value: Any) -> str:
    return "" if value is None else str(value).lower()


def _refusal_response(message: str, status: int) -> Response:
    return JSONResponse({"success": False, "message": message}, status)
