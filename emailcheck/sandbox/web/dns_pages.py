"""`/sandbox/dns`: the panel of a registrar, where TXT records are put into the simulated DNS."""

from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.page_helpers import Templates, finish_request, read_fields, wants_json
from emailcheck.sandbox.simulation import Simulation

_PATH = "/sandbox/dns"


def dns_routes(simulation: Simulation, templates: Templates) -> list[Route]:
    """The page over the added records of a simulation."""
    pages = _Pages(simulation, templates)
    return [
        Route(_PATH, pages.show, methods=["GET"]),
        Route(_PATH, pages.add, methods=["POST"]),
        Route(f"{_PATH}/remove", pages.remove, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, simulation: Simulation, templates: Templates) -> None:
        self._simulation = simulation
        self._templates = templates

    async def show(self, request: Request) -> Response:
        if wants_json(request):
            return JSONResponse(self._list_records())
        return self._templates.page(request, "dns.html", records=self._list_records())

    async def add(self, request: Request) -> Response:
        return await self._change(request, self._simulation.add_text)

    async def remove(self, request: Request) -> Response:
        return await self._change(request, self._simulation.remove_text)

    async def _change(self, request: Request, change: Any) -> Response:
        fields = await read_fields(request)
        try:
            change(str(fields.get("name", "")), str(fields.get("text", "")))
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        return finish_request(request, _PATH, self._list_records())

    def _list_records(self) -> list[dict[str, str]]:
        return [record._asdict() for record in self._simulation.texts]
