"""Which lists there are for whom (ORG-022)."""

from dataclasses import dataclass
from typing import Self

from django.db.models import Exists, Q

from accounts.access.models import ApiKey
from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole

_LEADERS = (OrganisationRole.OWNER, OrganisationRole.ADMIN)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the lists of an organisation: a member, or a key, which sees what its maker would; without either,
    staff, who see all."""

    organisation: Organisation
    membership: Membership | None = None
    key: ApiKey | None = None

    @classmethod
    def from_membership(cls, membership: Membership) -> Self:
        return cls(membership.organisation, membership)

    @property
    def sees_all(self) -> bool:
        """Whether it is known, without asking the database, that no list is hidden from the reader."""
        return self.key is None and (self.membership is None or self.membership.role in _LEADERS)

    def hidden(self) -> Q:
        """The condition for lists that others keep to themselves."""
        if self.sees_all:
            return Q(pk__in=[])
        of_others = Q(private=True) & (Q(maker=None) | ~Q(maker=self._person_id))
        return of_others & ~self._leads() if self.key else of_others

    def visible(self, prefix: str = "") -> Q:
        """The condition for lists that are not hidden; rows without a list are not either. `prefix` leads to the list,
        as in `batch__`."""
        if self.sees_all:
            return Q()
        shown = Q(**{f"{prefix}private": False})
        if self._person_id is not None:
            shown |= Q(**{f"{prefix}maker": self._person_id})
        if self.key:
            shown |= self._leads()
        return shown | Q(**{prefix.removesuffix("__"): None}) if prefix else shown

    def may_share(self, maker_id: int | None) -> bool:
        """Whether the reader is a person who says who sees a list of that maker."""
        return self.membership is not None and (self.sees_all or self.membership.user_id == maker_id)

    @property
    def _person_id(self) -> int | None:
        """The number of the member, or of who made the key, if that account is still there."""
        if self.membership is not None:
            return self.membership.user_id
        return self.key.maker_id if self.key else None

    def _leads(self) -> Q:
        """Whether who made the key is owner or admin now, or acts as one for the agency (`list_agency_memberships`); a
        subquery, so that a call with a key makes no query more."""
        mine = Membership.objects.filter(user=self._person_id)
        leading = mine.filter(role__in=_LEADERS)
        leads = Q(Exists(leading.filter(organisation=self.organisation)))
        if self.organisation.agency_id is None or not self.organisation.agency_may_act:
            return leads
        agencies = {"organisation__deleted_at": None, "organisation__is_active": True}
        acts = Q(Exists(leading.filter(organisation=self.organisation.agency_id, **agencies)))
        return leads | acts & ~Q(Exists(mine.filter(organisation=self.organisation)))
