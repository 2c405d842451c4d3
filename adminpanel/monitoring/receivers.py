"""Records how mail operators answer us, as the engine's processes report it."""

from collections.abc import Sequence
from typing import Any

from adminpanel.monitoring.egress import routes
from validation.engine import RouteNews
from validation.signals import routes_used


def _record_route_news(news: Sequence[RouteNews], **_: Any) -> None:
    routes.record_news(news)


routes_used.connect(_record_route_news, dispatch_uid="monitoring")
