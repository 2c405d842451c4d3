"""In which organisation a call works: that of its key, or one that the person who is signed in belongs to."""

from datetime import timedelta

from django.db.models import Q
from django.utils import timezone
from rest_framework.request import Request

from accounts.access.authentication import api_key_of, caller
from accounts.access.models import SignIn, Viewing
from accounts.organisations.admission import build_suspension, check_suspension, find_closure
from accounts.organisations.models import (
    Membership,
    Organisation,
    list_agency_memberships,
    list_all_memberships,
    list_memberships,
)
from accounts.organisations.roles import Right, may
from accounts.users.models import User
from emailcheck.common import request_context
from emailcheck.common.errors import NotFound, Refused
from emailcheck.common.storage.prepared_reads import OneRow

HEADER = "X-Organisation"
NOT_A_MEMBER = "Organisation not found"
_by_number = OneRow(Membership, "user_id organisation_id", "organisation")
_by_public_id = OneRow(Membership, "user_id organisation__public_id", "organisation")
PRESENCE_EVERY = timedelta(minutes=1)


def calling_organisation(request: Request) -> Organisation:
    """The organisation of the key, or the one in which the person works. Raises `NotFound` for one of others."""
    key = api_key_of(request)
    return membership_of(request).organisation if key is None else key.organisation


def membership_of(request: Request) -> Membership:
    """As `read_membership`. Raises `Refused` for a suspended organisation."""
    found = read_membership(request)
    check_suspension(found.organisation)
    return found


def read_membership(request: Request) -> Membership:
    """The membership by which a signed-in person calls: in the organisation that `X-Organisation` names, or the one
    they last worked in. Raises `NotFound` for an organisation to which they do not belong. Whether that lets them in
    now is not asked."""
    assert isinstance(request.auth, SignIn | Viewing)
    if request.auth.membership is None:
        named = "" if isinstance(request.auth, Viewing) else request.headers.get(HEADER, "")
        found = find_membership(caller(request), named)
        if found is None:
            raise NotFound(NOT_A_MEMBER)
        request.auth.membership = found
        if isinstance(request.auth, SignIn) and found.pk is not None:
            _record_presence(found)
        via = found.via.title if found.via else ""
        request_context.set_person(
            request_context.Person(found.user_id, found.organisation_id, found.role, via, found.monthly_cap)
        )
    return request.auth.membership


def _record_presence(membership: Membership) -> None:
    now = timezone.now()
    if membership.last_active_at is None or membership.last_active_at <= now - PRESENCE_EVERY:
        long_ago = Q(last_active_at=None) | Q(last_active_at__lte=now - PRESENCE_EVERY)
        Membership.objects.filter(long_ago, pk=membership.pk).update(last_active_at=now)


def find_membership(user: User, public_id: str = "") -> Membership | None:
    """How a person belongs to the organisation of that id, or to the one they last worked in, else their own. Owners
    and admins of an agency belong to its clients as admins, by a membership that is not stored."""
    if public_id:
        return _read_membership(_by_public_id, user, public_id) or _find_client(user, public_id=public_id)
    last = user.current_organisation_id
    current = (_read_membership(_by_number, user, last) or _find_client(user, pk=last)) if last else None
    return current or _find_own(user)


def _read_membership(rows: OneRow[Membership], user: User, which: int | str) -> Membership | None:
    found = rows.read(user.pk, which)
    if found is None or found.organisation.deleted_at is not None:
        return None
    found.user = user
    if found.organisation.holder_id == user.pk:
        found.organisation.holder = user
    return found


def _find_own(user: User) -> Membership | None:
    """In the organisation that came with the account, as nearly always, else in another that they hold or belong to."""
    came_with_it = _read_membership(_by_number, user, user.pk)
    if came_with_it is not None and came_with_it.organisation.holder_id == user.pk:
        return came_with_it
    mine = list_memberships(user)
    return mine.filter(organisation__holder=user).first() or mine.first()


def _find_client(user: User, **named: object) -> Membership | None:
    return next(iter(list_agency_memberships(user, **named)), None)


def working_membership(user: User) -> Membership:
    """How a person belongs to the organisation in which they work when a call or page names none. Raises `NotFound`
    for somebody who belongs to none."""
    found = find_membership(user)
    if found is None:
        raise NotFound(NOT_A_MEMBER)
    return found


def require_right(request: Request, right: Right, *, is_way_out: bool = False) -> None:
    """Raises `Refused` when the organisation is closed to the person now (`find_caller_closure`; not asked for a way
    out), or their role lacks a right (`PERMISSION_DENIED`), and as `read_membership`."""
    closure = None if is_way_out else find_caller_closure(request)
    if closure is not None:
        raise closure
    membership = read_membership(request)
    if not may(membership.role, right):
        raise build_role_error(membership)


def find_caller_closure(request: Request) -> Refused | None:
    """Why a signed-in person may not work now in the organisation that the call names (`find_closure`), or None. Staff
    who look at an account are refused for a suspended organisation alone. Raises as `read_membership`."""
    return _find_closure_in(request, read_membership(request))


def list_open_organisations(request: Request) -> list[int]:
    """The numbers of the organisations in which a signed-in person may work now, as `find_caller_closure` has it."""
    mine = _list_memberships_of(caller(request))
    return [membership.organisation_id for membership in mine if _find_closure_in(request, membership) is None]


def _find_closure_in(request: Request, membership: Membership) -> Refused | None:
    if isinstance(request.auth, Viewing):
        return None if membership.organisation.is_active else build_suspension()
    return find_membership_closure(membership)


def list_closures(user: User) -> list[tuple[Organisation, Refused]]:
    """The organisations of a person that do not admit them now, calling from where they do, and why."""
    found = [(one.organisation, find_membership_closure(one)) for one in _list_memberships_of(user)]
    return [(organisation, closure) for organisation, closure in found if closure is not None]


def _list_memberships_of(user: User) -> list[Membership]:
    found = list_all_memberships(user)
    for membership in found:
        membership.user = user
    return found


def find_membership_closure(membership: Membership) -> Refused | None:
    """Why the person of a membership may not work in its organisation now, calling from where they do, or None."""
    address = request_context.caller_address()
    return find_closure(user=membership.user, organisation=membership.organisation, address=address)


def build_role_error(membership: Membership) -> Refused:
    """The refusal of what the role of a member does not allow (ORG-005)."""
    return Refused(describe_refusal(membership), code="PERMISSION_DENIED")


def describe_refusal(membership: Membership) -> str:
    """What somebody reads whose role does not include what they ask for."""
    name = membership.organisation.title
    return f"Your role ({membership.role}) does not allow this. Ask an owner or admin of {name}."
