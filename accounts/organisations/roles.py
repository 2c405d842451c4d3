"""What a person may do in an organisation, by their role there (ORG-004)."""

from collections.abc import Mapping
from types import MappingProxyType

from django.db import models


class OrganisationRole(models.TextChoices):
    """A role of a membership."""

    OWNER = "owner"
    ADMIN = "admin"
    DEVELOPER = "developer"
    MEMBER = "member"
    VIEWER = "viewer"
    BILLING = "billing"


class Right(models.TextChoices):
    """What a call needs; every view names one for each of its methods, or that it concerns the person alone."""

    LOOK = "look", "See the organisation, its members and its balance"
    READ = "read", "Read lists, results and figures"
    CHECK = "check", "Check addresses and start lists"
    CHANGE_LISTS = "change_lists", "Change, end and delete lists and results"
    DEVELOP = "develop", "Keys, webhooks and the request log"
    PAY = "pay", "Plan, packs, payments, invoices, statement and quotes"
    MANAGE = "manage", "Members, settings and the audit log"
    OWN = "own", "Delete or transfer the organisation"


_ALL = frozenset(OrganisationRole)
_LEADERS = frozenset({OrganisationRole.OWNER, OrganisationRole.ADMIN})
_BELOW_OWNER = _ALL - {OrganisationRole.OWNER}
_CHECKERS = _LEADERS | {OrganisationRole.DEVELOPER, OrganisationRole.MEMBER}

ROLES_OF: Mapping[Right, frozenset[OrganisationRole]] = MappingProxyType(
    {
        Right.LOOK: _ALL,
        Right.READ: _CHECKERS | {OrganisationRole.VIEWER},
        Right.CHECK: _CHECKERS,
        Right.CHANGE_LISTS: _LEADERS | {OrganisationRole.MEMBER},
        Right.DEVELOP: _LEADERS | {OrganisationRole.DEVELOPER},
        Right.PAY: _LEADERS | {OrganisationRole.BILLING},
        Right.MANAGE: _LEADERS,
        Right.OWN: frozenset({OrganisationRole.OWNER}),
    }
)

# What each role is told where it is chosen.
ROLE_SENTENCES: Mapping[OrganisationRole, str] = MappingProxyType(
    {
        OrganisationRole.OWNER: "Everything, also deleting and transferring the organisation.",
        OrganisationRole.ADMIN: "Everything but deleting, transferring and other owners.",
        OrganisationRole.DEVELOPER: "Keys, webhooks, the request log, and checks.",
        OrganisationRole.MEMBER: "Checks and lists.",
        OrganisationRole.VIEWER: "Reads lists, results, figures and exports.",
        OrganisationRole.BILLING: "Plan, packs, payments, invoices, statement and quotes; no address and no result.",
    }
)


def list_rights(role: str) -> list[str]:
    """What a role includes."""
    return [right for right in Right if may(role, right)]


def may(role: str, right: Right) -> bool:
    """Whether a role includes a right."""
    return role in ROLES_OF[right]


def list_givable_roles(role: str) -> frozenset[str]:
    """The roles that somebody with this one may give and take: an owner all, an admin all but owner."""
    if not may(role, Right.MANAGE):
        return frozenset()
    return frozenset(OrganisationRole) if role == OrganisationRole.OWNER else _BELOW_OWNER
