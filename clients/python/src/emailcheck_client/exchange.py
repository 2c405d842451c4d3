"""One call and its repetitions: which answers are repeated, after how long, and what a refusal becomes."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import httpx

from emailcheck_client.answers import Json
from emailcheck_client.errors import BY_CODE, BadAnswer, EmailCheckError, NetworkFailed

FIRST_WAIT_S, LONGEST_WAIT_S = 0.5, 60.0
_REPEATED = frozenset({0, 429, 502, 503, 504})  # statuses; 0 is no answer at all


@dataclass(frozen=True)
class Call:
    """A call to make."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Json | None = None
    file: tuple[str, bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def build(self, http: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        """The request; a file goes with its members as a form."""
        given: dict[str, Any] = {"json": self.body}
        if self.file is not None:
            form = {name: _format_field(value) for name, value in (self.body or {}).items()}
            given = {"data": form, "files": {"file": self.file}}
        return http.build_request(self.method, self.path, params=self.query, headers=self.headers, **given)


def _format_field(value: object) -> str | list[str]:
    """A member of a form: lists are members of the same name, and what is not a text is as in JSON."""
    return list(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else json.dumps(value)


def get(path: str, accept: str = "application/json", **query: Any) -> Call:
    """A call that reads. Parameters that are None are left out."""
    return Call("GET", path, _drop_none(query), headers={"Accept": accept})


def post(path: str, body: Json | None = None, file: tuple[str, bytes] | None = None) -> Call:
    """A call that may spend: its key is made now, before the first try. Members that are None are left out."""
    kept = None if body is None else _drop_none(body)
    return Call("POST", path, body=kept, file=file, headers={"Idempotency-Key": uuid.uuid4().hex})


def _drop_none(members: Json) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not None}


class Blocking:
    """A connection that blocks where `Awaiting` suspends."""

    _pause = staticmethod(time.sleep)

    def __init__(self, max_retries: int, **options: Any) -> None:
        self.max_retries, self.http = max_retries, httpx.Client(**options)

    async def send(self, call: Call, *, opens: bool) -> httpx.Response:
        response = self.http.send(call.build(self.http), stream=True)
        if not (opens and response.is_success):
            response.read()
        return response

    async def read_pieces(self, response: httpx.Response) -> AsyncIterator[bytes]:
        for piece in response.iter_bytes():
            yield piece

    async def close(self, response: httpx.Response) -> None:
        response.close()

    async def sleep(self, seconds: float) -> None:
        self._pause(seconds)

    async def shut(self) -> None:
        self.http.close()


class Awaiting:
    """A connection of asyncio."""

    def __init__(self, max_retries: int, **options: Any) -> None:
        self.max_retries, self.http = max_retries, httpx.AsyncClient(**options)

    async def send(self, call: Call, *, opens: bool) -> httpx.Response:
        response = await self.http.send(call.build(self.http), stream=True)
        if not (opens and response.is_success):
            await response.aread()
        return response

    def read_pieces(self, response: httpx.Response) -> AsyncIterator[bytes]:
        return response.aiter_bytes()

    async def close(self, response: httpx.Response) -> None:
        await response.aclose()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def shut(self) -> None:
        await self.http.aclose()


Connection = Blocking | Awaiting


async def exchange(connection: Connection, call: Call, *, opens: bool = False) -> httpx.Response:
    """The answer to a call, which is repeated where that helps; with `opens` its body is not read yet. Raises the
    exception of a refusal, `NetworkFailed`, `BadAnswer`."""
    for tried in count():
        try:
            response = await connection.send(call, opens=opens)
        except httpx.RequestError as failure:
            error: EmailCheckError = build_network_error(failure)
        else:
            if response.is_success:
                return response
            error = build_error(response)
        if tried >= connection.max_retries or not _is_worth_repeating(call, error):
            raise error
        await connection.sleep(choose_wait(tried, error.retry_after))
    raise AssertionError("unreachable")


async def load(connection: Connection, call: Call) -> dict[str, Any]:
    """The JSON object that a call answers."""
    return parse_object(await exchange(connection, call))


def _is_worth_repeating(call: Call, error: EmailCheckError) -> bool:
    if error.code == "IDEMPOTENCY_IN_FLIGHT" or error.status in _REPEATED:
        return True
    return error.status == 500 and "Idempotency-Key" in call.headers


def choose_wait(tried: int, retry_after: float | None = None) -> float:
    """Seconds to wait after a try, the first being 0: as the service says, else ever longer, and never all at once."""
    if retry_after is not None:
        return min(retry_after, LONGEST_WAIT_S)
    return min(FIRST_WAIT_S * 2.0 ** min(tried, 20), LONGEST_WAIT_S) * random.uniform(0.5, 1.0)


def parse_retry_after(response: httpx.Response) -> float | None:
    """The seconds of `Retry-After`; None where there are none."""
    text = response.headers.get("retry-after", "")
    return float(text) if text.isdecimal() else None


def parse_object(response: httpx.Response) -> dict[str, Any]:
    """The JSON object of an answer. Raises `BadAnswer` for anything else."""
    try:
        found = json.loads(response.content)
    except ValueError:
        found = None
    if isinstance(found, dict):
        return found
    begin = response.text[:200] or "an empty body"
    raise BadAnswer(f"Status {response.status_code}, and no answer of EmailCheck: {begin}", **_read_facts(response))


def build_error(response: httpx.Response) -> EmailCheckError:
    """The exception of a refusal."""
    try:
        said = parse_object(response)
    except BadAnswer as error:
        return error
    code, details, facts = str(said.get("code") or ""), said.get("details"), _read_facts(response)
    facts["request_id"] = str(said.get("request_id") or facts["request_id"])
    message = str(said.get("message") or f"Refused with status {response.status_code}")
    found = details if isinstance(details, dict) else {}
    return BY_CODE.get(code, EmailCheckError)(message, code=code, details=found, **facts)


def build_network_error(failure: httpx.RequestError) -> NetworkFailed:
    """The exception of an answer that did not come, or not to its end."""
    return NetworkFailed(f"No answer: {type(failure).__name__} {failure}".rstrip())


def _read_facts(response: httpx.Response) -> dict[str, Any]:
    request_id = response.headers.get("x-request-id", "")
    return {"status": response.status_code, "request_id": request_id, "retry_after": parse_retry_after(response)}
