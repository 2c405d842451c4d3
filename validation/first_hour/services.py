"""When an organisation first did each step of a developer's first hour.

A step is seen in what it left behind, for as long as that is kept: calls for 30 days, lists of test mode for seven. A
step that was seen once is kept.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType

from django.db.models import Exists, OuterRef, Q, Subquery

from accounts.access.models import ApiKey
from accounts.keys import request_log
from accounts.keys.models import ApiRequest
from accounts.organisations.models import Organisation
from billing.ledger.models import CreditHold
from validation.batches.models import Batch
from validation.first_hour.models import FirstHour
from validation.webhooks.models import DeliveryStatus, Webhook, WebhookAttempt, WebhookDelivery


def load_first_hour(organisation: Organisation) -> FirstHour:
    """The steps of an organisation, whoever of its members or keys did them, in live or in test mode."""
    hour = FirstHour.objects.filter(pk=organisation.pk).first() or FirstHour(organisation=organisation)
    missing = (step for step in _FINDERS if getattr(hour, step) is None)
    if seen := {step: at for step in missing if (at := _FINDERS[step](organisation))}:
        hour, _ = FirstHour.objects.update_or_create(organisation=organisation, defaults=seen)
    return hour


def _find_first_key(organisation: Organisation) -> datetime | None:
    """When the first key was made, revoked ones included."""
    return ApiKey.objects.for_org(organisation).order_by("pk").values_list("created_at", flat=True).first()


def _find_first_call(organisation: Organisation) -> datetime | None:
    """When a key was first answered with success."""
    request_log.write_waiting()
    done = ApiRequest.objects.for_org(organisation).filter(status__gte=200, status__lt=300)
    return done.order_by("pk").values_list("time", flat=True).first()


def _find_first_webhook(organisation: Organisation) -> datetime | None:
    """When an endpoint first took a message, one of the test button included."""
    delivered = WebhookDelivery.objects.filter(webhook=OuterRef("pk"), status=DeliveryStatus.DELIVERED).order_by("pk")
    firsts = Webhook.objects.filter(organisation=organisation).values_list(Subquery(delivered.values("pk")[:1]))
    last_tries = WebhookAttempt.objects.filter(delivery__in=[pk for (pk,) in firsts if pk], error="")
    return last_tries.order_by("at").filter(status__gte=200, status__lt=300).values_list("at", flat=True).first()


def _find_first_list(organisation: Organisation) -> datetime | None:
    """When a key first started a list: every one of test mode, and live ones whose first credits a key held. The batch
    around a single check of test mode, which has no type, is none."""
    first_hold = CreditHold.objects.filter(key=OuterRef("public_id"), api_key__isnull=False)
    lists = Batch.objects.filter(organisation=organisation).exclude(batch_type="")
    by_keys = lists.filter(Q(test=True) | Exists(first_hold))
    return by_keys.order_by("pk").values_list("created_at", flat=True).first()


_FINDERS: Mapping[str, Callable[[Organisation], datetime | None]] = MappingProxyType(
    {"key": _find_first_key, "call": _find_first_call, "webhook": _find_first_webhook, "list": _find_first_list}
)
