"""Shapes of the calls about keys that were found in public."""

from typing import Any

from rest_framework import serializers

from accounts.keys.leaks import MOST_REPORTS, LeakReport
from accounts.keys.models import KeyLeakNotice
from accounts.organisations.models import Organisation
from emailcheck.common.api.serializers import Json, Shape, StorableField, build_shape, validate_shape
from emailcheck.common.errors import BadInput
from emailcheck.common.opaque_ids import encode_id

NOTICE_ID = "lkn"
_NO_LIST = "Send a JSON array of objects with `token`, `url` and `type`."


LeakReportSerializer = build_shape(
    "LeakReportSerializer",
    "A match, as GitHub reports it.",
    token=StorableField(trim_whitespace=False, help_text="The text that looks like a key."),
    url=StorableField(required=False, allow_blank=True, allow_null=True, help_text="Where it was found."),
    type=StorableField(required=False, allow_blank=True, help_text="The scanner's name for such keys."),
    source=StorableField(required=False, allow_blank=True, help_text="The kind of the place, such as `commit`."),
)


class _Reports(Shape):
    reports = serializers.ListField(child=LeakReportSerializer(), max_length=MOST_REPORTS)


def read_reports(sent: Any) -> list[LeakReport]:
    """What a scanner reports; members that we do not know are its own business. Raises `BadInput` and DRF's
    `ValidationError` for another shape."""
    if not isinstance(sent, list) or not all(isinstance(one, dict) for one in sent):
        raise BadInput(_NO_LIST)
    known = [{name: one[name] for name in ("token", "url", "type", "source") if name in one} for one in sent]
    found = validate_shape(_Reports, {"reports": known})["reports"]
    return [LeakReport(one["token"], one.get("url") or "") for one in found]


class LeakRuleSerializer(serializers.ModelSerializer[Organisation]):
    class Meta:
        model = Organisation
        fields = ("revoke_leaked_keys",)


def present_notice(notice: KeyLeakNotice) -> Json:
    """What the banner shows of a leak."""
    leak = notice.leak
    return {
        "id": encode_id(NOTICE_ID, notice.pk),
        "name": leak.key.name,
        "prefix": leak.key.prefix,
        "place": leak.place,
        "revoked": leak.revoked,
        "reported_at": leak.reported_at.isoformat(),
    }
