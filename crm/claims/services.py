"""What the public pages claim, in one table: text, value, source, as of when, whether it is shown (PUB-092).

None of it is measured here, nor shown among measured figures. Certifications and counts are `on_proof`: in
live mode they appear only after staff have confirmed them.
"""

from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from crm.claims.models import Claim
from emailcheck.common.errors import BadInput

_DOCUMENTS = "Product description"


@dataclass(frozen=True, slots=True)
class StatedClaim:
    """A claim as it is now."""

    key: str
    text: str
    value: str
    on_proof: bool = False
    source: str = _DOCUMENTS
    as_of: date | None = None
    shown: bool = True
    confirmed: bool = False

    @property
    def is_public(self) -> bool:
        """Whether the public pages show it."""
        return self.shown and (settings.SANDBOX or self.confirmed or not self.on_proof)


_CLAIMS = (
    StatedClaim("accuracy", "Accuracy of the verdicts", "98.5%"),
    StatedClaim("steps", "Steps of a verification", "15+"),
    StatedClaim("speed", "Time of a real-time validation", "3-29 seconds"),
    StatedClaim("throughput", "Addresses checked per hour in a list", "5,000-10,000"),
    StatedClaim("uptime", "Uptime", "99.9%"),
    StatedClaim("no_card", "What the trial asks for", "No credit card needed"),
    StatedClaim("businesses", "Businesses that use the service", "5,000+", on_proof=True),
    StatedClaim("emails", "Addresses verified so far", "50M+", on_proof=True),
    StatedClaim("gdpr", "European data protection", "GDPR compliant", on_proof=True),
    StatedClaim("ccpa", "Californian data protection", "CCPA compliant", on_proof=True),
    StatedClaim("soc2", "Security audit", "SOC 2 Type II", on_proof=True),
    StatedClaim("chat_reply", "Average reply in the chat", "under 2 minutes"),
    StatedClaim("email_reply", "Reply by e-mail", "within 24 hours"),
    StatedClaim("phone_hours", "Phone support", "Monday to Friday, 9AM-6PM EST"),
)
_FIELDS = ("value", "source", "as_of", "shown", "confirmed")


def list_claims() -> list[StatedClaim]:
    """Every claim, as staff left it."""
    changed = {row.key: row for row in Claim.objects.all()}
    return [_apply_row(claim, changed.get(claim.key)) for claim in _CLAIMS]


def list_public_values() -> dict[str, str]:
    """What the public pages may show: values by key."""
    return {claim.key: claim.value for claim in list_claims() if claim.is_public}


def list_unconfirmed() -> list[StatedClaim]:
    """Those that wait for a proof, which live mode does not show."""
    return [claim for claim in list_claims() if claim.on_proof and claim.shown and not claim.confirmed]


@transaction.atomic
def change_claims(*, staff: User, claims: list[dict[str, Any]]) -> list[StatedClaim]:
    """Change some columns of some claims; another value has to be confirmed anew. Raises `BadInput`, then for all."""
    list(Claim.objects.select_for_update().order_by("key"))
    known = {claim.key: claim for claim in list_claims()}
    for change in claims:
        before = known.get(change["key"])
        if before is None:
            raise BadInput("There is no such claim.", field="claims", value=change["key"])
        after = replace(before, **{name: change[name] for name in _FIELDS if name in change})
        if after.value != before.value and "confirmed" not in change:
            after = replace(after, confirmed=False)
        if after != before:
            _store_claim(after)
            _record_change(staff, before, after)
            known[after.key] = after
    return list_claims()


def _apply_row(claim: StatedClaim, row: Claim | None) -> StatedClaim:
    return replace(claim, **{name: getattr(row, name) for name in _FIELDS}) if row else claim


def _store_claim(claim: StatedClaim) -> None:
    Claim.objects.update_or_create(key=claim.key, defaults={name: getattr(claim, name) for name in _FIELDS})


def _record_change(staff: User, before: StatedClaim, after: StatedClaim) -> None:
    names = [name for name in _FIELDS if getattr(before, name) != getattr(after, name)]
    changes = {name: [_to_plain(getattr(before, name)), _to_plain(getattr(after, name))] for name in names}
    audit_log.record_activity(
        user=None,
        kind=ActivityKind.STAFF,
        action="Claim changed",
        staff=staff,
        target=f"claim:{after.key}",
        changes=changes,
    )


def _to_plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value
