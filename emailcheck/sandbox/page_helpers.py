"""Shared by the sandbox's pages: templates, input as forms or JSON, responses as pages or JSON."""

import json
import math
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from emailcheck.sandbox import look

_PAGE_CSP = (
    "default-src 'none'; style-src 'self'; font-src 'self'; frame-src 'self'; form-action 'self'{}; base-uri 'none'"
)
_MAX_BODY = 10_000
_THEMES = ("light", "dark")


class Templates:
    """Templates of some folders, the first of which wins."""

    def __init__(self, *folders: Path) -> None:
        self._environment = Environment(loader=FileSystemLoader(folders), autoescape=True, undefined=StrictUndefined)
        self._environment.globals.update(mark=look.read_mark(), glyphs=look.read_glyphs())

    def page(
        self, request: Request, template: str, *, leads_to: str = "", status: int = 200, **values: Any
    ) -> Response:
        """A page in the visitor's theme. `leads_to`: origins that its forms may end at, beside its own."""
        theme = request.cookies.get("theme")
        text = self._environment.get_template(template).render(theme=theme if theme in _THEMES else "", **values)
        policy = _PAGE_CSP.format(f" {leads_to}" if leads_to else "")
        return HTMLResponse(
            text, status, headers={"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff"}
        )


def finish_request(request: Request, page: str, answer: Any) -> Response:
    """Respond with JSON to a program, and with a redirect to the page for a form."""
    if wants_json(request) or _sends_json(request):
        return JSONResponse(answer)
    return RedirectResponse(page, status_code=303)


def wants_json(request: Request) -> bool:
    accepted = request.headers.get("accept", "")
    return "application/json" in accepted and "text/html" not in accepted


async def read_fields(request: Request) -> dict[str, Any]:
    """The members of a form or of a JSON object."""
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


def parse_number(name: str, value_text: Any, limit: float) -> float:
    """The number `name` from 0 to the limit, if given. Raises `HTTPException` (400)."""
    try:
        found = float(value_text)
    except (TypeError, ValueError):
        found = math.nan
    if not 0 <= found <= limit:
        raise HTTPException(400, f"{name} is a number from 0 to {limit:g}.")
    return found


def _sends_json(request: Request) -> bool:
    return request.headers.get("content-type", "").startswith("application/json")
