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
        account = self._find_account(fields)
        account.make_trouble(kind, times, seconds)
        return _finish_action(request, account)

    async def calm(self, request: Request) -> Response:
        """Nothing goes wrong at a `provider` any more."""
        account = self._find_account(await read_fields(request))
        account.troubles.clear()
        return _finish_action(request, account)

    async def credits(self, request: Request) -> Response:
        """How many `credits` are left at a `provider`."""
        fields = await read_fields(request)
        account = self._find_account(fields)
        account.credits = int(parse_number("credits", fields.get("credits"), _MOST_CREDITS))
        return _finish_action(request, account)

    async def reset(self, request: Request) -> Response:
        """All accounts as on the first day."""
        for account in self._world.accounts.values():
            account.reset()
        return finish_request(request, PATH, {"services": self._services()})

    def _services(self) -> list[dict[str, Any]]:
        return [_present_service(account) for account in self._world.accounts.values()]

    def _find_account(self, fields: Mapping[str, Any]) -> SimulatedService:
        account = self._world.accounts.get(str(fields.get("provider")))
        if account is None:
            raise HTTPException(400, f"provider is one of {', '.join(self._world.accounts)}.")
        return account


def _present_service(account: SimulatedService) -> dict[str, Any]:
    jobs = account.jobs.values()
    return {
        "name": account.name,
        "title": account.title,
        "key": account.key,
        "credits": account.credits,
        "calls": account.calls,
        "asked": list(account.looked_up_addresses),
        "jobs": [{"id": job.id, "name": job.name, "rows": len(job.rows), "done": job.is_done} for job in jobs],
        "troubles": [asdict(trouble) for trouble in account.troubles],
    }


def _finish_action(request: Request, account: SimulatedService) -> Response:
    return finish_request(request, f"{PATH}#{account.name}", _present_service(account))
