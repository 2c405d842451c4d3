"""The calls of Kickbox, version 2: a wrong key and an empty account differ in words alone, links to results end."""

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


class Manner:
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
        self.desk = SimulatedService(
            "kickbox", "Kickbox", KEY, Manner(), look_up, CallLimiter(CallRate("", 8_000, 60, 0), at_once=25)
        )

    def routes(self) -> list[Route]:
        endpoint = self.desk.endpoint
        return [
            Route(f"{_HERE}/v2/verify", endpoint(self._verify, may=_has_key), methods=["GET"]),
            Route(f"{_HERE}/v2/balance", endpoint(self._balance, may=_has_key), methods=["GET"]),
            Route(f"{_HERE}/v2/verify-batch", endpoint(self._open_batch, may=_has_key), methods=["PUT"]),
            Route(f"{_HERE}/v2/verify-batch/{{id}}", endpoint(self._batch, may=_has_key), methods=["GET"]),
            Route(f"{_HERE}/downloads/{{link}}", endpoint(self._download, may=_allow_anybody), methods=["GET"]),
            Route(f"{_HERE}/v1/disposable/{{name}}", endpoint(self._disposable, may=_allow_anybody), methods=["GET"]),
        ]

    def _verify(self, asked: ServiceRequest) -> Response:
        known = self.desk.look_up(asked, asked.text("email"))
        is_test = _is_test_key(asked)
        if not known.address:
            return _refusal_response("Missing email address", 400)
        if (is_test and shapes.extract_trigger(known) == shapes.NO_BALANCE) or not self.desk.spend(
            asked, int(not is_test)
        ):
            return _refusal_response("Insufficient balance", 403)
        told = shapes.verify_json(known, self._heard(asked, known))
        headers = {"X-Kickbox-Balance": str(self.desk.balance(asked)), "X-Kickbox-Response-Time": "23"}
        return JSONResponse(told, headers=headers)

    def _balance(self, asked: ServiceRequest) -> Response:
        return JSONResponse({"balance": self.desk.balance(asked), "success": True, "message": None})

    def _open_batch(self, asked: ServiceRequest) -> Response:
        if not asked.request.headers.get("content-type", "").startswith("text/csv"):
            return _refusal_response("Content-Type must be text/csv", 415)
        text = io.StringIO(asked.body.decode("utf-8-sig"), newline="")
        rows = [row for row in csv.reader(text, doublequote=False, escapechar="\\") if row]
        if not rows or not self.desk.spend(asked, 0 if _is_test_key(asked) else len(rows)):
            return _refusal_response("Insufficient balance" if rows else "No emails to verify", 403 if rows else 400)
        name = asked.request.headers.get("x-kickbox-filename", "Batch API Process")
        known = [self.desk.look_up(asked, row[0]) for row in rows]
        job = self.desk.open_job(name, [{"email": row[0]} for row in rows], known)
        return JSONResponse({"id": int(job.id), "success": True, "message": None})

    def _batch(self, asked: ServiceRequest) -> Response:
        job = self.desk.jobs.get(asked.request.path_params["id"])
        if job is None:
            return _refusal_response("Job not found", 404)
        told = {"id": int(job.id), **self._shown(asked, job), "success": True, "message": None}
        job.step = min(job.step + 1, Job.STEPS)
        return JSONResponse(told)

    def _shown(self, asked: ServiceRequest, job: Job) -> dict[str, Any]:
        moment = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S.000Z}"
        if "job_failed" in asked.troubles:
            return {"name": job.name, "created_at": moment, "status": "failed", "error": "The file cannot be read."}
        if "review" in asked.troubles or job.step == 0:
            return {"status": "starting"}
        counts = Counter(self._heard(asked, known).result for known in job.known)
        stats: dict[str, Any] = {result: counts[result] for result in _RESULTS}
        if not job.is_done:
            left = {"total": len(job.known), "unprocessed": len(job.known) // 2}
            return {"status": "processing", "progress": dict.fromkeys(_RESULTS, 0) | left}
        link = new_token()
        job.links.add(link)
        url = asked.request.url
        return {
            "name": job.name,
            "download_url": f"{url.scheme}://{url.netloc}{_HERE}/downloads/{link}",
            "created_at": moment,
            "status": "completed",
            "stats": stats | {"sendex": 0.5, "addresses": len(job.known)},
            "error": None,
            "duration": 0,
        }

    def _download(self, asked: ServiceRequest) -> Response:
        link = asked.request.path_params["link"]
        job = next((job for job in self.desk.jobs.values() if link in job.links), None)
        if job is None or "expired_link" in asked.troubles:
            return Response(_GONE, 403, media_type="application/xml")
        text = io.StringIO(newline="")
        writer = csv.writer(text, quoting=csv.QUOTE_ALL, doublequote=False, escapechar="\\")
        writer.writerow(("Email", *(f"Kickbox {name.replace('_', ' ').title()}" for name in _COLUMNS)))
        for row, known in zip(job.rows, job.known, strict=True):
            told = shapes.verify_json(known, self._heard(asked, known))
            writer.writerow((row["email"], *(_format_cell(told[name]) for name in _COLUMNS)))
        return Response(text.getvalue(), media_type="text/csv")

    def _disposable(self, asked: ServiceRequest) -> Response:
        name = asked.request.path_params["name"]
        known = self.desk.look_up(asked, name if "@" in name else f"anna@{name}")
        return JSONResponse({"disposable": known.finding.value == "disposable"})

    def _heard(self, asked: ServiceRequest, known: AddressTruth) -> shapes.KickboxResult:
        return shapes.choose_result(known, test=_is_test_key(asked), new_words="new_words" in asked.troubles)


def _read_key(asked: ServiceRequest) -> str:
    scheme, _, token = asked.request.headers.get("authorization", "").partition(" ")
    return token if scheme.lower() in {"token", "bearer"} else asked.text("apikey")


def _has_key(asked: ServiceRequest) -> bool:
    return _read_key(asked) in {KEY, TEST_KEY}


def _is_test_key(asked: ServiceRequest) -> bool:
    return _read_key(asked) == TEST_KEY


def _allow_anybody(asked: ServiceRequest) -> bool:
    return True


def _format_cell(value: Any) -> str:
    return "" if value is None else str(value).lower()


def _refusal_response(message: str, status: int) -> Response:
    return JSONResponse({"success": False, "message": message}, status)
