"""`/sandbox/inbox`: what arrived, and the switches of each box."""

from dataclasses import asdict
from typing import Any
from urllib.parse import quote

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.page_helpers import Templates, finish_request, read_fields, wants_json
from emailcheck.sandbox.receiver.host_names import HOST, MOVING, TRAPS
from emailcheck.sandbox.receiver.inbox import WORDS, Mode
from emailcheck.sandbox.simulation import Simulation

_LONGEST_NAME = 80


def inbox_routes(simulation: Simulation, templates: Templates) -> list[Route]:
    """The pages over the inbox of a simulation."""
    pages = _Pages(simulation, templates)
    return [
        Route("/sandbox/inbox", pages.show, methods=["GET"]),
        Route("/sandbox/inbox", pages.clear, methods=["DELETE"]),
        Route("/sandbox/inbox/clear", pages.clear, methods=["POST"]),
        Route("/sandbox/inbox/box", pages.set_box, methods=["POST"]),
        Route("/sandbox/inbox/rebind", pages.rebind, methods=["POST"]),
    ]


class _Pages:
    def __init__(self, simulation: Simulation, templates: Templates) -> None:
        self._simulation = simulation
        self._inbox = simulation.inbox
        self._templates = templates

    async def show(self, request: Request) -> Response:
        name = request.query_params.get("box", "")
        found = self._inbox.deliveries(name)
        if wants_json(request):
            return JSONResponse([asdict(delivery) for delivery in found])
        return self._templates.page(
            request,
            "inbox.html",
            host=HOST,
            moving=MOVING,
            traps=TRAPS,
            name=name,
            box=self._inbox.box(name) if name else None,
            names=self._inbox.names(),
            modes=WORDS,
            deliveries=found,
        )

    async def set_box(self, request: Request) -> Response:
        fields = await read_fields(request)
        name = _parse_box_name(fields)
        box = self._inbox.box(name)
        if "mode" in fields:
            box.mode = _parse_mode(fields["mode"])
        if "secret" in fields:
            box.secret = str(fields["secret"]).strip()
        return finish_request(request, f"/sandbox/inbox?box={quote(name)}", {"box": name, "mode": box.mode})

    async def rebind(self, request: Request) -> Response:
        inside = (await read_fields(request)).get("inside") in {"1", 1}
        self._simulation.rebind(inside=inside)
        return finish_request(request, "/sandbox/inbox#rebinding", {"inside": inside})

    async def clear(self, request: Request) -> Response:
        name = request.query_params.get("box", "")
        self._inbox.clear(name)
        if request.method == "DELETE":
            return Response(status_code=204)
        return finish_request(request, f"/sandbox/inbox?box={quote(name)}" if name else "/sandbox/inbox", [])


def _parse_box_name(fields: dict[str, Any]) -> str:
    name = str(fields.get("box", "")).strip().strip("/")
    if not name or "/" in name or len(name) > _LONGEST_NAME:
        raise HTTPException(400, f"Name a box: what follows https://{HOST}/ in the address, up to the next slash.")
    return name


def _parse_mode(text: Any) -> Mode:
    try:
        return Mode(str(text))
    except ValueError as error:
        raise HTTPException(400, f"A box answers {', '.join(Mode)}.") from error
