"""The settings of a person and of an organisation."""

from typing import Any

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.organisations.vat_ids import clean_vat_id
from accounts.users.models import User


@transaction.atomic
def save_profile(*, user: User, organisation: Organisation, name: str, billing: dict[str, str]) -> None:
    """Store the name of a person, and what invoices of the organisation name. Raises `BadInput` for a VAT id in a form
    that its country does not have; one that is stored already may stay as it is."""
    new = billing.get("vat_id", "")
    if new != organisation.vat_id:
        billing = billing | {name: clean_vat_id(value) for name, value in billing.items() if name == "vat_id"}
    save_settings(of=user, what="Profile", name=name)
    save_settings(of=organisation, what="Billing details", **billing)


@transaction.atomic
def save_settings(*, of: User | Organisation, what: str, **values: Any) -> None:
    """Store settings; `what` names them in the activity log. Unchanged values change nothing."""
    changed = {field: value for field, value in values.items() if getattr(of, field) != value}
    if not changed:
        return
    before = {field: getattr(of, field) for field in changed}
    for field, value in changed.items():
        setattr(of, field, value)
    of.save(update_fields=list(changed))
    whose: dict[str, Any] = {"user": of}
    if isinstance(of, Organisation):
        whose = {"organisation": of, "changes": audit_log.compare_values(before, changed)}
    audit_log.record_activity(kind=ActivityKind.SETTINGS, action=f"{what} changed", **whose)
