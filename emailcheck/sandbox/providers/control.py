"""The page and the calls that move the played services: their credits and what goes wrong at them."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.page_helpers import Templates, finish_request, parse_number, read_fields, wants_json
from emailcheck.sandbox.providers.service import PATH, TROUBLES, SimulatedService
from emailcheck.sandbox.providers.world import ProviderWorld

TEMPLATES: Final = Path(__file__).parent / "templates"
_MOST_CREDITS = 10_000_000
_MOST_TIMES = 1_000
_MOST_SECONDS = 60


def provider_routes(world: ProviderWorld, templates: Templates) -> list[Route]:
    """The routes below `/sandbox/providers`, those of the services included."""
    control = _Control(world, templates)
    return [
        Route(PATH, control.index, methods=["GET"]),
        Route(f"{PATH}/trouble", control.trouble, methods=["POST"]),
        Route(f"{PATH}/calm", control.calm, methods=["POST"]),
        Route(f"{PATH}/credits", control.credits, methods=["POST"]),
        Route(f"{PATH}/reset", control.reset, methods=["POST"]),
        *(route for service in world.services for route in service.routes()),
    ]


class _Control:
    def __init__(self, world: ProviderWorld, templates: Templates) -> None:
        self._world = world
        self._templates = templates

    async def index(self, request: Request) -> Response:
        """Every account with its troubles."""
        services = self._services()
        if wants_json(request):
            return JSONResponse({"services": services})
        return self._templates.page(request, "providers.html", kinds=TROUBLES, services=services)

    async def trouble(self, request: Request) -> Response:
        """Let the next `times` calls of a `provider`, 0 for all, go wrong: `kind`; `seconds` for what takes time."""
        fields = await read_fields(request)
        kind = str(fields.get("kind", ""))
        if kind not in TROUBLES:
            raise HTTPException(400, f"kind is one of {', '.join(TROUBLES)}.")
        times = int(parse_number("times", fields.get("times", 1), _MOST_TIMES))
        seconds = parse_number("seconds", fields.get("seconds", 1), _MOST_SECONDS)
        desk = self._desk(fields)
        desk.make_trouble(kind, times, seconds)
        return _finish_action(request, desk)

    async def calm(self, request: Request) -> Response:
        """Nothing goes wrong at a `provider` any more."""
        desk = self._desk(await read_fields(request))
        desk.troubles.clear()
        return _finish_action(request, desk)

    async def credits(self, request: Request) -> Response:
        """How many `credits` are left at a `provider`."""
        fields = await read_fields(request)
        desk = self._desk(fields)
        desk.credits = int(parse_number("credits", fields.get("credits"), _MOST_CREDITS))
        return _finish_action(request, desk)

    async def reset(self, request: Request) -> Response:
        """All accounts as on the first day."""
        for desk in self._world.desks.values():
            desk.reset()
        return finish_request(request, PATH, {"services": self._services()})

    def _services(self) -> list[dict[str, Any]]:
        return [_present_service(desk) for desk in self._world.desks.values()]

    def _desk(self, fields: Mapping[str, Any]) -> SimulatedService:
        desk = self._world.desks.get(str(fields.get("provider")))
        if desk is None:
            raise HTTPException(400, f"provider is one of {', '.join(self._world.desks)}.")
        return desk


def _present_service(desk: SimulatedService) -> dict[str, Any]:
    jobs = [{"id": job.id, "name": job.name, "rows": len(job.rows), "done": job.is_done} for job in desk.jobs.values()]
    return {
        "name": desk.name,
        "title": desk.title,
        "key": desk.key,
        "credits": desk.credits,
        "calls": desk.calls,
        "asked": list(desk.asked),
        "jobs": jobs,
        "troubles": [asdict(trouble) for trouble in desk.troubles],
    }


def _finish_action(request: Request, desk: SimulatedService) -> Response:
    return finish_request(request, f"{PATH}#{desk.name}", _present_service(desk))
