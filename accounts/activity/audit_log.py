"""What happened on an account: the one door to the log, which every app writes to."""

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import date, timedelta
from typing import Any

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounts.activity import actors
from accounts.activity.actors import StaffAct
from accounts.activity.models import Activity, ActivityKind
from accounts.organisations.models import Membership, Organisation, list_memberships
from accounts.users.models import User
from emailcheck.common import personal, request_context
from emailcheck.common.api import pagination

PAGE_ROWS = 50
# The role of what a program did.
BY_KEY = "key"
# The number of accounts that a search covers.
_MAX_ACCOUNTS_SEARCHED = 200


def record_activity(
    *,
    kind: ActivityKind,
    action: str,
    user: User | None = None,
    organisation: Organisation | None = None,
    staff: User | StaffAct | None = None,
    target: str = "",
    changes: dict[str, Any] | None = None,
    copy_to: Iterable[Membership] = (),
) -> None:
    """Write a line, from the address of the current request, into the caller's transaction.

    `user` is who does it, or whose account it concerns. What happens in an `organisation` is done by the person that
    calls, as what that person is there, or by the key that calls, or else stands with whoever answers for the
    organisation. `changes` are `{field: [before, after]}`. An action of `staff` (an account, or an earlier act of it)
    freezes who did it, and names its `target` and what it changed; neither of these may name a person, because the
    line outlives the accounts: a target `user:5` is read as name and address while there are any.

    What becomes a line of the person alone is copied to the organisations that it concerns (`copy_to`), which keep it
    when the person leaves: how they sign in, to all that they belong to. What staff do to an account stands in the
    organisation that it holds then.
    """
    person = None if staff else request_context.current_person()
    who = _name_person(user, organisation, person)
    if user is not None and organisation is None:
        if staff or kind == ActivityKind.STAFF:
            who["organisation"] = Organisation.objects.filter(holder=user).first()
        elif kind == ActivityKind.SIGN_IN:
            copy_to = list_memberships(user)
    what = {
        "kind": kind,
        "action": action[:200],
        "ip": request_context.caller_address(),
        "target": target[:100],
        "changes": changes or {},
        "created_at": timezone.now(),
    }
    line = Activity(**who, **what, **actors.snapshot_actor(staff))
    Activity.objects.bulk_create([line, *(_copy_line(membership, what) for membership in copy_to)])


def _copy_line(membership: Membership, what: dict[str, Any]) -> Activity:
    whose = {"user_id": membership.user_id, "organisation_id": membership.organisation_id, "role": membership.role}
    return Activity(**whose, **what, is_copy=True)


def compare_values(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The `changes` of a line: what each field was and is, of those that are not the same, as JSON has them."""
    pairs = {field: [before.get(field), value] for field, value in after.items() if before.get(field) != value}
    found: dict[str, list[Any]] = json.loads(json.dumps(pairs, cls=DjangoJSONEncoder))
    return found


def _name_person(
    user: User | None, organisation: Organisation | None, person: request_context.Person | None
) -> dict[str, Any]:
    if organisation is None:
        return {"user": user}
    found = _find_caller(organisation, person)
    if user is not None:
        found["user_id"] = user.pk
        found["role"] = found["role"] or _find_role(organisation, user)
    elif found["user_id"] is None:
        found["user_id"] = organisation.contact.pk
    return found | {"organisation": organisation}


def _find_role(organisation: Organisation, user: User) -> str:
    """As what somebody belongs to it who calls for themselves, not in it."""
    return organisation.memberships.filter(user=user).values_list("role", flat=True).first() or ""


def _find_caller(organisation: Organisation, person: request_context.Person | None) -> dict[str, Any]:
    """Who calls in an organisation or, for its agency, from outside; as what, and by which key or agency."""
    agency = organisation.agency if person and person.organisation_id == organisation.agency_id else None
    if agency is not None and person is not None:
        return {"user_id": person.user_id, "role": person.role, "via": agency.title[:100]}
    if person is not None and person.organisation_id == organisation.pk:
        return {"user_id": person.user_id, "role": person.role, "via": person.via[:100]}
    call = request_context.current_key_call()
    if call is not None and call.organisation_id == organisation.pk:
        return {"user_id": None, "role": BY_KEY, "via": call.prefix}
    return {"user_id": None, "role": "", "via": ""}


def delete_old_activity() -> None:
    """Delete what is older than `ACTIVITY_DAYS`. What staff did stays, without the address they did it from."""
    old = Activity.objects.filter(created_at__lt=timezone.now() - timedelta(days=settings.ACTIVITY_DAYS))
    personal.delete_in_slices(old.exclude(kind=ActivityKind.STAFF))
    old.filter(kind=ActivityKind.STAFF).exclude(ip=None).update(ip=None)


def list_own_lines(user: User, organisations: Collection[int]) -> QuerySet[Activity]:
    """The lines of an account: its own, also of what staff did to it, and what it did in these organisations."""
    shown = Q(organisation=None) | Q(organisation__in=organisations)
    to_it = Q(kind=ActivityKind.STAFF, target=f"account {user.pk}")
    return Activity.objects.filter(shown | to_it, user=user, is_copy=False)


def list_account_activity(
    user: User, *, organisations: Collection[int] | None = None, kind: str = "", cursor: str = ""
) -> tuple[list[Activity], str | None]:
    """A page of the account's own lines, newest first, and the cursor of the next one: those of `list_own_lines` or,
    without organisations, for staff, all.

    Raises `BadInput` for a cursor that is not ours.
    """
    everywhere = Activity.objects.filter(user=user, is_copy=False)
    lines: QuerySet[Activity] = everywhere if organisations is None else list_own_lines(user, organisations)
    if kind:
        lines = lines.filter(kind=kind)
    return pagination.page_newest(lines, size=PAGE_ROWS, cursor=cursor)


def list_all_activity(*, search: str = "", kind: str = "", cursor: str = "") -> tuple[list[Activity], str | None]:
    """A page of what happened on all accounts, newest first: of a kind, by a part of the address of who did it.

    Raises `BadInput` for a cursor that is not ours.
    """
    lines = Activity.objects.filter(is_copy=False).select_related("user")
    if kind:
        lines = lines.filter(kind=kind)
    if search:
        found = list(
            User.objects.filter(email__contains=search.lower()).values_list("pk", flat=True)[:_MAX_ACCOUNTS_SEARCHED]
        )
        own = Q(user__in=found) & ~Q(kind=ActivityKind.STAFF)
        by_staff = Q(staff_id__in=found) | Q(kind=ActivityKind.STAFF, staff_email__contains=search.lower())
        lines = lines.filter(own | by_staff)
    return pagination.page_newest(lines, size=PAGE_ROWS, cursor=cursor)


def list_staff_activity(
    *, user: str, action: str, since: date | None, to: date | None, cursor: str
) -> tuple[list[Activity], str | None]:
    """A page of what staff did, newest first: by a part of the name or address of who did it, by a part of the
    action, by day.

    Raises `BadInput` for a cursor that is not ours.
    """
    lines = Activity.objects.filter(kind=ActivityKind.STAFF)
    if user:
        lines = lines.filter(Q(staff_email__icontains=user) | Q(staff_name__icontains=user))
    if action:
        lines = lines.filter(action__icontains=action)
    if since:
        lines = lines.filter(created_at__date__gte=since)
    if to:
        lines = lines.filter(created_at__date__lte=to)
    return pagination.page_newest(lines, size=PAGE_ROWS, cursor=cursor)
