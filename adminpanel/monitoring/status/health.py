"""How the API does, in three figures that were measured."""

from datetime import UTC, timedelta

from django.utils import timezone

from adminpanel.monitoring.measurements import figures
from adminpanel.monitoring.status import services as status
from adminpanel.monitoring.targets import Service
from emailcheck.common.registry import Health

_DAY = timedelta(days=1)


def measure_health() -> Health:
    """Uptime of the last 24 hours by probes; failures and calls since midnight UTC by recorded requests."""
    moment = timezone.now()
    midnight = moment.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    requests = figures.sum_window(midnight, figures.API)
    uptime = status.measure_uptime(Service.API, moment - _DAY)
    return Health(uptime=uptime, error_rate=requests.error_rate, calls=requests.requests)
