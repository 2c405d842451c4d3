"""What is done every minute on one machine; each may come twice or late."""

from adminpanel.monitoring import alerts, incidents, probes, samples, status


def look() -> None:
    """Probe everything, and draw the conclusions; forget what is old."""
    probes.probe_all()
    status.keep_days()
    incidents.follow_probes()
    alerts.watch()
    samples.forget_old()


def prove(queue: str = "bulk") -> None:
    """The small task by which the workers of lists show that they work."""
    probes.answer_for_workers()
