"""Whose credits a call uses: the member who is signed in, their cap, and what members have used."""

from django.db import transaction

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole, Right
from accounts.team.holders import lock_organisation
from accounts.team.members import NO_MEMBER, list_members, reload_membership
from billing.ledger.member_caps import Spender, sum_member_credits
from billing.subscriptions.entitlements import load_current_plan
from emailcheck.common import request_context
from emailcheck.common.errors import require_found


def find_spender(organisation: Organisation) -> Spender | None:
    """The member who is signed in and calls in the organisation; None for calls with keys, and outside of calls."""
    person = request_context.current_person()
    if person is None or person.user_id is None or person.organisation_id != organisation.pk:
        return None
    if person.monthly_cap is None:
        return Spender(person.user_id)
    return Spender(person.user_id, person.monthly_cap, load_current_plan(organisation).used_since)


def count_member_credits(organisation: Organisation) -> dict[int, int]:
    """What each member has used in the credit month, held credits too, by the number of their account."""
    since = load_current_plan(organisation).used_since
    return sum_member_credits(organisation_id=organisation.pk, since=since)


@transaction.atomic
def set_member_cap(
    *, organisation: Organisation, by: Membership, member_id: int, monthly_cap: int | None
) -> Membership:
    """Say how many credits a member may use in a credit month, None for any number.

    Raises `NotFound`, and `Refused` for who would change the cap of an owner or their own without being an owner.
    """
    locked = lock_organisation(organisation)
    found = require_found(list_members(locked).filter(pk=member_id).first(), NO_MEMBER)
    is_owners = found.role == OrganisationRole.OWNER or found.user_id == by.user_id
    reload_membership(by.user, locked, Right.OWN if is_owners else Right.MANAGE)
    if found.monthly_cap == monthly_cap:
        return found
    before, found.monthly_cap = found.monthly_cap, monthly_cap
    found.save(update_fields=["monthly_cap"])
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.MEMBER,
        action="Monthly cap changed",
        target=f"user:{found.user_id}",
        changes={"monthly_cap": [before, monthly_cap]},
    )
    return found
