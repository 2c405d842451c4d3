"""What the audit of an organisation says about its money: plan and credits before a change, and after it (ORG-024)."""

from typing import Any

from accounts.activity import audit_log
from accounts.activity.actors import StaffAct
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation
from accounts.users.models import User
from billing.catalogue.plans import Plan
from billing.catalogue.price_list import OFFERS

Figures = dict[str, Any]
_COLUMNS = {
    "plan": "subscription__plan",
    "status": "subscription__status",
    "billed": "subscription__cycle",
    "paid_until": "subscription__paid_until",
    "ends_on": "subscription__cancel_at",
    "next_plan": "subscription__scheduled_plan",
    "credits": "credit_account__balance",
}
_PLANS, _DAYS = ("plan", "next_plan"), ("paid_until", "ends_on")


def load_figures(organisation: Organisation | None) -> Figures:
    """What an organisation has now; nothing of one that was deleted. Lock its account before, so that what others
    spend meanwhile is not taken for a part of the change."""
    if organisation is None:
        return {}
    row = Organisation.objects.values_list(*_COLUMNS.values()).get(pk=organisation.pk)
    figures: Figures = dict(zip(_COLUMNS, row, strict=True))
    for name in _PLANS:
        figures[name] = OFFERS[Plan(figures[name])].name if figures[name] else None
    for name in _DAYS:
        figures[name] = figures[name].date() if figures[name] else None
    return figures


def record_change(
    organisation: Organisation | None,
    before: Figures,
    *,
    action: str,
    kind: ActivityKind = ActivityKind.PURCHASE,
    staff: User | StaffAct | None = None,
    target: str = "",
    **more: Any,
) -> None:
    """Write a line that says which of the figures are not the same any more; `more` stands beside them."""
    audit_log.record_activity(
        organisation=organisation,
        kind=kind,
        action=action,
        staff=staff,
        target=target,
        changes=audit_log.compare_values(before, load_figures(organisation)) | more,
    )


def record_if_changed(organisation: Organisation, before: Figures, *, action: str) -> None:
    """As `record_change`, of what may have changed nothing."""
    if load_figures(organisation) != before:
        record_change(organisation, before, action=action)
