"""Invitations to organisations, and ownership that is being handed over."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.organisations.models import Organisation, OwnedQuerySet
from accounts.organisations.roles import OrganisationRole
from accounts.users.models import User
from emailcheck.common import secrecy


def new_invitation_id() -> str:
    return secrecy.generate_id("inv")


class InvitationState(models.TextChoices):
    """What has become of an invitation."""

    OPEN = "open"
    EXPIRED = "expired"
    ACCEPTED = "accepted"
    REVOKED = "revoked"


class Invitation(models.Model):
    """That somebody may join, by a link that was mailed to them; only the link's hash is stored."""

    public_id = models.CharField(max_length=40, unique=True, default=new_invitation_id, editable=False)
    organisation = models.ForeignKey(Organisation, models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=OrganisationRole)
    inviter = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    token_hash = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organisation", "email"],
                condition=Q(accepted_at=None, revoked_at=None),
                name="one_open_invitation",
            )
        ]

    def __str__(self) -> str:
        return self.public_id

    @property
    def state(self) -> InvitationState:
        if self.accepted_at is not None:
            return InvitationState.ACCEPTED
        if self.revoked_at is not None:
            return InvitationState.REVOKED
        return InvitationState.OPEN if self.expires_at > timezone.now() else InvitationState.EXPIRED


class OwnershipTransfer(models.Model):
    """An owner's offer of the organisation to another member; it takes effect when they accept."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, related_name="transfers")
    giver = models.ForeignKey(User, models.CASCADE, related_name="+")
    receiver = models.ForeignKey(User, models.CASCADE, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True, help_text="Withdrawn or declined.")

    objects = OwnedQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organisation"], condition=Q(accepted_at=None, ended_at=None), name="one_open_transfer"
            )
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id} to {self.receiver_id}"
