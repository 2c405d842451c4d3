"""Writes down how mail operators take us, as the engine's processes tell it."""

from collections.abc import Sequence
from typing import Any

from adminpanel.monitoring import routes
from validation.engine import RouteNews
from validation.signals import routes_used


def _used(news: Sequence[RouteNews], **_: Any) -> None:
    routes.keep(news)


routes_used.connect(_used, dispatch_uid="monitoring")
