"""Shared by the three simulated services: keys, credits, bulk jobs, and troubles on demand."""

import asyncio
import json
import secrets
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Protocol
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from emailcheck.sandbox.providers.findings import AddressTruth, Finding
from emailcheck.sandbox.providers.rate_limits import CallLimiter

PATH: Final = "/sandbox/providers"
FIRST_CREDITS: Final = 10_000
_PAGE = "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body>Checking your browser.</body></html>"
_MOST_JOBS = 100
_MOST_REMEMBERED = 1_000
_MOST_BYTES = 30 * 1024 * 1024

TROUBLES: Final[Mapping[str, str]] = {
    "down": "fail with an error of the server",
    "slow": "answer late, after the seconds below",
    "html": "answer 200 with an HTML page",
    "rate_limited": "are too many",
    "out_of_credit": "find no credit left",
    "bad_key": "are told that the key is unknown",
    "lying": "tell the contrary of the truth",
    "new_words": "answer in words that are not documented",
    "schema": "lack the members that matter",
    "garbled": "end in the middle of the answer",
    "metered": "find an account that is billed by use (NeverBounce)",
    "review": "find their bulk job under review",
    "job_failed": "find their bulk job failed",
    "expired_link": "find the link to their results ended",
}
_LIES = {
    Finding.EXISTS: Finding.MISSING,
    Finding.MISSING: Finding.EXISTS,
    Finding.ACCEPTS_ALL: Finding.MISSING,
    Finding.BOUNCED: Finding.WRITTEN_TO,
    Finding.WRITTEN_TO: Finding.BOUNCED,
    Finding.DISPOSABLE: Finding.EXISTS,
}


@dataclass(slots=True)
class Trouble:
    """A fault of the next `times` calls; 0: of all until it is removed."""

    kind: str
    times: int
    seconds: float


@dataclass(slots=True)
class Job:
    """A bulk job. Each query advances it by one step, from 0 to `STEPS`."""

    STEPS: ClassVar = 2
    id: str
    name: str
    rows: list[dict[str, str]]
    known: list[AddressTruth]
    step: int = 0
    charged: int = 0
    is_parsed: bool = True
    is_started: bool = True
    failure: str = ""
    links: set[str] = field(default_factory=set)

    @property
    def is_done(self) -> bool:
        return self.is_started and self.step >= self.STEPS and not self.failure


class Refusals(Protocol):
    """How a service words its refusals."""

    def down(self) -> Response: ...

    def rate_limited(self) -> Response: ...

    def bad_key(self) -> Response: ...


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """A call: its fields from query, form or JSON, its raw body, and the faults that apply."""

    members: Mapping[str, Any]
    body: bytes
    troubles: frozenset[str]
    request: Request

    def text(self, name: str, default: str = "") -> str:
        value = self.members.get(name)
        return default if value is None else str(value)

    def whole(self, name: str, default: int) -> int:
        """A field as a number; the default when it is none."""
        text = self.text(name)
        return int(text) if text.isascii() and text.isdigit() else default

    def flag(self, name: str, default: bool = False) -> bool:
        return self.text(name, str(default)).lower() in {"1", "true", "yes"}


class SimulatedService:
    """One account at one service."""

    def __init__(
        self,
        name: str,
        title: str,
        key: str,
        refusals: Refusals,
        look_up: Callable[[str], AddressTruth],
        limiter: CallLimiter,
    ) -> None:
        self.name, self.title, self.key, self.refusals = name, title, key, refusals
        self._look_up, self._limiter = look_up, limiter
        self.reset()

    def reset(self) -> None:
        """Reset the account."""
        self.credits = FIRST_CREDITS
        self._limiter.reset()
        self.calls = 0
        self._last_job_id = 0
        self.looked_up_addresses: deque[str] = deque(maxlen=_MOST_REMEMBERED)
        self.jobs: dict[str, Job] = {}
        self.troubles: list[Trouble] = []

    def make_trouble(self, kind: str, times: int, seconds: float) -> None:
        """Make the next calls fail, all for 0 `times`."""
        self.troubles.append(Trouble(kind, times, seconds))

    def look_up(self, call: ServiceRequest, address: str) -> AddressTruth:
        """The knowledge of an address, or a false one on demand."""
        known = self._look_up(address)
        self.looked_up_addresses.append(address)
        if "lying" not in call.troubles:
            return known
        claimed = _LIES.get(known.finding, known.finding)
        return AddressTruth(**{name: getattr(known, name) for name in known.__slots__} | {"finding": claimed})

    def endpoint(
        self, act: Callable[[ServiceRequest], Response], *, allows: Callable[[ServiceRequest], bool]
    ) -> Callable[[Request], Awaitable[Response]]:
        """A route handler. Troubles and refusals come first, then `act`; `allows` checks the key."""

        async def handle(request: Request) -> Response:
            body = await request.body()
            self.calls += 1
            with self._limiter.admitted(request.url.path) as is_admitted:
                return await respond(request, body) if is_admitted else self.refusals.rate_limited()

        async def respond(request: Request, body: bytes) -> Response:
            troubles_met = {trouble.kind: trouble for trouble in self._pop_troubles(_is_about_job(request))}
            if "slow" in troubles_met:
                await asyncio.sleep(troubles_met["slow"].seconds)
            refusal = self._refusal(troubles_met)
            if refusal is not None:
                return refusal
            call = ServiceRequest(_parse_members(request, body), body[:_MOST_BYTES], frozenset(troubles_met), request)
            if "bad_key" in call.troubles or not allows(call):
                return self.refusals.bad_key()
            return _spoil_response(act(call), call.troubles)

        return handle

    def balance(self, call: ServiceRequest) -> int:
        """Credits left."""
        return 0 if "out_of_credit" in call.troubles else self.credits

    def spend(self, call: ServiceRequest, count: int) -> bool:
        """Take credits. False when there are too few."""
        if count > self.balance(call):
            return False
        self.credits -= count
        return True

    def open_job(self, name: str, rows: list[dict[str, str]], known: list[AddressTruth], job_id: str = "") -> Job:
        """Create a job, with a number unless it has an id. The oldest of many is dropped."""
        self._last_job_id += 1
        job = Job(job_id or str(self._last_job_id), name, rows, known)
        self.jobs[job.id] = job
        if len(self.jobs) > _MOST_JOBS:
            del self.jobs[next(iter(self.jobs))]
        return job

    def _pop_troubles(self, is_about_job: bool) -> list[Trouble]:
        troubles_met = [trouble for trouble in self.troubles if is_about_job or trouble.kind not in _OF_JOBS]
        for trouble in troubles_met:
            if trouble.times:
                trouble.times -= 1
                if not trouble.times:
                    self.troubles.remove(trouble)
        return troubles_met

    def _refusal(self, troubles_met: Mapping[str, Trouble]) -> Response | None:
        if "down" in troubles_met:
            return self.refusals.down()
        if "html" in troubles_met:
            return HTMLResponse(_PAGE)
        return self.refusals.rate_limited() if "rate_limited" in troubles_met else None


_OF_JOBS = frozenset({"review", "job_failed", "expired_link"})
_JOB_PATHS = ("filestatus", "getfile", "jobs/status", "jobs/results", "jobs/download", "verify-batch/", "downloads/")


def _is_about_job(request: Request) -> bool:
    return any(path in request.url.path for path in _JOB_PATHS)


_JSON_KINDS = ("application/json", "text/plain")  # what senders of JSON call it


def _parse_members(request: Request, body: bytes) -> dict[str, Any]:
    found: dict[str, Any] = dict(request.query_params)
    kind = request.headers.get("content-type", "")
    if kind.startswith("application/x-www-form-urlencoded"):
        return found | dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
    if kind.startswith(_JSON_KINDS) or not kind:
        try:
            sent = json.loads(body or b"{}")
        except ValueError:
            sent = {}
        return found | (sent if isinstance(sent, dict) else {})
    return found


def _spoil_response(response: Response, troubles: frozenset[str]) -> Response:
    """The response of a service that changed its API or breaks off."""
    if "garbled" in troubles:
        return Response(bytes(response.body)[: len(response.body) // 2], media_type=response.media_type)
    if "schema" in troubles and isinstance(response, JSONResponse):
        return JSONResponse({"data": json.loads(bytes(response.body)), "version": 3})
    return response


def new_token() -> str:
    return secrets.token_hex(16)
