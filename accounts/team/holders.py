"""Who holds an organisation: staff count its plan and credits to them. Every account that is open holds one."""

from django.db import transaction

from accounts.organisations.models import Membership, Organisation, new_number
from accounts.organisations.roles import OrganisationRole
from accounts.signals import organisation_founded
from accounts.users.models import User


def lock_organisation(organisation: Organisation) -> Organisation:
    """The organisation, locked until the caller's transaction ends: who belongs to it changes one after another.

    Lock persons before it.
    """
    return Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)


@transaction.atomic
def provide_organisation(user: User) -> None:
    """Give an open account that holds no organisation an empty one on Free: without credits, trial or reward, which
    its mailbox has had."""
    if user.deleted_at is not None or Organisation.objects.filter(holder=user).exists():
        return
    made = Organisation.objects.create(pk=new_number(), holder=user)
    Membership.objects.create(organisation=made, user=user, role=OrganisationRole.OWNER)
    organisation_founded.send(sender=Organisation, organisation=made)


def settle_holder(organisation: Organisation) -> None:
    """Where the holder is no owner any more: the one who has been owner for longest and holds no other, or nobody.

    It keeps the name by which its members know it. Whoever held it gets an empty one.
    """
    found = Organisation.objects.select_related("holder").get(pk=organisation.pk)
    owners = Membership.objects.filter(organisation=found, role=OrganisationRole.OWNER).order_by("pk")
    before = found.holder
    if before is None or owners.filter(user=before).exists():
        return
    if not (found.name or found.company):
        first = owners.select_related("user").first()
        found.name = (before if before.deleted_at is None or first is None else first.user).name[:100]
    heir = owners.filter(user__own_organisation=None).select_related("user").first()
    found.holder = heir.user if heir else None
    found.save(update_fields=["name", "holder"])
    provide_organisation(before)
