"""How long samples are stored."""

from datetime import timedelta

from django.utils import timezone

from adminpanel.monitoring.egress.models import RouteSample
from adminpanel.monitoring.measurements.models import MachineSample, RequestFailure, RequestSample
from adminpanel.monitoring.probes.models import ProbeSample

RETENTION = timedelta(days=8)
_MAX_FAILURES = 1_000


def delete_old_samples() -> None:
    """Delete samples that no figure needs; of failures only the latest stay, however many there are."""
    before = timezone.now() - RETENTION
    for model in (RequestSample, RequestFailure, MachineSample, ProbeSample, RouteSample):
        model._default_manager.filter(at__lt=before).delete()
    if last := RequestFailure.objects.order_by("-pk").values_list("pk", flat=True)[_MAX_FAILURES:].first():
        RequestFailure.objects.filter(pk__lte=last).delete()
