"""What every page behind the sign-in says of the organisation in which the person works."""

from typing import Any

from django.http import HttpRequest

from accounts.access.pages import find_page_closure, find_page_membership
from accounts.organisations.models import list_all_memberships
from accounts.organisations.roles import Right, list_rights
from emailcheck.common.web.context import DASHBOARD_TABS

# What a tab of the dashboard needs; the others are for every role.
TAB_RIGHTS = {
    "validate": Right.CHECK,
    "history": Right.READ,
    "analytics": Right.READ,
    "pricing": Right.PAY,
    "custom-packages": Right.PAY,
}


def organisation_context(request: HttpRequest) -> dict[str, Any]:
    """The membership, why it is closed now, its rights, the tabs that it does not open, and all organisations of the
    person; nothing, and no question to the database, on pages for everybody."""
    membership = find_page_membership(request)
    if membership is None:
        return {}
    closure = find_page_closure(request)
    rights = list_rights(membership.role)
    return {
        "membership": membership,
        "closure": closure,
        "rights": rights if closure is None else [],
        "closed_tabs": [key for key, _ in DASHBOARD_TABS if TAB_RIGHTS.get(key, Right.LOOK) not in rights],
        "memberships": list_all_memberships(membership.user),
    }
