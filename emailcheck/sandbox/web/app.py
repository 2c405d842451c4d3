"""The pages and JSON endpoints under `/sandbox`."""

from collections.abc import Awaitable, Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox import look
from emailcheck.sandbox.google import pages as google
from emailcheck.sandbox.outbox.store import Mail
from emailcheck.sandbox.page_helpers import Templates, finish_request, parse_number, read_fields, wants_json
from emailcheck.sandbox.paypal.api import api_routes
from emailcheck.sandbox.paypal.pages.approval import approval_routes
from emailcheck.sandbox.paypal.pages.control import control_routes
from emailcheck.sandbox.providers.control import TEMPLATES as PROVIDERS
from emailcheck.sandbox.providers.control import provider_routes
from emailcheck.sandbox.simulation import Simulation
from emailcheck.sandbox.web.dns_pages import dns_routes
from emailcheck.sandbox.web.guide import describe_world
from emailcheck.sandbox.web.inbox_pages import inbox_routes
from emailcheck.sandbox.web.limits import limit_routes

_HERE = Path(__file__).parent
_PAYPAL = _HERE.parent / "paypal"
_MAIL_CSP = (
    "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; "
    "img-src data:; frame-ancestors 'self'"
)
_LIMITS = {"latency_ms": 10_000.0, "greylist_s": 3600.0}

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
    paypal, templates = simulation.paypal, Templates(_PAYPAL / "templates", _HERE / "templates")
    app = Starlette(
        routes=[
            *(Route(path, endpoint, methods=[method]) for path, endpoint, method in routes),
            *api_routes(paypal),
            *approval_routes(paypal, templates),
            *control_routes(paypal, templates),
            *provider_routes(simulation.providers, Templates(PROVIDERS, _HERE / "templates")),
            *inbox_routes(simulation, Templates(_HERE / "templates")),
            *dns_routes(simulation, Templates(_HERE / "templates")),
            *limit_routes(simulation),
            *google.google_routes(pages.page),
        ],
        middleware=[Middleware(BaseHTTPMiddleware, dispatch=_guard_origin)],
        exception_handlers={HTTPException: _build_error},
    )
    # A redirect would name this process's own address, which nobody behind the proxy can reach.
    app.router.redirect_slashes = False
    return app


_STYLES = (
    _HERE / "style.css",
    _PAYPAL / "style.css",
    _HERE / "inbox.css",
    _HERE / "dns.css",
    PROVIDERS.parent / "style.css",
)


class _Pages:
    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._guide = describe_world(simulation.world)
        sheets = (path.read_text(encoding="utf-8") for path in _STYLES)
        self._style = "\n".join([*sheets, look.read_tokens(), look.read_fonts()])
        self._templates = Templates(_HERE / "templates")

    async def index(self, request: Request) -> Response:
        simulation = self._simulation
        limits = simulation.limits.report()
        pairs = [pair for pair in simulation.stats.pairs() if pair["company"] in limits["companies"]]
        limits_shown = {"limits": limits, "pairs": pairs}
        return self.page(
            request,
            "index.html",
            guide=self._guide,
            mails=len(simulation.outbox),
            visitors=simulation.world.visitors,
            **limits_shown,
        )

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
        changed = {name: _check_switch(name, value_text) for name, value_text in (await read_fields(request)).items()}
        for name, value in changed.items():
            setattr(self._simulation.switches, name, value)
        return finish_request(request, "/sandbox#switches", asdict(self._simulation.switches))

    async def reset(self, request: Request) -> Response:
        self._simulation.reset()
        return finish_request(request, "/sandbox#switches", self._simulation.stats.report())

    async def outbox(self, request: Request) -> Response:
        """Every mail; for a program that names an address, those `to` it."""
        outbox = self._simulation.outbox
        if wants_json(request):
            to = request.query_params.get("to")
            return JSONResponse([asdict(mail) for mail in (outbox.to(to) if to else outbox)])
        return self.page(request, "outbox.html", mails=list(outbox))

    async def clear(self, request: Request) -> Response:
        self._simulation.outbox.clear()
        if request.method == "DELETE":
            return Response(status_code=204)
        return finish_request(request, "/sandbox/outbox", [])

    async def mail(self, request: Request) -> Response:
        mail = self._find_mail(request)
        return JSONResponse(asdict(mail)) if wants_json(request) else self.page(request, "mail.html", mail=mail)

    async def mail_html(self, request: Request) -> Response:
        base = '<!doctype html><base target="_blank">'
        return HTMLResponse(base + self._find_mail(request).html, headers={"Content-Security-Policy": _MAIL_CSP})

    def _find_mail(self, request: Request) -> Mail:
        mail = self._simulation.outbox.get(request.path_params["mail"])
        if mail is None:
            raise HTTPException(404, "No such mail: it was cleared, or newer ones took its place.")
        return mail

    def page(self, request: Request, template: str, **values: Any) -> Response:
        return self._templates.page(request, template, switches=self._simulation.switches, **values)


def _check_switch(name: str, value: Any) -> float:
    limit = _LIMITS.get(name)
    if limit is None:
        raise HTTPException(400, f"There is no switch {name}; there are {', '.join(_LIMITS)}.")
    return parse_number(name, value, limit)


async def _guard_origin(request: Request, follow: Callable[[Request], Awaitable[Response]]) -> Response:
    """Other sites may not press the sandbox's buttons."""
    if request.method in {"POST", "DELETE"} and request.headers.get("sec-fetch-site") == "cross-site":
        return JSONResponse({"detail": "Not from another site."}, status_code=403)
    return await follow(request)


async def _build_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"detail": str(getattr(error, "detail", error))}, status_code=status)
