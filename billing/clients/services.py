"""Clients are made, named, listed, and left to themselves."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count, QuerySet

from accounts.activity import audit_log
from accounts.activity.models import ActivityKind
from accounts.organisations.models import Organisation, list_clients
from accounts.team.holders import lock_organisation
from accounts.team.members import end_unfounded_invitations
from billing.catalogue.plans import Plan
from billing.ledger import services as ledger
from billing.ledger.models import CreditTransfer
from billing.ledger.transfers import NO_CLIENT, NO_CREDITS, count_movable_credits, sum_client_credits
from billing.subscriptions.entitlements import load_current_plan
from billing.subscriptions.services import open_account
from emailcheck.common.errors import BadInput, Refused, require_found

_PLANS = frozenset({Plan.GROWTH, Plan.PRO, Plan.ENTERPRISE, Plan.CUSTOM})


@dataclass(frozen=True, slots=True)
class Client:
    """A client as its agency sees it; `returnable` is what the agency can take back."""

    id: str
    name: str
    credits: int
    returnable: int
    members: int
    has_logo: bool
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Agency:
    """The clients of an organisation, whether it may make more, and what it can give them."""

    clients: list[Client]
    may_make: bool
    movable: int


def load_agency(organisation: Organisation) -> Agency:
    """The clients of an organisation, oldest first."""
    clients = _present_clients(organisation, list_clients(organisation))
    return Agency(clients, may_make_clients(organisation), count_movable_credits(organisation))


def may_make_clients(organisation: Organisation) -> bool:
    """Whether its plan includes clients."""
    return load_current_plan(organisation).plan in _PLANS


def load_client(agency: Organisation, client_id: str) -> Organisation:
    """A client in which the agency may act. Raises `NotFound`."""
    return require_found(list_clients(agency).filter(public_id=client_id).first(), NO_CLIENT)


def present_client(agency: Organisation, client: Organisation) -> Client:
    """A client as its agency sees it."""
    return _present_clients(agency, list_clients(agency).filter(pk=client.pk))[0]


@transaction.atomic
def make_client(*, agency: Organisation, name: str) -> Organisation:
    """Make a client without members, on Free and without free credits. Raises `Refused` (`PLAN_REQUIRED`) below Growth
    and `BadInput` for a name that another client has."""
    if not may_make_clients(agency):
        raise Refused("Clients need the Growth plan or a higher one.", code="PLAN_REQUIRED")
    Organisation.objects.select_for_update().get(pk=agency.pk)
    _require_new_name(agency, name)
    made = Organisation.objects.create(name=name, agency=agency)
    open_account(organisation_id=made.pk)
    _record(agency, f"Client {name} made", made, name=[None, name])
    return made


@transaction.atomic
def rename_client(*, agency: Organisation, client: Organisation, name: str) -> None:
    """Give a client another name. Raises `BadInput` for one that another client has, `NotFound` when the agency's
    access has ended."""
    lock_organisation(client)
    load_client(agency, client.public_id)
    if client.name == name:
        return
    _require_new_name(agency, name)
    before, client.name = client.name, name
    client.save(update_fields=["name"])
    for organisation in (agency, client):
        _record(organisation, f"Client {before} is called {name} now", client, name=[before, name])


@transaction.atomic
def end_agency_access(*, organisation: Organisation) -> None:
    """End that the agency acts in a client: what it gave stays, its open invitations end, and the client may buy for
    itself. Raises `BadInput` for an organisation without an agency that may."""
    locked = lock_organisation(organisation)
    ledger.lock_account(locked.pk)  # a transfer that is under way is done before
    agency = locked.paying_agency
    if agency is None:
        raise BadInput("No agency has access to this organisation.", code="NO_AGENCY")
    Organisation.objects.filter(pk=locked.pk).update(agency_may_act=False)
    organisation.agency_may_act = False
    end_unfounded_invitations(locked)
    for one in (organisation, agency):
        _record(one, f"Access of the agency to {organisation.title} ended", organisation, agency_may_act=[True, False])


def list_transfers(organisation: Organisation) -> list[CreditTransfer]:
    """What a client got and gave back, newest first."""
    found = CreditTransfer.objects.filter(client=organisation).select_related("agency__holder", "client__holder")
    return list(found.order_by("-pk")[:200])


def _present_clients(agency: Organisation, clients: QuerySet[Organisation]) -> list[Client]:
    credits = sum_client_credits(agency)
    counted = clients.select_related("holder").annotate(
        people=Count("memberships", distinct=True), logos=Count("logo", distinct=True)
    )
    return [
        Client(
            id=client.public_id,
            name=client.title,
            credits=credits.get(client.pk, NO_CREDITS).all,
            returnable=credits.get(client.pk, NO_CREDITS).returnable,
            members=client.people,
            has_logo=bool(client.logos),
            created_at=client.created_at,
        )
        for client in counted
    ]


def _require_new_name(agency: Organisation, name: str) -> None:
    if list_clients(agency).filter(name__iexact=name).exists():
        raise BadInput(f"You have a client named {name} already.", field="name", value=name)


def _record(organisation: Organisation, action: str, client: Organisation, **changes: list[Any]) -> None:
    audit_log.record_activity(
        organisation=organisation,
        kind=ActivityKind.SETTINGS,
        action=action,
        target=f"organisation:{client.public_id}",
        changes=changes,
    )
