"""Which organisations a person owns, for staff: the one that they hold, and those that came to them in another way.

Whoever holds an organisation is an owner of it, so that the memberships of owners name all of them.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects

from accounts.organisations.models import HAS_OWN_NAME, Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users import directory
from accounts.users.models import User
from emailcheck.common.errors import NotFound

# As many organisations found by a text are looked up at once, which spares the count and the page another search.
_FEW = 500
NOT_OWNED = "This person owns no organisation with this id"


_SHOWN = ("public_id", "name", "company", "holder", "created_at")


def load_owned(users: Sequence[User]) -> dict[int, list[Organisation]]:
    """The organisations that these persons own, by the person's id, the one that they hold first; to be shown, so that
    other columns are read when they are asked for."""
    known = {user.pk: user for user in users}
    owned = Organisation.objects.filter(
        memberships__user__in=list(known), memberships__role=OrganisationRole.OWNER, deleted_at=None
    )
    pairs = list(owned.only(*_SHOWN).annotate(owner_id=F("memberships__user")).order_by("memberships__pk"))
    holders = known | User.objects.in_bulk({one.holder_id for one in pairs if one.holder_id} - known.keys())
    found: dict[int, list[Organisation]] = {pk: [] for pk in known}
    for one in pairs:
        one.holder = holders.get(one.holder_id) if one.holder_id else None
        found[one.owner_id].append(one)
    return {pk: sorted(mine, key=lambda one: one.holder_id != pk) for pk, mine in found.items()}


def find_owned(user: User, public_id: str) -> Organisation:
    """Raises `NotFound` for one that the person does not own."""
    mine = _list_ownerships().filter(user=user, organisation__public_id=public_id, organisation__deleted_at=None)
    found = mine.select_related("organisation__holder").first()
    if found is None:
        raise NotFound(NOT_OWNED)
    return found.organisation


def list_clients_without_owner(agencies: Sequence[Organisation]) -> "QuerySet[Organisation]":
    """The clients for which nobody but their agency answers, oldest first."""
    theirs = _list_ownerships().filter(organisation=OuterRef("pk"))
    found = Organisation.objects.filter(~Exists(theirs), agency__in=agencies, deleted_at=None)
    return found.select_related("holder", "agency__holder").order_by("created_at", "pk")


def match_owners(text: str) -> Q:
    """Accounts with the text in their name or address, or in the name or company of an organisation that they own or
    of a client of it; all for an empty one."""
    if not text.strip():
        return Q()
    named = Organisation.objects.filter(HAS_OWN_NAME, _match_name(text))
    few = list(named.values_list("pk", "agency")[: _FEW + 1])
    if len(few) <= _FEW:
        owners = _list_ownerships().filter(organisation__in={pk for pair in few for pk in pair if pk is not None})
        return directory.match_text(text) | Q(pk__in=list(owners.values_list("user", flat=True)))
    agencies = named.filter(agency__isnull=False)
    owners = _list_ownerships().filter(Q(organisation__in=named) | Q(organisation__in=agencies.values("agency")))
    return directory.match_text(text) | Q(pk__in=owners.values("user"))


def match_organisations(text: str) -> Q:
    """Rows of organisations with the text in their name or company, or in the name or address of an owner."""
    owners = _list_ownerships().filter(user__in=User.objects.filter(directory.match_text(text)))
    named = Organisation.objects.filter(HAS_OWN_NAME & _match_name(text) | Q(pk__in=owners.values("organisation")))
    return Q(organisation__in=named)


def read_owners(organisations: Iterable[Organisation | None]) -> None:
    """Read the owners of those that nobody holds at once, so that `contact` of each asks no more."""
    unheld = [one for one in organisations if one is not None and one.holder_id is None]
    if unheld:
        owners = _list_ownerships().select_related("user").order_by("pk")
        prefetch_related_objects(unheld, Prefetch("memberships", queryset=owners, to_attr="known_owners"))


def _list_ownerships() -> "QuerySet[Membership]":
    return Membership.objects.filter(role=OrganisationRole.OWNER)


def _match_name(text: str) -> Q:
    found = Q()
    for spelling in directory.spelling_variants(text.strip()):
        found |= Q(name__icontains=spelling) | Q(company__icontains=spelling)
    return found
