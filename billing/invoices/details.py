"""What invoices of an organisation name: who bought, where they go, and the buyer's own number for the order."""

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.organisations.vat_ids import clean_vat_id


@transaction.atomic
def save_details(*, organisation: Organisation, **values: str) -> Organisation:
    """Store what is given; invoices that were issued stay as they are. Raises `BadInput` for a VAT id in a form that
    its country does not have; one that is stored already may stay as it is."""
    if values.get("vat_id", organisation.vat_id) != organisation.vat_id:
        values["vat_id"] = clean_vat_id(values["vat_id"])
    changes = audit_log.compare_values({name: getattr(organisation, name) for name in values}, values)
    changed = {name: values[name] for name in changes}
    if not changed:
        return organisation
    for name, value in changed.items():
        setattr(organisation, name, value)
    organisation.save(update_fields=list(changed))
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.SETTINGS,
        action="Billing details changed",
        changes=changes,
    )
    return organisation
