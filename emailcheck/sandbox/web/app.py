"""The pages and JSON endpoints under `/sandbox`."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from emailcheck.sandbox.simulation import Simulation


def create_app(simulation: Simulation) -> Starlette:
    """The web application over one simulation."""

    def stats(request: Request) -> Response:
        return JSONResponse(simulation.stats.report())

    return Starlette(routes=[Route("/sandbox/stats", stats)])
