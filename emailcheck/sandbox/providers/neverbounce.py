"""The calls of NeverBounce, version 4.2: every error with status 200, credits taken when a job starts."""

import csv
import io
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.providers import neverbounce_shapes as shapes
from emailcheck.sandbox.providers.findings import AddressTruth, Finding
from emailcheck.sandbox.providers.rate_limits import CallLimiter
from emailcheck.sandbox.providers.service import PATH, Job, ServiceRequest, SimulatedService

KEY: Final = "secret_sandbox7d793037a0760186"
PUBLIC_KEY: Final = "public_sandbox7d793037a0760186"
WEBHOOK_KEY: Final = "webhook_secret_sandbox7d793037"
_NO_CREDIT = "Insufficient credit balance. This transaction requires {} credits. You have {} credits remaining."
_STARTED = ("queued", "running", "complete")
_SEGMENTS = {
    "valids": "valid",
    "invalids": "invalid",
    "disposables": "disposable",
    "catchalls": "catchall",
    "unknowns": "unknown",
}
_YES = {"BIN_1_0": "1", "BIN_Y_N": "Y", "BIN_y_n": "y", "BIN_yes_no": "yes", "BIN_Yes_No": "Yes"}
_NO = {"BIN_1_0": "0", "BIN_Y_N": "N", "BIN_y_n": "n", "BIN_yes_no": "no", "BIN_Yes_No": "No"}


class Refusals:
    """How NeverBounce refuses."""

    def down(self) -> Response:
        return Response("Service Unavailable", 503, media_type="text/plain")

    def rate_limited(self) -> Response:
        return _failure_response("throttle_triggered", "Too many requests in a short amount of time")

    def bad_key(self) -> Response:
        return _failure_response("auth_failure", "Invalid API key")


class NeverBounce:
    """One account at NeverBounce."""

    def __init__(self, look_up: Callable[[str], AddressTruth]) -> None:
        self.account = SimulatedService("neverbounce", "NeverBounce", KEY, Refusals(), look_up, CallLimiter())

    def routes(self) -> list[Route]:
        calls: tuple[tuple[str, Callable[[ServiceRequest], Response]], ...] = (
            ("account/info", self._account),
            ("jobs/create", self._create),
            ("jobs/parse", self._parse),
            ("jobs/start", self._start),
            ("jobs/status", self._status),
            ("jobs/search", self._search),
            ("jobs/results", self._results),
            ("jobs/download", self._download),
            ("jobs/delete", self._delete),
        )
        endpoint, here = self.account.endpoint, f"{PATH}/neverbounce/v4.2"
        return [
            *(
                Route(f"{here}/{name}", endpoint(act, allows=_has_secret), methods=["GET", "POST"])
                for name, act in calls
            ),
            Route(f"{here}/single/check", endpoint(self._check, allows=_can_check), methods=["GET", "POST"]),
        ]

    def _check(self, call: ServiceRequest) -> Response:
        address = call.text("email")
        if not address:
            return _failure_response("general_failure", "Missing required parameter 'email'")
        if not self.account.spend(call, 1):
            return _failure_response("general_failure", _NO_CREDIT.format(1, self.account.balance(call)))
        known = self.account.look_up(call, address)
        answer = shapes.result_json(known, new_words="new_words" in call.troubles)
        if call.flag("address_info"):
            answer["address_info"] = shapes.address_json(known)
        if call.flag("credits_info"):
            answer["credits_info"] = self._credits(call, used=1)
        return _success_response(**answer)

    def _account(self, call: ServiceRequest) -> Response:
        counts = dict.fromkeys(("completed", "under_review", "queued", "processing"), 0)
        counts["completed"] = sum(job.is_done for job in self.account.jobs.values())
        counts["queued"] = len(self.account.jobs) - counts["completed"]
        return _success_response(credits_info=self._credits(call, used=0), job_counts=counts)

    def _credits(self, call: ServiceRequest, *, used: int) -> dict[str, int]:
        """The paid counters are missing on accounts that are billed by use, as with `metered`."""
        free = {"free_credits_used": 0, "free_credits_remaining": 0}
        if "metered" in call.troubles:
            return free
        return {"paid_credits_used": used, "paid_credits_remaining": self.account.balance(call), **free}

    def _create(self, call: ServiceRequest) -> Response:
        sent = call.members.get("input")
        if not isinstance(sent, list) or call.text("input_location") != "supplied":
            return _failure_response("general_failure", "Only supplied input can be read here")
        rows = [_parse_row(item) for item in sent]
        job = self.account.open_job(
            call.text("filename", "Unnamed"), rows, [self.account.look_up(call, row["email"]) for row in rows]
        )
        job.is_parsed, job.is_started = call.flag("auto_parse"), False
        if job.is_parsed and call.flag("auto_start"):
            job.failure = self._begin(call, job)
        return _success_response(job_id=int(job.id))

    def _parse(self, call: ServiceRequest) -> Response:
        job = self._job(call)
        if job is None or job.is_parsed:
            return _failure_response("general_failure", "This job is not in a state that it can be parsed")
        job.is_parsed = True
        if call.flag("auto_start"):
            job.failure = self._begin(call, job)
        return _success_response(queue_id=f"NB-PQ-{job.id}")

    def _start(self, call: ServiceRequest) -> Response:
        job = self._job(call)
        # Parsing takes until the first look at the job.
        if job is None or not job.is_parsed or job.is_started or job.step == 0:
            return _failure_response("general_failure", "This job is not in a state that it can be started")
        refusal = self._begin(call, job)
        return (
            _failure_response("general_failure", refusal) if refusal else _success_response(queue_id=f"NB-PQ-{job.id}")
        )

    def _begin(self, call: ServiceRequest, job: Job) -> str:
        """Take the credits and start. Returns the reason of a refusal."""
        costs = sum(shapes.is_billable(known) for known in job.known)
        if not self.account.spend(call, costs):
            return _NO_CREDIT.format(costs, self.account.balance(call))
        job.charged, job.is_started, job.step = costs, True, 0
        return ""

    def _status(self, call: ServiceRequest) -> Response:
        job = self._job(call)
        if job is None:
            return _no_job_response()
        answer = self._present_job(call, job)
        job.step = min(job.step + 1, Job.STEPS)
        return _success_response(**answer)

    def _present_job(self, call: ServiceRequest, job: Job) -> dict[str, Any]:
        failure = "The job failed." if "job_failed" in call.troubles else job.failure
        state = _job_status(job)
        if failure or "review" in call.troubles:
            state = "failed" if failure else "under_review"
        counts = Counter(shapes.result_json(known, new_words=False)["result"] for known in job.known)
        done = len(job.known) if state == "complete" else 0
        moment = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}"
        return {
            "id": int(job.id),
            "filename": job.name,
            "created_at": moment,
            "started_at": moment if job.is_started else None,
            "finished_at": moment if done else None,
            "failure_reason": failure or None,
            "total": {
                "records": len(job.known),
                "billable": sum(shapes.is_billable(known) for known in job.known),
                "processed": done,
                **{result: counts[result] if done else 0 for result in shapes.RESULTS},
                "duplicates": len(job.known) - len({known.address.lower() for known in job.known}),
                "bad_syntax": sum(known.finding is Finding.SYNTAX for known in job.known),
            },
            "bounce_estimate": round(100 * counts["invalid"] / max(1, len(job.known)), 2) if done else 0,
            "percent_complete": 100 if done else 50 * job.step,
            "job_status": state,
        }

    def _search(self, call: ServiceRequest) -> Response:
        found = [self._present_job(call, job) for job in self.account.jobs.values()]
        for name, column in (("job_id", "id"), ("filename", "filename"), ("job_status", "job_status")):
            if call.text(name):
                found = [job for job in found if str(job[column]) == call.text(name)]
        return _success_response(**_build_page(call, found, {}))

    def _results(self, call: ServiceRequest) -> Response:
        job = self._job(call)
        if job is None or not job.is_done:
            return _no_job_response()
        new_words = "new_words" in call.troubles
        found = []
        for row, known in zip(job.rows, job.known, strict=True):
            answer = shapes.result_json(known, new_words=new_words)
            found.append({"data": row, "verification": {**answer, "address_info": shapes.address_json(known)}})
        return _success_response(**_build_page(call, found, {"job_id": int(job.id), **dict.fromkeys(_SEGMENTS, 1)}))

    def _download(self, call: ServiceRequest) -> Response:
        job = self._job(call)
        if job is None or not job.is_done:
            return _no_job_response()
        wanted = {result for segment, result in _SEGMENTS.items() if call.flag(segment)}
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\r\n" if call.text("line_feed_type") == "LINEFEED_0D0A" else "\n")
        names = [name for name in ("role_account", "email_status") if call.flag(name)]
        writer.writerow((*job.rows[0], *names))
        for row, known in zip(job.rows, job.known, strict=True):
            answer = shapes.result_json(known, new_words=False)
            if answer["result"] in wanted:
                cells = {"email_status": answer["result"], "role_account": _format_boolean(call, known.is_role)}
                writer.writerow((*row.values(), *(cells[name] for name in names)))
        return Response(text.getvalue(), media_type="application/octet-stream")

    def _delete(self, call: ServiceRequest) -> Response:
        return _success_response() if self.account.jobs.pop(call.text("job_id"), None) else _no_job_response()

    def _job(self, call: ServiceRequest) -> Job | None:
        return self.account.jobs.get(call.text("job_id"))


def _job_status(job: Job) -> str:
    if job.is_started:
        return _STARTED[job.step]
    if not job.is_parsed:
        return "uploading"
    return "waiting" if job.step else "parsing"


def _parse_row(item: Any) -> dict[str, str]:
    if isinstance(item, dict):
        return {"email": "", **{str(name): str(value) for name, value in item.items()}}
    cells = [str(cell) for cell in item] if isinstance(item, list) else [str(item)]
    return {"email": cells[0], **{f"column_{number}": cell for number, cell in enumerate(cells[1:], 2)}}


def _build_page(call: ServiceRequest, found: list[dict[str, Any]], query: dict[str, Any]) -> dict[str, Any]:
    size, page = min(max(1, call.whole("items_per_page", 10)), 1000), max(1, call.whole("page", 1))
    return {
        "total_results": len(found),
        "total_pages": -(-len(found) // size),
        "query": {**query, "page": page, "items_per_page": size},
        "results": found[(page - 1) * size : page * size],
    }


def _format_boolean(call: ServiceRequest, is_so: bool) -> str:
    words = _YES if is_so else _NO
    return words.get(call.text("binary_operators_type"), str(is_so).lower())


def _has_secret(call: ServiceRequest) -> bool:
    return call.text("key") == KEY


def _can_check(call: ServiceRequest) -> bool:
    return call.text("key") in {KEY, WEBHOOK_KEY}


def _success_response(**answer: Any) -> Response:
    return JSONResponse({"status": "success", **answer, "execution_time": 12})


def _failure_response(status: str, message: str) -> Response:
    return JSONResponse({"status": status, "message": message, "execution_time": 3})


def _no_job_response() -> Response:
    return _failure_response("general_failure", "Results are not available for this job")
