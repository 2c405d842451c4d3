"""What is done every minute on one machine; each may come twice or late."""

from adminpanel.monitoring.alerts import services as alerts
from adminpanel.monitoring.probes import services as probes
from adminpanel.monitoring.probes.outages import update_outages
from adminpanel.monitoring.retention import delete_old_samples
from adminpanel.monitoring.status import services as status


def run_monitoring() -> None:
    """Probe everything, and draw the conclusions; forget what is old."""
    probes.probe_all()
    status.store_days()
    update_outages()
    alerts.update_alerts()
    delete_old_samples()


def confirm_workers(queue: str = "bulk") -> None:
    """The small task by which the workers of lists show that they work."""
    probes.record_worker_answer()
