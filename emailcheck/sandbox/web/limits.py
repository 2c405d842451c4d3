"""The limits of the simulated companies, and what they count of each source address: a call and a form."""

from collections.abc import Mapping
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.page_helpers import finish_request, parse_number, read_fields
from emailcheck.sandbox.simulation import Simulation

_PATH: Final = "/sandbox/limits"
_MOST_FACTOR = 1000.0
_MOST_RECIPIENTS = 100_000_000.0


def limit_routes(simulation: Simulation) -> list[Route]:
    """The routes that show and set limits."""
    control = _Control(simulation)
    return [Route(_PATH, control.show, methods=["GET"]), Route(_PATH, control.change, methods=["POST"])]


class _Control:
    def __init__(self, simulation: Simulation) -> None:
        self._book = simulation.limits

    async def show(self, request: Request) -> Response:
        """The limits that hold now."""
        return JSONResponse(self._book.report())

    async def change(self, request: Request) -> Response:
        """Set the `factor` of all rates, and behind it numbers of single `companies`, by company and limit."""
        fields = await read_fields(request)
        unknown = sorted(set(fields) - {"factor", "companies"})
        if unknown:
            raise HTTPException(400, f"There is no field {unknown[0]}; there are factor, companies.")
        factor = parse_number("factor", fields.get("factor", self._book.factor), _MOST_FACTOR)
        numbers = _parse_numbers(fields.get("companies", {}))
        try:
            self._book.check_names(numbers)
        except ValueError as error:
            raise HTTPException(400, str(error)) from error
        if "factor" in fields:
            self._book.set_factor(factor)
        self._book.set_numbers(numbers)
        return finish_request(request, "/sandbox#limits", self._book.report())


def _parse_numbers(value_text: Any) -> Mapping[str, Mapping[str, int]]:
    """Whole numbers by company and limit. Raises `HTTPException` (400)."""
    if not isinstance(value_text, dict) or not all(isinstance(limits, dict) for limits in value_text.values()):
        raise HTTPException(400, 'companies is an object such as {"google": {"sessions_at_once": 6}}.')
    return {
        company: {limit: int(parse_number(limit, value, _MOST_RECIPIENTS)) for limit, value in limits.items()}
        for company, limits in value_text.items()
    }
