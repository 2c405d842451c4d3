"""What the accounts' tables hold about people."""

from collections.abc import Collection

from allauth.account.models import EmailAddress, EmailConfirmation
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialToken
from django.contrib.admin.models import LogEntry
from django.db.models import Q, QuerySet

from accounts.access.models import ApiKey, SignIn, Viewing
from accounts.activity import audit_log
from accounts.activity.models import Activity, ActivityKind
from accounts.keys.models import ApiRequest, KeyLeak, KeyLeakNotice
from accounts.organisations.models import Membership, Organisation, OrganisationLogo, list_all_memberships
from accounts.organisations.roles import OrganisationRole
from accounts.rules.models import OwnedDomain
from accounts.signin.models import OneTimeToken
from accounts.staff.models import ColleagueDeletion
from accounts.team.models import Invitation, OwnershipTransfer
from accounts.users.models import User
from emailcheck.common.personal import OrganisationTable, Table, delete_in_slices


def list_held_organisations(user_id: int) -> Collection[int]:
    """The numbers of the organisations whose rows are those of an account."""
    return Organisation.objects.filter(holder=user_id).values_list("pk", flat=True)


def list_owned_organisations(user_id: int) -> Collection[int]:
    """The numbers of the organisations of which an account is an owner, that were not deleted."""
    owned = Membership.objects.filter(user=user_id, role=OrganisationRole.OWNER, organisation__deleted_at=None)
    return owned.values_list("organisation_id", flat=True)


def list_exported_activity(user_id: int, closed: Collection[int]) -> "QuerySet[Activity]":
    """The account's own lines, and what it did in the organisations to which it belongs and that are open to it."""
    user = User.objects.get(pk=user_id)
    mine = {membership.organisation_id for membership in list_all_memberships(user)}
    return audit_log.list_own_lines(user, mine - set(closed))


def detach_activity(user_id: int) -> None:
    """The account's own lines go; what staff did to it, and what it did in an organisation of others, stays without
    saying who it was, and from which address."""
    lines = Activity.objects.filter(user_id=user_id)
    alone = Q(organisation=None) | Q(organisation__in=list_held_organisations(user_id))
    lines.filter(alone, staff_id=None).delete()
    lines.filter(staff_id=None).update(ip=None)
    lines.update(user=None)


def erase_audit(organisation_id: int) -> None:
    """The lines of a deleted organisation go with it; what staff did there stays as their act."""
    lines = Activity.objects.filter(organisation_id=organisation_id)
    delete_in_slices(lines.filter(staff_id=None).exclude(kind=ActivityKind.STAFF))
    lines.update(organisation=None)


def list_staff_acts(user_id: int) -> "QuerySet[Activity]":
    """What the account did as staff; every act is listed, also where another row records it."""
    return Activity.objects.filter(staff_id=user_id)


def keep_acts(user_id: int) -> None:
    """What staff did stays with who did it: others must be able to see who touched their account or money."""


def list_deletions_about(user_id: int) -> "QuerySet[ColleagueDeletion]":
    """Requests of colleagues to delete the account: the record stays, as an act of staff."""
    return ColleagueDeletion.objects.filter(colleague_id=user_id)


# Who of the staff did something is not for the customer's export.
ACTOR_COLUMNS = ("staff_id", "staff_name", "staff_email")
TABLES = (
    Table(User, "pk", name="account", secret=("password", "password_ends_at", "is_superuser", "device_generation")),
    Table(SignIn, "user", name="sessions", secret=("refresh_hash", "family_hash")),
    OrganisationTable(Organisation, "pk", name="organisation"),
    OrganisationTable(OrganisationLogo, "organisation", name="organisation_logo", secret=("content",)),
    OrganisationTable(OwnedDomain, "organisation", name="organisation_domains", secret=("token",)),
    Table(Membership, "user", name="memberships"),
    OrganisationTable(Invitation, "organisation", name="invitations", secret=("token_hash",)),
    Table(OwnershipTransfer, "giver", name="organisations_offered", secret=("receiver_id",)),
    Table(OwnershipTransfer, "receiver", name="organisations_offered_to", secret=("giver_id",)),
    OrganisationTable(ApiKey, "organisation", name="api_keys", secret=("key_hash", "maker_id")),
    OrganisationTable(ApiRequest, "organisation", name="api_requests"),
    OrganisationTable(KeyLeak, "organisation", name="key_leaks"),
    Table(KeyLeakNotice, "user", name="key_leak_notices"),
    Table(Viewing, "user", name="viewed_by_staff", secret=("sign_in_id", "reason")),
    Table(Viewing, "sign_in__user", left_out="What staff looked at: it is in the activity of whoever was looked at."),
    Table(
        Activity,
        "user",
        name="activity",
        secret=(*ACTOR_COLUMNS, "target", "changes", "organisation_id", "is_copy"),
        exported=list_exported_activity,
        erase=detach_activity,
    ),
    OrganisationTable(
        Activity,
        "organisation",
        left_out="The audit of an organisation: owners and admins get it under Team. What you did is in your activity.",
        erase=erase_audit,
    ),
    Table(
        Activity,
        found=list_staff_acts,
        name="acts_as_staff",
        secret=("user_id", "organisation_id", "target", "changes", "is_copy"),
        erase=keep_acts,
    ),
    Table(
        ColleagueDeletion,
        found=list_deletions_about,
        name="deletion_by_colleagues",
        secret=ACTOR_COLUMNS,
        erase=keep_acts,
    ),
    Table(Authenticator, "user", name="second_factors", secret=("data",)),
    Table(SocialAccount, "user", name="google_accounts"),
    Table(SocialToken, "account__user", left_out="Keys for somebody else's services; none are kept."),
    Table(OneTimeToken, "user", left_out="Hashes of links that were mailed and of steps of signing in."),
    Table(EmailAddress, "user", left_out="Not used: an account has one address, which is under account."),
    Table(EmailConfirmation, "email_address__user", left_out="Not used: see the table before."),
    Table(LogEntry, "user", left_out="What staff changed by hand in the database; only staff have such lines."),
    Table(User.groups.through, "user", left_out="Not used: there are no groups."),
    Table(User.user_permissions.through, "user", left_out="Not used: permissions follow from the role."),
)
