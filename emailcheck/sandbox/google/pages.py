"""The provider's page of choice, and what the product asks it behind the browser's back."""

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.google.provider import PEOPLE, AuthorizationRequest, Provider, ProviderError

Page = Callable[..., Response]
_MAX_BODY = 10_000


def google_routes(page: Page) -> list[Route]:
    """The provider's addresses; `page` renders a template for a request."""
    pages = _Pages(page)
    return [
        Route("/sandbox/google/authorize", pages.authorize, methods=["GET"]),
        Route("/sandbox/google/authorize", pages.decide, methods=["POST"]),
        Route("/sandbox/google/token", pages.token, methods=["POST"]),
        Route("/sandbox/google/keys", pages.keys, methods=["GET"]),
    ]


class _Pages:
    def __init__(self, page: Page) -> None:
        self._page = page
        self._provider = Provider()

    async def authorize(self, request: Request) -> Response:
        query = dict(request.query_params)
        try:
            self._provider.parse_query(query)
        except ProviderError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        return self._page(request, "google.html", people=PEOPLE, asked=query)

    async def decide(self, request: Request) -> Response:
        form = await _read_form(request)
        try:
            authorization = self._provider.parse_form(form)
        except ProviderError as error:
            return JSONResponse({"error": str(error)}, status_code=400)
        try:
            return _redirect_back(authorization, code=self._provider.choose(authorization, form.get("sub", "")))
        except ProviderError as error:
            return _redirect_back(authorization, error=str(error))

    async def token(self, request: Request) -> Response:
        issuer = str(request.url).removesuffix("/token")
        try:
            return JSONResponse(self._provider.exchange(await _read_form(request), issuer))
        except ProviderError as error:
            return JSONResponse({"error": str(error)}, status_code=400)

    async def keys(self, request: Request) -> Response:
        return JSONResponse(self._provider.keys())


def _redirect_back(authorization: AuthorizationRequest, **values: Any) -> Response:
    return RedirectResponse(
        f"{authorization.redirect_uri}?{urlencode({'state': authorization.state, **values})}", status_code=303
    )


async def _read_form(request: Request) -> dict[str, str]:
    return dict(parse_qsl((await request.body())[:_MAX_BODY].decode(errors="replace")))
