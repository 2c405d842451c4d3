"""The organisations of a person as staff see them, and the one whose credits and plan a change is about (ORG-035)."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users import ownership
from accounts.users.models import User
from accounts.users.serializers import present_membership
from billing.subscriptions.subscription_status import AccountFigures
from emailcheck.common.errors import BadInput

HOLDS_NONE = "This person holds no organisation, so there are no credits and no plan to change."


def find_held(user: User, owned: Sequence[Organisation]) -> Organisation | None:
    """Of the organisations that a person owns the one that they hold, whose plan and credits lists show."""
    return next((one for one in owned if one.holder_id == user.pk), None)


def choose_organisation(user: User, public_id: str = "") -> Organisation | None:
    """The one of this id, which the person owns, or without an id the one that they hold; None for who holds none.

    Raises `NotFound` for one that they do not own.
    """
    if public_id:
        return ownership.find_owned(user, public_id)
    return Organisation.objects.select_related("holder").filter(holder=user).first()


def require_organisation(user: User, public_id: str = "") -> Organisation:
    """As `choose_organisation`. Raises `BadInput` for who holds none."""
    found = choose_organisation(user, public_id)
    if found is None:
        raise BadInput(HOLDS_NONE)
    return found


def present_owned(owned: Sequence[Organisation], figures: Mapping[int, AccountFigures]) -> list[dict[str, Any]]:
    """The organisations that a person owns, with what staff change of them."""
    return [{"id": one.public_id, "name": one.title, **_present_figures(figures.get(one.pk))} for one in owned]


def list_owned(user: User, memberships: Iterable[Membership]) -> list[Organisation]:
    """The organisations that a person owns, by all their memberships, the one that they hold first."""
    owned = [one.organisation for one in memberships if one.role == OrganisationRole.OWNER]
    return sorted(owned, key=lambda organisation: organisation.holder_id != user.pk)


def present_organisations(
    user: User,
    belonging: Sequence[Membership],
    ownerless: Sequence[Organisation],
    figures: Mapping[int, AccountFigures],
) -> list[dict[str, Any]]:
    """Those that the person belongs to, then the clients without an owner for which they answer as an owner of the
    agency; each with its plan and credits where these are known."""
    clients = {one.pk: one for one in ownerless}
    belongs_to = {one.organisation_id for one in belonging}
    acting = [
        Membership(organisation=client, user=user, role=OrganisationRole.ADMIN)
        for client in clients.values()
        if client.pk not in belongs_to
    ]
    memberships = [*belonging, *acting]
    for membership in memberships:
        client = clients.get(membership.organisation_id)
        membership.via = client.agency if client else None
    return [present_membership(one) | _present_figures(figures.get(one.organisation_id)) for one in memberships]


def present_grant(users: Sequence[User]) -> list[dict[str, Any]]:
    """Who gets credits by their address: the organisation that they hold does, no other that they own."""
    owned = ownership.load_owned(users)
    return [
        {
            "email": user.email,
            "name": user.name,
            "organisation": user.own_organisation.title,
            "other_organisations": [one.title for one in owned[user.pk] if one.holder_id != user.pk],
        }
        for user in users
    ]


def _present_figures(figures: AccountFigures | None) -> dict[str, Any]:
    return {
        "subscription_plan": figures and figures.plan,
        "credits": figures and figures.credits,
        "monthly_usage": figures and figures.monthly_usage,
    }
