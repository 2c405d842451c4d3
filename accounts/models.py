"""Who somebody is, and which of their sign-ins are still open."""

from typing import Any, ClassVar, Self

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import AnonymousUser, PermissionsMixin
from django.db import models
from django.db.models.functions import Lower, Now
from django.utils import timezone

from accounts.actors import StaffAct
from accounts.deletion_models import ColleagueDeletion as ColleagueDeletion


class Role(models.TextChoices):
    USER = "user"
    ADMIN = "admin"


class Status(models.TextChoices):
    ACTIVE = "active"
    SUSPENDED = "suspended"


class KeptDays(models.IntegerChoices):
    """How long uploads and results may be kept."""

    DAY = 1, "1 day"
    WEEK = 7, "7 days"
    MONTH = 30, "30 days"
    QUARTER = 90, "90 days"
    YEAR = 365, "365 days"


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

    in_test_mode = False  # True on the account of a call with a test key: it sees and makes test data alone

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=150)
    company = models.CharField(max_length=255, blank=True)
    address = models.CharField(max_length=500, blank=True, db_default="")
    vat_id = models.CharField("VAT id", max_length=30, blank=True, db_default="")
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
    uploads_days = models.PositiveSmallIntegerField(choices=KeptDays, default=30, db_default=30)
    results_days = models.PositiveSmallIntegerField(choices=KeptDays, default=365, db_default=365)
    use_providers = models.BooleanField(
        default=True, db_default=True, help_text="Off: no address is sent to outside providers."
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
        constraints = [
            models.CheckConstraint(condition=models.Q(email=Lower("email")), name="user_email_lower_case"),
        ]
        indexes = [
            # With what says whether it is listed, so that a page far behind is found in the index alone.
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
        """Whether nobody may delete, suspend or demote the account (ADM-219)."""
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
        """Has the role, or an address of the staff: nobody alone may delete it."""
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

    class Meta:
        verbose_name = "one-time token"

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

    class Meta:
        verbose_name = "sign-in"

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at:%Y-%m-%d %H:%M}"


class Viewing(models.Model):
    """A look of staff at the product as a customer sees it (ADM-230), within the session that began it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="viewings", help_text="Who is looked at.")
    sign_in = models.ForeignKey(SignIn, models.CASCADE, related_name="viewings")
    reason = models.CharField(max_length=500)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.created_at:%Y-%m-%d %H:%M}"


class Scope(models.TextChoices):
    READ = "read"
    WRITE = "write"


class ApiKeyQuerySet(models.QuerySet["ApiKey"]):
    """Keys; the loader of a view starts with `for_user`, so that a stranger's id is not found."""

    def for_user(self, user: User) -> Self:
        return self.filter(user=user)

    def live(self) -> Self:
        """Those that are neither revoked nor expired."""
        return self.filter(models.Q(expires_at=None) | models.Q(expires_at__gt=timezone.now()), revoked_at=None)


class ApiKey(models.Model):
    """A credential for programs. Only its hash is stored: whoever reads this table can call nothing with it."""

    user = models.ForeignKey(User, models.CASCADE, related_name="api_keys")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=20, help_text="How the key begins, to tell keys apart.")
    key_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(help_text="A list of `read` and `write`.")
    daily_credit_cap = models.PositiveIntegerField(null=True, blank=True)
    allowed_ips = models.JSONField(default=list, help_text="Addresses and networks; empty: any.")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = ApiKeyQuerySet.as_manager()

    class Meta:
        verbose_name = "API key"

    def __str__(self) -> str:
        return self.prefix

    @property
    def is_live(self) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > timezone.now())


class ApiRequestQuerySet(models.QuerySet["ApiRequest"]):
    def for_user(self, user: User) -> Self:
        return self.filter(user=user)


class ApiRequest(models.Model):
    """A call with an API key, and how it was answered; bodies as `accounts.redaction` leaves them.

    Lines are written for many accounts together: without constraints, so that one whose account has gone meanwhile
    holds none of the others up.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False, db_constraint=False)
    key = models.ForeignKey(ApiKey, models.SET_NULL, null=True, related_name="+", db_index=False, db_constraint=False)
    test = models.BooleanField(default=False)
    request_id = models.CharField(max_length=64)
    time = models.DateTimeField(db_index=True)
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=300)
    status = models.PositiveSmallIntegerField()
    duration_ms = models.FloatField()
    error_code = models.CharField(max_length=40, blank=True)
    request_body = models.TextField(blank=True)
    response_body = models.TextField(blank=True)

    objects = ApiRequestQuerySet.as_manager()

    class Meta:
        verbose_name = "API request"
        indexes = [
            models.Index(fields=["user", "-id"], name="api_request_of_user"),
            models.Index(fields=["user", "request_id"], name="api_request_by_id"),
            models.Index(fields=["key", "-id"], name="api_request_of_key"),
        ]

    def __str__(self) -> str:
        return self.request_id


class ActivityKind(models.TextChoices):
    SIGN_IN = "sign_in"
    KEY = "key"
    SETTINGS = "settings"
    PURCHASE = "purchase"
    VALIDATION = "validation"
    STAFF = "staff"


class ActivityQuerySet(models.QuerySet["Activity"]):
    def for_user(self, user: User) -> Self:
        return self.filter(user=user)


class Activity(StaffAct):
    """What happened on an account, when and from where; what staff do also says who did it and what changed."""

    user = models.ForeignKey(User, models.SET_NULL, null=True, related_name="activity")
    kind = models.CharField(max_length=10, choices=ActivityKind)
    action = models.CharField(max_length=200)
    ip = models.GenericIPAddressField(null=True)
    staff_id = models.BigIntegerField(null=True, db_index=True)
    target = models.CharField(max_length=100, blank=True)
    changes = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    objects = ActivityQuerySet.as_manager()

    class Meta:
        verbose_name_plural = "activity"
        indexes = [
            models.Index(fields=["user", "-id"], name="activity_of_user"),
            models.Index(fields=["kind", "-id"], name="activity_of_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M} {self.action}"
