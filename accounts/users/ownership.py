"""Which organisations a person owns, for staff: the one that they hold, and those that came to them in another way.

Whoever holds an organisation is an owner of it, so that the memberships of owners name all of them.
"""

from collections.abc import Sequence

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole
from accounts.users import directory
from accounts.users.models import User
from emailcheck.common.errors import NotFound

# As many organisations found by a text are looked up at once, which spares the count and the page another search.
_FEW = 500
NOT_OWNED = "This person owns no organisation with this id"


def load_owned(users: Sequence[User]) -> dict[int, list[Organisation]]:
    """The organisations that these persons own, by the person's id, the one that they hold first."""
    found: dict[int, list[Organisation]] = {user.pk: [] for user in users}
    mine = _list_ownerships().filter(user__in=list(found), organisation__deleted_at=None)
    for membership in mine.select_related("organisation__holder").order_by("pk"):
        found[membership.user_id].append(membership.organisation)
    for pk, owned in found.items():
        owned.sort(key=lambda organisation: organisation.holder_id != pk)
    return found


def find_owned(user: User, public_id: str) -> Organisation:
    """Raises `NotFound` for one that the person does not own."""
    for organisation in load_owned([user])[user.pk]:
        if organisation.public_id == public_id:
            return organisation
    raise NotFound(NOT_OWNED)


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
    named = Organisation.objects.filter(_match_name(text))
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
    named = Organisation.objects.filter(_match_name(text) | Q(pk__in=owners.values("organisation")))
    return Q(organisation__in=named)


def prefetch_owners() -> "Prefetch[str, QuerySet[Membership], str]":
    """Reads the owners of the organisations of all rows at once, so that `contact` of each asks no more."""
    owners = _list_ownerships().select_related("user").order_by("pk")
    return Prefetch("organisation__memberships", queryset=owners, to_attr="known_owners")


def _list_ownerships() -> "QuerySet[Membership]":
    return Membership.objects.filter(role=OrganisationRole.OWNER)


def _match_name(text: str) -> Q:
    found = Q()
    for spelling in directory.spelling_variants(text.strip()):
        found |= Q(name__icontains=spelling) | Q(company__icontains=spelling)
    return found
