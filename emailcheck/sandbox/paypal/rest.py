"""The REST interface of the simulated PayPal: sign-in, request ids, troubles on demand, and the calls."""

import asyncio
import base64
import json
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.paypal import errors
from emailcheck.sandbox.paypal.context import PayPalContext
from emailcheck.sandbox.paypal.errors import Fault
from emailcheck.sandbox.paypal.records import Replay
from emailcheck.sandbox.paypal.representations import format_iso
from emailcheck.sandbox.paypal.request_body import Body, read_body

CLIENT_ID, CLIENT_SECRET = "sandbox-client", "sandbox-secret"
TROUBLES = ("unavailable", "lost", "slow", "garbled", "rate_limited", "expired_token")
_TOKEN_SECONDS = 32_400
_MOST_BYTES = 1_000_000
_LONGEST_REQUEST_ID = 108

Answer = tuple[int, Any]


@dataclass(frozen=True, slots=True)
class RestCall:
    """A request: its path and query, its body, and whether the full representation is wanted."""

    path: dict[str, str]
    query: dict[str, str]
    raw: bytes
    whole: bool

    def body(self) -> Body:
        return read_body(self.raw)


@dataclass(slots=True)
class Trouble:
    """A fault of the next `times` calls whose path starts so; `seconds`: its duration."""

    kind: str
    path: str
    times: int
    seconds: float


class Rest:
    """Wraps the calls in their common behaviour."""

    def __init__(self, site: PayPalContext, catch_up: Callable[[], None]) -> None:
        self._site = site
        self._catch_up = catch_up
        self._tokens: dict[str, float] = {}
        self.tokens_given = 0
        self.troubles: list[Trouble] = []

    def route(
        self,
        method: str,
        path: str,
        act: Callable[[RestCall], Answer],
        *,
        remember: timedelta | None = None,
        replayed: int | None = None,
    ) -> Route:
        """A call that needs a token. Its answer is remembered by request id, and given again with status `replayed`."""

        async def endpoint(request: Request) -> Response:
            return await self._guarded(request, lambda call: self._act_once(request, call, act, remember, replayed))

        return Route(path, endpoint, methods=[method])

    def open_route(self, method: str, path: str, act: Callable[[Request], Awaitable[Response]]) -> Route:
        return Route(path, act, methods=[method])

    async def token(self, request: Request) -> Response:
        """POST /v1/oauth2/token"""
        body = await request.body()
        trouble = self._pop_trouble(request.url.path)
        try:
            if trouble:
                return await self._apply_trouble(trouble, lambda: self._give_token(request, body))
            return self._give_token(request, body)
        except Fault as fault:
            return _build_fault_response(fault)

    def _give_token(self, request: Request, body: bytes) -> Response:
        pair = base64.b64encode(f"{CLIENT_ID}:{CLIENT_SECRET}".encode()).decode()
        if request.headers.get("authorization") != f"Basic {pair}":
            raise errors.wrong_client_fault()
        if body != b"grant_type=client_credentials":
            raise errors.invalid_fault("/grant_type", "", missing=True)
        token = f"A21AA{secrets.token_urlsafe(40)}"
        self._tokens[token] = time.monotonic() + _TOKEN_SECONDS
        self.tokens_given += 1
        answer = {
            "scope": "https://uri.paypal.com/services/payments https://uri.paypal.com/services/subscriptions",
            "access_token": token,
            "token_type": "Bearer",
            "app_id": "APP-80W284485P519543T",
            "expires_in": _TOKEN_SECONDS,
            "nonce": f"{format_iso(self._site.now())}{secrets.token_urlsafe(8)}",
        }
        return JSONResponse(answer, headers={"Paypal-Debug-Id": errors.new_debug_id()})

    def forget_tokens(self) -> None:
        """Expire all tokens."""
        self._tokens.clear()

    async def _guarded(self, request: Request, act: Callable[[RestCall], Response]) -> Response:
        raw = await request.body()
        trouble = self._pop_trouble(request.url.path)
        try:
            self._check_token(request)
            if len(raw) > _MOST_BYTES:
                raise errors.invalid_fault("/", "")
            self._catch_up()
            whole = "return=representation" in request.headers.get("prefer", "")
            call = RestCall(dict(request.path_params), dict(request.query_params), raw, whole)
            return await self._apply_trouble(trouble, lambda: act(call)) if trouble else act(call)
        except Fault as fault:
            return _build_fault_response(fault)
        finally:
            self._site.state.save()

    def _act_once(
        self,
        request: Request,
        call: RestCall,
        act: Callable[[RestCall], Answer],
        remember: timedelta | None,
        replayed: int | None,
    ) -> Response:
        request_id = request.headers.get("paypal-request-id", "")
        if not request_id or remember is None:
            return _build_response(*act(call))
        if len(request_id) > _LONGEST_REQUEST_ID:
            raise errors.invalid_fault("/PayPal-Request-Id", request_id)
        now, replays = self._site.state.now(), self._site.memory.replays
        key = f"{request.url.path} {request_id}"
        before = replays.get(key)
        if before and before.until > now:
            if before.body != call.raw:
                raise errors.refused_fault("DUPLICATE_REQUEST_ID")
            return _build_response(replayed or before.status, before.answer)
        status, answer = act(call)
        for old in [name for name, replay in replays.items() if replay.until <= now]:
            del replays[old]
        replays[key] = Replay(body=call.raw, status=status, answer=answer, until=now + remember)
        return _build_response(status, answer)

    def _check_token(self, request: Request) -> None:
        scheme, _, token = request.headers.get("authorization", "").partition(" ")
        if scheme != "Bearer" or not token:
            raise errors.unauthenticated_fault()
        if self._tokens.get(token, 0.0) <= time.monotonic():
            raise errors.expired_token_fault()

    def _pop_trouble(self, path: str) -> Trouble | None:
        for trouble in self.troubles:
            if path.startswith(trouble.path):
                trouble.times -= 1
                if trouble.times <= 0:
                    self.troubles.remove(trouble)
                return trouble
        return None

    async def _apply_trouble(self, trouble: Trouble, act: Callable[[], Response]) -> Response:
        """Apply a fault. Before the effect the call changes nothing; `lost` and `slow` lose only the response."""
        if trouble.kind == "unavailable":
            raise errors.server_fault()
        if trouble.kind == "rate_limited":
            raise errors.rate_limit_fault(int(trouble.seconds))
        if trouble.kind == "expired_token":
            raise errors.expired_token_fault()
        answer = act()
        if trouble.kind == "lost":
            raise errors.server_fault()
        if trouble.kind == "garbled":
            return Response("<html><body>Sorry.</body></html>", media_type="text/html")
        await asyncio.sleep(trouble.seconds)
        return answer


def _build_response(status: int, value: Any) -> Response:
    headers = {"Paypal-Debug-Id": errors.new_debug_id()}
    if value is None:
        return Response(status_code=status, headers=headers)
    return Response(json.dumps(value), status, headers, media_type="application/json")


def _build_fault_response(fault: Fault) -> Response:
    value_text = fault.body.get("debug_id") or errors.new_debug_id()
    return JSONResponse(fault.body, fault.status, headers={"Paypal-Debug-Id": value_text, **fault.headers})
