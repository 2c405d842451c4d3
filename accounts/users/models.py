"""Accounts, their role and status."""

from typing import Any, ClassVar

import idna
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import AnonymousUser, PermissionsMixin
from django.db import models, transaction
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.organisations.models import Organisation, found_organisation


class Role(models.TextChoices):
    USER = "user"
    ADMIN = "admin"


class Status(models.TextChoices):
    ACTIVE = "active"
    SUSPENDED = "suspended"


class UserManager(BaseUserManager["User"]):
    """Creates accounts, each with its organisation of one; e-mail addresses are stored in lower case."""

    def create_user(self, email: str, password: str | None = None, *, company: str = "", **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        self.insert_account(user, company=company)
        return user

    @transaction.atomic
    def insert_account(self, user: "User", *, company: str = "") -> None:
        """Store a new account with its organisation, for the company of this name."""
        user.save(force_insert=True)
        found_organisation(user, company=company)

    def create_superuser(self, email: str, password: str, **fields: Any) -> "User":
        return self.create_user(
            email, password, role=Role.ADMIN, is_superuser=True, email_verified_at=timezone.now(), **fields
        )

    def get_by_natural_key(self, username: str | None) -> "User":
        return self.get(email=(username or "").strip().lower())


class User(AbstractBaseUser, PermissionsMixin):
    """An account; signs in with its e-mail address."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150)
    role = models.CharField(max_length=10, choices=Role, default=Role.USER)
    is_active = models.BooleanField(default=True, help_text="Off: the account is suspended.")
    suspension_reason = models.CharField(
        max_length=500, blank=True, default="", db_default="", help_text="Its owner got it by mail."
    )
    email_verified_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    # Preferences. Mails about security and money are sent in any case.
    email_notifications = models.BooleanField(default=True, db_default=True)
    analytics = models.BooleanField(default=True, db_default=True)
    marketing = models.BooleanField(default=False, db_default=False)
    current_organisation = models.ForeignKey(
        Organisation,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        help_text="In which they last worked; none: their own.",
    )
    tour_completed = models.BooleanField(default=False, db_default=False)
    deleted_at = models.DateTimeField(null=True, blank=True, help_text="Closed for good; the queue deletes the rest.")
    password_ends_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Somebody else chose the password; until then it lets its owner choose another.",
    )

    device_generation = models.PositiveIntegerField(
        default=0,
        db_default=0,
        editable=False,
        help_text="Browsers that were signed in to in an earlier one are not known any more.",
    )

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower_case")]
        indexes = [
            # Includes what decides whether it is listed, so that the index alone finds a late page.
            models.Index(fields=["created_at", "id", "deleted_at"], name="user_listed_by_age"),
            models.Index(Lower("name"), "id", "deleted_at", name="user_listed_by_name"),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def status(self) -> str:
        return Status.ACTIVE if self.is_active else Status.SUSPENDED

    @property
    def is_suspended(self) -> bool:
        """Whether staff closed the account, not its owner for good."""
        return not self.is_active and self.deleted_at is None

    @property
    def email_verified(self) -> bool:
        return self.email_verified_at is not None

    @property
    def is_protected(self) -> bool:
        """Whether the account cannot be deleted, suspended or demoted (ADM-219)."""
        return self.email in settings.PROTECTED_ADMIN_EMAILS

    @property
    def has_staff_address(self) -> bool:
        """Whether the address is in the domain of the staff."""
        return domain_of(self.email) == domain_of(settings.ADMIN_EMAIL_DOMAIN) != ""

    @property
    def is_staff(self) -> bool:
        """May enter the staff area and Django's admin (SEC-009, SEC-010)."""
        return self.has_staff_role and (not settings.STAFF_MFA_REQUIRED or self.has_second_factor)

    @property
    def has_staff_role(self) -> bool:
        """Is staff, apart from the second factor that a setting may ask for."""
        return self.role == Role.ADMIN and self.is_active and self.email_verified and self.has_staff_address

    @property
    def is_colleague(self) -> bool:
        """Whether the account has the role or an address of staff: its deletion takes two administrators."""
        return self.role == Role.ADMIN or self.has_staff_address

    @property
    def has_second_factor(self) -> bool:
        """Whether signing in asks for a code."""
        return Authenticator.objects.filter(user=self, type=Authenticator.Type.TOTP).exists()

    def has_perm(self, perm: str, obj: models.Model | AnonymousUser | None = None) -> bool:
        """The admin role gives full access (ADM-006); what is read-only is so for everybody."""
        return self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_staff


def domain_of(address: str) -> str:
    """The part after the last `@` in A-labels (IDNA 2008) and lower case, the form in which domains are the same or
    not."""
    name = address.rpartition("@")[2].lower()
    if name.isascii():
        return name
    try:
        return idna.encode(name, uts46=True).decode("ascii")
    except idna.IDNAError:
        return name
