"""Which lists there are for whom (ORG-022)."""

from dataclasses import dataclass
from typing import Self

from django.db.models import Q

from accounts.organisations.models import Membership, Organisation
from accounts.organisations.roles import OrganisationRole

_LEADERS = (OrganisationRole.OWNER, OrganisationRole.ADMIN)


@dataclass(frozen=True, slots=True)
class Reader:
    """Who reads the lists of an organisation; without a membership, a key or staff that see all."""

    organisation: Organisation
    membership: Membership | None = None

    @classmethod
    def from_membership(cls, membership: Membership) -> Self:
        return cls(membership.organisation, membership)

    @property
    def sees_all(self) -> bool:
        """Whether no list of the organisation is hidden from the reader."""
        return self.membership is None or self.membership.role in _LEADERS

    def hidden(self, prefix: str = "") -> Q:
        """The condition for lists that others keep to themselves; `prefix` leads to the list, as in `batch__`."""
        if self.membership is None or self.sees_all:
            return Q(pk__in=[])
        of_others = Q(**{f"{prefix}maker": None}) | ~Q(**{f"{prefix}maker": self.membership.user_id})
        return Q(**{f"{prefix}private": True}) & of_others

    def visible(self, prefix: str = "") -> Q:
        """The condition for lists that are not hidden; rows without a list are not either."""
        if self.membership is None or self.sees_all:
            return Q()
        shown = Q(**{f"{prefix}private": False}) | Q(**{f"{prefix}maker": self.membership.user_id})
        return shown | Q(**{prefix.removesuffix("__"): None}) if prefix else shown

    def may_share(self, maker_id: int | None) -> bool:
        """Whether the reader is a person who says who sees a list of that maker."""
        return self.membership is not None and (self.sees_all or self.membership.user_id == maker_id)
