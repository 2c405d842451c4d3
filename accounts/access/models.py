"""The credentials that a request may carry: a sign-in, an API key, a staff view of an account."""

from typing import Self

from django.db import models
from django.db.models.functions import Now
from django.utils import timezone

from accounts.organisations.models import Membership, Organisation, OwnedQuerySet
from accounts.users.models import User


class SignIn(models.Model):
    """One sign-in on one device. Access tokens name it; ending it ends them at once.

    The refresh secret is rotated at every use; the first part, its family, stays. A second use of an old secret means
    that it was copied, and ends the sign-in.
    """

    membership: Membership | None = None  # by which the call that carries it is made, once that is known

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_ins")
    refresh_hash = models.CharField(max_length=64, unique=True)
    family_hash = models.CharField(max_length=64, blank=True, db_index=True)
    device = models.CharField(max_length=200, blank=True)
    ip = models.GenericIPAddressField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    used_at = models.DateTimeField(default=timezone.now)
    confirmed_at = models.DateTimeField(
        default=timezone.now,
        db_default=Now(),
        help_text="When somebody last proved to be the owner, by password or code.",
    )
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "sign-in"

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at:%Y-%m-%d %H:%M}"


class Viewing(models.Model):
    """Staff viewing the product as a customer (ADM-230), within the session that began it."""

    membership: Membership | None = None  # as of a sign-in

    user = models.ForeignKey(User, models.CASCADE, related_name="viewings", help_text="Who is looked at.")
    sign_in = models.ForeignKey(SignIn, models.CASCADE, related_name="viewings")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at:%Y-%m-%d %H:%M}"


FIRST_EDITION, EDITION = 1, 2
"""Of the contract of the API: until 28 November 2026, and since. Keys of the first see the numbers of results and may
send members that are unknown, until that ends (`emailcheck.common.api.deprecations`)."""


class Scope(models.TextChoices):
    """What a key may do: read, or change what the scope names."""

    READ = "read"
    WRITE = "write"
    WEBHOOKS = "webhooks"


class ApiKeyQuerySet(OwnedQuerySet["ApiKey"]):
    """Keys of programs."""

    def live(self) -> Self:
        """Those that are neither revoked nor expired."""
        return self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now()), revoked_at=None)


class ApiKey(models.Model):
    """A credential for programs. Only its hash is stored: this table opens nothing."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="api_keys")
    maker = models.ForeignKey(User, models.SET_NULL, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=20, help_text="How the key begins, to tell keys apart.")
    key_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(help_text="Names of `Scope`.")
    daily_credit_cap = models.PositiveIntegerField(null=True, blank=True)
    allowed_ips = models.JSONField(default=list, help_text="Addresses and networks; empty: any.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    edition = models.SmallIntegerField(
        default=EDITION,
        db_default=FIRST_EDITION,
        editable=False,
        help_text="The edition of the contract that it was made under; earlier ones are answered as they were then.",
    )

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = "API key"

    def __str__(self) -> str:
        return self.prefix
