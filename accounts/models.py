"""Who somebody is, and which of their sign-ins are still open."""

from typing import Any, ClassVar

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import AnonymousUser, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone


class Role(models.TextChoices):
    USER = "user"
    ADMIN = "admin"


class Status(models.TextChoices):
    ACTIVE = "active"
    SUSPENDED = "suspended"


class UserManager(BaseUserManager["User"]):
    """Creates accounts; e-mail addresses are stored in lower case."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "User":
        user = self.model(email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

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
    company = models.CharField(max_length=150, blank=True)
    role = models.CharField(max_length=10, choices=Role, default=Role.USER)
    is_active = models.BooleanField(default=True, help_text="Off: the account is suspended.")
    email_verified_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]
    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower_case"),
        ]

    def __str__(self) -> str:
        return self.email

    @property
    def status(self) -> str:
        return Status.ACTIVE if self.is_active else Status.SUSPENDED

    @property
    def email_verified(self) -> bool:
        return self.email_verified_at is not None

    @property
    def has_staff_address(self) -> bool:
        """Whether the address is in the domain of the staff."""
        return _domain(self.email) == _domain(settings.ADMIN_EMAIL_DOMAIN) != ""

    @property
    def is_staff(self) -> bool:
        """May enter the staff area and Django's admin (SEC-009, SEC-010)."""
        return self.has_staff_role and (not settings.STAFF_MFA_REQUIRED or self.has_second_factor)

    @property
    def has_staff_role(self) -> bool:
        """Is staff, apart from the second factor that a setting may ask for."""
        return self.role == Role.ADMIN and self.is_active and self.email_verified and self.has_staff_address

    @property
    def has_second_factor(self) -> bool:
        """Whether signing in asks for a code."""
        return Authenticator.objects.filter(user=self, type=Authenticator.Type.TOTP).exists()

    def has_perm(self, perm: str, obj: models.Model | AnonymousUser | None = None) -> bool:
        """The admin role gives full access (ADM-006); what is read-only is so for everybody."""
        return self.is_staff

    def has_module_perms(self, app_label: str) -> bool:
        return self.is_staff


def _domain(address: str) -> str:
    """The part after the last `@` in A-labels and lower case, the form in which domains are the same or not."""
    name = address.rpartition("@")[2].casefold()
    try:
        return name.encode("idna").decode()
    except UnicodeError:
        return name


class Purpose(models.TextChoices):
    """What a one-time token is for."""

    VERIFY = "verify", "confirms the address"
    RESET = "reset", "sets a new password"
    MFA = "mfa", "right password, code awaited"
    TOTP_SETUP = "totp_setup", "second factor to be confirmed"
    SESSION = "session", "back from Google"


class OneTimeToken(models.Model):
    """A secret that was handed out once, for one purpose, and works once. Only its hash is kept."""

    user = models.ForeignKey(User, models.CASCADE, related_name="one_time_tokens")
    purpose = models.CharField(max_length=10, choices=Purpose)
    digest = models.CharField(max_length=64, unique=True)
    sealed = models.TextField(blank=True)
    failures = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(db_index=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.purpose}"


class Wish(models.TextChoices):
    """What somebody without a sign-in may ask about an address."""

    REGISTER = "register"
    VERIFY = "verify"
    RESET = "reset"


class MailboxRequest(models.Model):
    """What was asked about an address, until the queue has answered its owner by mail."""

    wish = models.CharField(max_length=10, choices=Wish)
    sealed = models.TextField()
    created_at = models.DateTimeField(default=timezone.now, db_index=True)

    def __str__(self) -> str:
        return f"{self.wish} {self.created_at:%Y-%m-%d %H:%M}"


class SignIn(models.Model):
    """One sign-in on one device. Access tokens name it; ending it ends them at once.

    The refresh secret is rotated at every use; the first part, its family, stays. A second use of an old secret means
    that it was copied, and ends the sign-in.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="sign_ins")
    refresh_hash = models.CharField(max_length=64, unique=True)
    # The name of the column is from before, so that a version that still runs finds it.
    family_hash = models.CharField(max_length=64, blank=True, db_index=True, db_column="previous_hash")
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

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at:%Y-%m-%d %H:%M}"
