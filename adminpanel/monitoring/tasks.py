"""The tasks of every minute, on one machine; each may run twice or late."""

from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.probes import services as probes
from adminpanel.monitoring.probes.outages import update_outages
from adminpanel.monitoring.retention import delete_old_samples
from adminpanel.monitoring.status import services as status


def run_monitoring() -> None:
    """Probe everything, update days, outages and alerts, and delete old samples."""
    probes.probe_all()
    status.store_days()
    update_outages()
    alerts.update_alerts()
    delete_old_samples()


def confirm_workers(queue: str = "bulk") -> None:
    """The small task by which the workers of lists show that they work."""
    probes.record_worker_answer()
