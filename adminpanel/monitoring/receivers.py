"""Records how mail operators answer us, as the engine's processes report it."""

from collections.abc import Sequence
from typing import Any

from adminpanel.monitoring.egress import routes
from validation.engine import RouteReport
from validation.signals import routes_used


def _record_reports(reports: Sequence[RouteReport], **_: Any) -> None:
    routes.record_reports(reports)


routes_used.connect(_record_reports, dispatch_uid="monitoring")
