"""Organisations and who belongs to them."""

import secrets
from typing import TYPE_CHECKING, Any, Self, TypeVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.organisations.roles import OrganisationRole
from emailcheck.common import secrecy
from emailcheck.common.storage.conditions import IsGiven

if TYPE_CHECKING:
    from accounts.users.models import User


class RetentionDays(models.IntegerChoices):
    """How long uploads and results may be stored."""

    DAY = 1, "1 day"
    WEEK = 7, "7 days"
    MONTH = 30, "30 days"
    QUARTER = 90, "90 days"
    YEAR = 365, "365 days"


# Organisations that did not come with an account have a number of this range, which no account has.
_NUMBERS = range(1 << 40, 1 << 52)


def new_number() -> int:
    return _NUMBERS.start + secrets.randbelow(len(_NUMBERS))


def new_organisation_id() -> str:
    return secrecy.generate_id("org")


HAS_OWN_NAME = models.Q(IsGiven("name")) | models.Q(IsGiven("company"))
"""Organisations that are not known by their holder's name."""


class Organisation(models.Model):
    """What owns credits, lists, keys and money. One that came with an account has the account's number."""

    in_test_mode = False  # True on that of a call with a test key: it sees and makes test data alone
    known_owners: "list[Membership]"  # where `ownership.read_owners` has read them

    id = models.BigIntegerField(primary_key=True, default=new_number, editable=False)
    public_id = models.CharField(max_length=40, unique=True, default=new_organisation_id, editable=False)
    name = models.CharField(
        max_length=100, blank=True, default="", db_default="", help_text="Empty: that of the company or holder."
    )
    company = models.CharField(max_length=255, blank=True, default="", db_default="")
    address = models.CharField(max_length=500, blank=True, default="", db_default="")
    vat_id = models.CharField("VAT id", max_length=30, blank=True, default="", db_default="")
    billing_email = models.EmailField(
        blank=True, default="", db_default="", help_text="Gets invoices; empty: the holder."
    )
    purchase_order = models.CharField("purchase order number", max_length=50, blank=True, default="", db_default="")
    holder = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="own_organisation",
        help_text="The owner to whom staff count its plan and credits, and whom mails about it greet.",
    )
    is_active = models.BooleanField(default=True, db_default=True, help_text="Off: it is suspended.")
    uploads_days = models.PositiveSmallIntegerField(choices=RetentionDays, default=30, db_default=30)
    results_days = models.PositiveSmallIntegerField(choices=RetentionDays, default=365, db_default=365)
    use_providers = models.BooleanField(
        default=True, db_default=True, help_text="Off: no address is sent to outside providers."
    )
    viewers_may_download = models.BooleanField(default=True, db_default=True)
    revoke_leaked_keys = models.BooleanField(
        default=True, db_default=True, help_text="Off: API keys that were found in public are reported only."
    )
    second_factor_from = models.DateTimeField(
        null=True, blank=True, help_text="From when all its members need a second factor; none: never."
    )
    networks = models.JSONField(
        default=list, db_default=[], help_text="Addresses and networks from which people may work in it; empty: any."
    )
    agency = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="clients", help_text="Whose client it is."
    )
    agency_may_act = models.BooleanField(
        default=True, db_default=True, help_text="Off: the client has ended the agency's access."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            # That of the foreign key is of no use where nearly all have no agency: SQLite reads the whole table.
            models.Index(fields=["agency"], condition=models.Q(agency__isnull=False), name="organisation_of_agency"),
            models.Index(fields=["name", "company"], condition=HAS_OWN_NAME, name="organisation_named"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The name by which people know it."""
        return self.name or self.company or (self.holder.name if self.holder else self.public_id)

    @property
    def contact(self) -> "User":
        """Who gets its mails: the holder, else the owner who has been so for longest, else its agency's."""
        if self.holder is not None:
            return self.holder
        first = self._find_first_owner()
        if first is not None:
            return first.user
        if self.agency is None:
            raise LookupError(f"{self.public_id} has no owner")
        return self.agency.contact

    def _find_first_owner(self) -> "Membership | None":
        if hasattr(self, "known_owners"):
            return next(iter(self.known_owners), None)
        owners = self.memberships.filter(role=OrganisationRole.OWNER).select_related("user")
        return owners.order_by("pk").first()

    @property
    def paying_agency(self) -> "Organisation | None":
        """The agency that pays for it: a client buys nothing until it has ended the agency's access."""
        return self.agency if self.agency_may_act else None

    @property
    def invoice_email(self) -> str:
        """Where its invoices go."""
        return self.billing_email or self.contact.email


class OrganisationLogo(models.Model):
    """The picture on its reports."""

    organisation = models.OneToOneField(Organisation, models.CASCADE, primary_key=True, related_name="logo")
    media_type = models.CharField(max_length=20)
    content = models.BinaryField(max_length=200 * 1024)
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return str(self.organisation_id)


class Membership(models.Model):
    """That a person belongs to an organisation, and as what. One of somebody who acts in a client for its agency is
    made for the call and never stored: `via` is the agency, and `agency_role` what they are there."""

    via: Organisation | None = None
    agency_role: str = ""
    organisation = models.ForeignKey(Organisation, models.CASCADE, related_name="memberships")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=OrganisationRole)
    monthly_cap = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="Credits that the member may use in a credit month; none: any number."
    )
    last_active_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "organisation"], name="membership_once")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.role} of {self.organisation_id}"

    @property
    def giving_role(self) -> str:
        """The role that decides which ones they may give: an owner of an agency names the first owner of a client."""
        if self.agency_role != OrganisationRole.OWNER:
            return self.role
        owners = Membership.objects.filter(organisation=self.organisation_id, role=OrganisationRole.OWNER)
        return self.role if owners.exists() else OrganisationRole.OWNER


M_co = TypeVar("M_co", bound=models.Model, covariant=True)


class OwnedQuerySet(models.QuerySet[M_co]):
    """Rows of organisations. A view's loader starts with `for_org`, so that another organisation's id is not found."""

    def for_org(self, organisation: Organisation) -> Self:
        return self.filter(organisation=organisation)


def list_memberships(user: "User") -> "models.QuerySet[Membership]":
    """The organisations that a person belongs to, their own first."""
    mine = Membership.objects.filter(user=user, organisation__deleted_at=None)
    return mine.select_related("organisation__holder").order_by("pk")


def list_clients(agency: Organisation) -> "models.QuerySet[Organisation]":
    """The clients in which an agency may act, oldest first."""
    mine = Organisation.objects.filter(agency=agency, agency_may_act=True, deleted_at=None)
    return mine.order_by("created_at", "pk")


def list_agency_memberships(user: "User", **named: Any) -> list[Membership]:
    """How a person may act in the clients of the agencies that they lead, as admin; `named` tells which clients."""
    leading = Membership.objects.filter(
        user=user,
        role__in=[OrganisationRole.OWNER, OrganisationRole.ADMIN],
        organisation__deleted_at=None,
        organisation__is_active=True,
        organisation__clients__isnull=False,
    )
    roles = dict(leading.values_list("organisation_id", "role"))
    if not roles:
        return []
    clients = Organisation.objects.filter(agency__in=roles, agency_may_act=True, deleted_at=None, **named)
    found = clients.exclude(memberships__user=user).select_related("holder", "agency__holder")
    found = found.order_by("created_at", "pk")
    return [_build_agency_membership(user, client, roles[client.agency_id or 0]) for client in found]


def list_all_memberships(user: "User") -> list[Membership]:
    """In the organisations that a person belongs to, and in the clients in which they act for their agency."""
    return [*list_memberships(user), *list_agency_memberships(user)]


def _build_agency_membership(user: "User", client: Organisation, agency_role: str) -> Membership:
    made = Membership(organisation=client, user=user, role=OrganisationRole.ADMIN)
    made.via, made.agency_role = client.agency, agency_role
    return made


def list_solely_owned(user: "User") -> "models.QuerySet[Organisation]":
    """The organisations of which a person is the only owner, and the clients of these that have no people."""
    owners = Membership.objects.filter(role=OrganisationRole.OWNER)
    mine = owners.filter(user=user).values("organisation")
    of_others = owners.exclude(user=user).values("organisation")
    solely = Organisation.objects.filter(pk__in=mine, deleted_at=None).exclude(pk__in=of_others)
    people = Membership.objects.filter(organisation=models.OuterRef("pk"))
    of_theirs = models.Q(~models.Exists(people), agency__in=solely.values("pk"), agency_may_act=True)
    concerned = models.Q(pk__in=solely.values("pk")) | of_theirs
    return Organisation.objects.filter(concerned, deleted_at=None).order_by("pk")


def found_organisation(user: "User", **fields: Any) -> Organisation:
    """The organisation of one that comes with an account, which has its number; the account owns it."""
    made = Organisation(pk=user.pk, holder=user, created_at=user.created_at, **fields)
    # PostgreSQL makes one too, for versions that do not.
    known = [*fields, "public_id"]
    Organisation.objects.bulk_create([made], update_conflicts=True, unique_fields=["id"], update_fields=known)
    Membership.objects.bulk_create(
        [Membership(organisation=made, user=user, role=OrganisationRole.OWNER)], ignore_conflicts=True
    )
    return made
