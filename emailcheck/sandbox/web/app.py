"""The pages and JSON endpoints under `/sandbox`."""

import json
import math
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.google import pages as google
from emailcheck.sandbox.outbox.store import Mail
from emailcheck.sandbox.simulation import Simulation
from emailcheck.sandbox.web.guide import describe

_HERE = Path(__file__).parent
_PAGE_CSP = "default-src 'none'; style-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'"
_MAIL_CSP = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; frame-ancestors 'self'"
)
_LIMITS = {"latency_ms": 10_000.0, "greylist_s": 3600.0}
_MAX_BODY = 10_000

_Endpoint = Callable[[Request], Awaitable[Response]]


def create_app(simulation: Simulation) -> Starlette:
    """The web application over one simulation."""
    pages = _Pages(simulation)
    routes: list[tuple[str, _Endpoint, str]] = [
        ("/sandbox", pages.index, "GET"),
        ("/sandbox/", pages.index, "GET"),
        ("/sandbox/style.css", pages.style, "GET"),
        ("/sandbox/world.json", pages.world, "GET"),
        ("/sandbox/stats", pages.stats, "GET"),
        ("/sandbox/switches", pages.switches, "GET"),
        ("/sandbox/switches", pages.switch, "POST"),
        ("/sandbox/reset", pages.reset, "POST"),
        ("/sandbox/outbox", pages.outbox, "GET"),
        ("/sandbox/outbox", pages.clear, "DELETE"),
        ("/sandbox/outbox/clear", pages.clear, "POST"),
        ("/sandbox/outbox/{mail:int}", pages.mail, "GET"),
        ("/sandbox/outbox/{mail:int}/html", pages.mail_html, "GET"),
    ]
    app = Starlette(
        routes=[
            *(Route(path, endpoint, methods=[method]) for path, endpoint, method in routes),
            *google.routes(pages.page),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_guard)],
        exception_handlers={HTTPException: _error},
    )
    # A redirect would name this process's own address, which nobody behind the proxy can reach.
    app.router.redirect_slashes = False
    return app


_TOKENS = _HERE.parents[2] / "frontend" / "src" / "styles" / "tokens.css"
_THEMES = ("light", "dark")


class _Pages:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._guide = describe(simulation.world)
        self._style = "\n".join(path.read_text(encoding="utf-8") for path in (_HERE / "style.css", _TOKENS))
        self._templates = Environment(
            loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined
        )

    async def index(self, request: Request) -> Response:
        return self.page(request, "index.html", guide=self._guide, mails=len(self._simulation.outbox))

    async def style(self, request: Request) -> Response:
        return Response(self._style, media_type="text/css")

    async def world(self, request: Request) -> Response:
        return JSONResponse(self._guide.as_json())

    async def stats(self, request: Request) -> Response:
        simulation = self._simulation
        questions = dict(simulation.names.questions)
        return JSONResponse({"dns": questions, "switches": asdict(simulation.switches)} | simulation.stats.report())

    async def switches(self, request: Request) -> Response:
        return JSONResponse(asdict(self._simulation.switches))

    async def switch(self, request: Request) -> Response:
        changed = {name: _number(name, value) for name, value in (await _fields(request)).items()}
        for name, number in changed.items():
            setattr(self._simulation.switches, name, number)
        return self._done(request, "/sandbox#switches", asdict(self._simulation.switches))

    async def reset(self, request: Request) -> Response:
        self._simulation.reset()
        return self._done(request, "/sandbox#switches", self._simulation.stats.report())

    async def outbox(self, request: Request) -> Response:
        mails = list(self._simulation.outbox)
        if _wants_json(request):
            return JSONResponse([asdict(mail) for mail in mails])
        return self.page(request, "outbox.html", mails=mails)

    async def clear(self, request: Request) -> Response:
        self._simulation.outbox.clear()
        if request.method == "DELETE":
            return Response(status_code=204)
        return self._done(request, "/sandbox/outbox", [])

    async def mail(self, request: Request) -> Response:
        mail = self._found(request)
        return JSONResponse(asdict(mail)) if _wants_json(request) else self.page(request, "mail.html", mail=mail)

    async def mail_html(self, request: Request) -> Response:
        base = '<!doctype html><base target="_blank">'
        return HTMLResponse(base + self._found(request).html, headers={"Content-Security-Policy": _MAIL_CSP})

    def _found(self, request: Request) -> Mail:
        mail = self._simulation.outbox.get(request.path_params["mail"])
        if mail is None:
            raise HTTPException(404, "No such mail: it was cleared, or newer ones took its place.")
        return mail

    def page(self, request: Request, template: str, **values: Any) -> Response:
        page = self._templates.get_template(template)
        theme = request.cookies.get("theme")
        return HTMLResponse(
            page.render(switches=self._simulation.switches, theme=theme if theme in _THEMES else "", **values),
            headers={"Content-Security-Policy": _PAGE_CSP, "X-Content-Type-Options": "nosniff"},
        )

    def _done(self, request: Request, page: str, answer: Any) -> Response:
        """JSON for programs, back to the page for a form."""
        if _wants_json(request) or _sends_json(request):
            return JSONResponse(answer)
        return RedirectResponse(page, status_code=303)


def _wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


def _sends_json(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("application/json")


async def _fields(request: Request) -> dict[str, Any]:
    body = await request.body()
    if len(body) > _MAX_BODY:
        raise HTTPException(413, "Switches take two numbers, not a book.")
    try:
        fields = json.loads(body) if _sends_json(request) else dict(parse_qsl(body.decode()))
    except ValueError:
        fields = None
    if not isinstance(fields, dict):
        raise HTTPException(400, "Send a form or a JSON object of switches.")
    return fields


def _number(name: str, value: Any) -> float:
    limit = _LIMITS.get(name)
    if limit is None:
        raise HTTPException(400, f"There is no switch {name}; there are {', '.join(_LIMITS)}.")
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not 0 <= number <= limit:
        raise HTTPException(400, f"{name} is a number from 0 to {limit:g}.")
    return number


async def _guard(request: Request, follow: Callable[[Request], Awaitable[Response]]) -> Response:
    """Other sites may not press the sandbox's buttons."""
    if request.method in {"POST", "DELETE"} and request.headers.get("sec-fetch-site") == "cross-site":
        return JSONResponse({"detail": "Not from another site."}, status_code=403)
    return await follow(request)


async def _error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"detail": str(getattr(error, "detail", error))}, status_code=status)
