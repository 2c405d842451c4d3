"""The monthly mail to who develops with the API: which keys make calls that use something deprecated (API-051)."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Max
from django.utils import timezone

from accounts.keys.emails import DeprecatedCall, send_deprecated_calls
from accounts.keys.models import ApiRequest
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import ROLES_OF, Right
from emailcheck.common.api.deprecations import DEPRECATIONS

PERIOD = timedelta(days=30)
MOST_CALLS = 20
_IDS = re.compile(r"(?<=/)(?:[a-z]{3}_\w+|\d+)(?=/|$)")


def send_notices() -> None:
    """Mail everybody who develops in organisations that used something deprecated in the last 30 days: one mail each
    in a calendar month, however often this runs."""
    since = timezone.now() - PERIOD
    used = ApiRequest.objects.filter(deprecated__gt="", time__gt=since).order_by()
    for organisation_id in used.values_list("organisation_id", flat=True).distinct():
        organisation = Organisation.objects.filter(pk=organisation_id, deleted_at=None).first()
        if organisation is not None:
            _send_notice(organisation, since)


def _send_notice(organisation: Organisation, since: datetime) -> None:
    calls = list(_list_calls(organisation, since))[:MOST_CALLS]
    month = f"{timezone.now():%Y-%m}"
    members = Membership.objects.filter(organisation=organisation, role__in=ROLES_OF[Right.DEVELOP])
    for member in members.select_related("user").order_by("pk"):
        send_deprecated_calls(
            organisation=organisation, to=member.user.email, calls=calls, key=f"deprecated:{member.pk}:{month}"
        )


def _list_calls(organisation: Organisation, since: datetime) -> Iterator[DeprecatedCall]:
    """The calls by key and what they used, the newest first; of calls that differ by an id alone the newest."""
    found = ApiRequest.objects.for_org(organisation).filter(deprecated__gt="", time__gt=since)
    rows = found.values_list("key__prefix", "method", "path", "deprecated").annotate(last=Max("time")).order_by("-last")
    seen = set()
    for prefix, method, path, anchors, last in rows:
        call = f"{method} {_IDS.sub('{id}', path)}"
        if (prefix, call, anchors) not in seen:
            seen.add((prefix, call, anchors))
            used = [one for one in DEPRECATIONS if one.anchor in anchors.split()]
            yield DeprecatedCall(prefix or "a deleted key", call, last, used)
