"""Our egress addresses as staff see them and what staff do to them, each with a line in the activity log."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.users.models import User
from adminpanel.monitoring.egress import routes
from emailcheck.common.errors import NotFound
from validation.egress import addresses
from validation.egress.models import EgressAddress, EgressUse
from validation.egress.polling import current_profiles
from validation.engine.limits.warm_up import find_warm_day
from validation.engine.profiles import Profiles

ACTIONS = {
    "rest": (EgressUse.RESTING, "Egress address rested"),
    "drain": (EgressUse.DRAINING, "Egress address drained"),
    "resume": (EgressUse.ACTIVE, "Egress address resumed"),
    "remove": (EgressUse.REMOVED, "Egress address removed"),
}


def list_addresses() -> list[dict[str, Any]]:
    """Every egress address that was ever used, those of this process among them: those that work first, then by age."""
    addresses.sync_egress()
    order = {use: place for place, use in enumerate(EgressUse)}
    rows = list(EgressAddress.objects.order_by("pk"))
    recipients, profiles = routes.count_recent_recipients(), current_profiles()
    rows_shown = [_present_address(row, rows, recipients, profiles) for row in rows]
    return sorted(rows_shown, key=lambda one: (not one["configured"], order[one["state"]]))


@transaction.atomic
def change_address(*, address_id: int, action: str, reason: str, staff: User) -> dict[str, Any]:
    """Do what staff ask with an address. Raises `NotFound` for an unknown address or action, and the refusals of
    `validation.egress.addresses.change_use`. What an address is already is done again without a trace."""
    if action not in ACTIONS:
        raise NotFound("Not found.")
    use, words = ACTIONS[action]
    address, before = addresses.change_use(address_id=address_id, use=use, reason=reason, staff=staff)
    if before != use:
        audit_log.record_activity(
            user=None,
            kind=ActivityKind.STAFF,
            action=words,
            staff=staff,
            target=f"egress address {address.name}",
            changes={"state": [before, use], "reason": [None, reason]},
        )
    return next(one for one in list_addresses() if one["id"] == address_id)


def _present_address(
    row: EgressAddress, rows: list[EgressAddress], recipients: dict[str, int], profiles: Profiles
) -> dict[str, Any]:
    is_configured = addresses.is_configured(row)
    return {
        "id": row.pk,
        "name": row.name,
        "address": row.key,
        "helo": row.helo,
        "state": EgressUse(row.state),
        "configured": is_configured,
        "last": addresses.is_last_working(row, rows),
        "probes_minute": recipients.get(row.name, 0) if is_configured else 0,
        "added_at": row.added_at,
        "warms_since": row.warms_since if _is_warming(row, profiles) else None,
        "note": row.note or None,
        "changed_at": row.changed_at,
    }


def _is_warming(row: EgressAddress, profiles: Profiles) -> bool:
    """At any operator: each has its own schedule."""
    since = row.warms_since.timestamp() if row.warms_since else None
    now = timezone.now().timestamp()
    return any(find_warm_day(profile, since, now) is not None for profile in profiles)
