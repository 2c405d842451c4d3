"""Credits: what was granted, held and spent. Only `billing.ledger.services` moves them.

`balance` is what can be spent now and equals the sum of the account's entries at every committed instant.
A hold takes its credits out of the balance at once; settling returns what was not used.
"""

from django.db import models
from django.utils import timezone

from accounts.access.models import ApiKey
from accounts.activity.actors import StaffAct
from accounts.organisations.models import Organisation
from accounts.users.models import User
from emailcheck.common import secrecy


def new_transfer_id() -> str:
    return secrecy.generate_id("trf")


def new_adjustment_id() -> str:
    return secrecy.generate_id("adj")


class CreditAccount(models.Model):
    """The balance of an account, and the row that is locked while its credits move."""

    organisation = models.OneToOneField(
        Organisation, models.CASCADE, db_column="user_id", primary_key=True, related_name="credit_account"
    )
    balance = models.BigIntegerField(default=0)
    held = models.BigIntegerField(default=0)
    debt = models.BigIntegerField(default=0, db_default=0, help_text="To be taken back from credits that come in.")

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(balance__gte=0), name="credit_balance_not_negative"),
            models.CheckConstraint(condition=models.Q(held__gte=0), name="credit_held_not_negative"),
            models.CheckConstraint(condition=models.Q(debt__gte=0), name="credit_debt_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id}: {self.balance}"


class LotKind(models.TextChoices):
    PLAN = "plan"
    WELCOME = "welcome"
    TRIAL = "trial"
    BONUS = "bonus"
    PACK = "pack"
    TRANSFER = "transfer"


# With credits of these left, every check is made, whatever the plan.
FULL_CHECK_KINDS = (LotKind.PACK, LotKind.TRANSFER)


class CreditLot(models.Model):
    """Credits that came together and expire together; packs never expire. `welcome` are the full checks of a new
    account, `transfer` came from a lot of the agency, its `source`, and expire with it."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="credit_lots")
    kind = models.CharField(max_length=8, choices=LotKind)
    granted = models.BigIntegerField()
    remaining = models.BigIntegerField()
    frozen = models.BigIntegerField(default=0, db_default=0, help_text="Out of the balance while the plan is paused.")
    frozen_at = models.DateTimeField(null=True, blank=True, help_text="Since when its time stands still.")
    expires_at = models.DateTimeField(null=True, blank=True)
    source = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="moved_lots",
        db_index=False,
        help_text="Whose it was.",
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["source"], condition=models.Q(source__isnull=False), name="credit_lot_source")]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(remaining__gte=0, remaining__lte=models.F("granted")),
                name="credit_lot_remaining_in_range",
            ),
            models.CheckConstraint(condition=models.Q(frozen__gte=0), name="credit_lot_frozen_not_negative"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.remaining}/{self.granted}"


class HoldState(models.TextChoices):
    OPEN = "open"
    CLOSED = "settled", "Settled"


class CreditHold(models.Model):
    """Credits set aside for work that has been accepted; `captured` of them were earned in the end."""

    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", related_name="credit_holds", db_index=False
    )
    key = models.CharField(max_length=80, unique=True)
    api_key = models.ForeignKey(ApiKey, models.SET_NULL, null=True, blank=True, related_name="+")
    member = models.ForeignKey(
        User,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        help_text="Who was signed in; nobody for calls with keys.",
    )
    amount = models.BigIntegerField()
    captured = models.BigIntegerField(default=0)
    state = models.CharField(max_length=8, choices=HoldState, default=HoldState.OPEN)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    closed_at = models.DateTimeField("settled at", null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(captured__gte=0, captured__lte=models.F("amount")),
                name="credit_hold_captured_in_range",
            )
        ]
        # With what is summed, so that a month of single checks is read from the index alone. It also finds the holds of
        # an account, which therefore have no index of their own: each one is another page to write at every debit.
        indexes = [
            models.Index(fields=["organisation", "closed_at", "captured"], name="credit_hold_month"),
            models.Index(
                fields=["member", "organisation", "closed_at"],
                condition=models.Q(member__isnull=False),
                name="credit_hold_of_member",
            ),
        ]

    def __str__(self) -> str:
        return self.key


class EntryKind(models.TextChoices):
    GRANT = "grant"
    HOLD = "hold"
    RELEASE = "release"
    EXPIRE = "expire"
    CLAW_BACK = "clawback"
    FREEZE = "freeze"
    THAW = "thaw"
    TRANSFER = "transfer"


class Clawback(models.Model):
    """Credits to be taken back; `outstanding` had been spent, and is taken from what comes in."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="clawbacks")
    key = models.CharField(max_length=120, unique=True)
    reason = models.CharField(max_length=120)
    amount = models.PositiveBigIntegerField()
    outstanding = models.PositiveBigIntegerField()
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(outstanding__lte=models.F("amount")), name="clawback_outstanding_in_range"
            )
        ]

    def __str__(self) -> str:
        return self.key


class BulkGrant(StaffAct):
    """Credits that staff gave to many accounts at once; `reference` names the call, so that it may be repeated."""

    reference = models.CharField(max_length=80, unique=True)
    staff_id = models.BigIntegerField()
    credits = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=32)
    fingerprint = models.CharField(max_length=64)
    granted_count = models.PositiveIntegerField(default=0)
    not_found = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.reference


class CreditAdjustment(StaffAct):
    """A balance that staff set by hand; `key` names it in the ledger."""

    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", related_name="credit_adjustments"
    )
    key = models.CharField(max_length=40, unique=True, default=new_adjustment_id, editable=False)
    staff_id = models.BigIntegerField()
    before = models.BigIntegerField()
    after = models.BigIntegerField()
    reason = models.CharField(max_length=120)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"{self.key}: {self.before} → {self.after}"


class CreditEntry(models.Model):
    """One movement of one lot; never changed, never deleted while its account lives."""

    organisation = models.ForeignKey(
        Organisation, models.CASCADE, db_column="user_id", related_name="credit_entries", db_index=False
    )
    lot = models.ForeignKey(CreditLot, models.CASCADE, related_name="entries")
    hold = models.ForeignKey(CreditHold, models.CASCADE, null=True, blank=True, related_name="entries")
    clawback = models.ForeignKey(
        Clawback, models.CASCADE, null=True, blank=True, related_name="entries", db_index=False
    )
    kind = models.CharField(max_length=8, choices=EntryKind)
    amount = models.BigIntegerField(help_text="Positive into the balance, negative out of it.")
    reason = models.CharField(max_length=120)
    reference = models.CharField(max_length=80, blank=True, default="", db_default="", help_text="Batch or payment.")
    key = models.CharField(max_length=120, unique=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "credit entries"
        indexes = [
            models.Index(fields=["organisation", "id"], name="credit_entry_statement"),
            models.Index(fields=["clawback"], condition=models.Q(clawback__isnull=False), name="credit_entry_clawback"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount:+d}"


class Direction(models.TextChoices):
    TO_CLIENT = "to_client"
    TO_AGENCY = "to_agency"


class CreditTransfer(models.Model):
    """Credits that went from an agency to a client, or back; `key` is the caller's, so that it may be repeated. Its
    entries add up to 0."""

    public_id = models.CharField(max_length=40, unique=True, default=new_transfer_id, editable=False)
    agency = models.ForeignKey(Organisation, models.SET_NULL, null=True, related_name="credits_given")
    client = models.ForeignKey(Organisation, models.CASCADE, related_name="credits_received", db_index=False)
    direction = models.CharField(max_length=9, choices=Direction)
    credits = models.PositiveBigIntegerField()
    key = models.CharField(max_length=80)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["client", "key"], name="credit_transfer_once")]
        indexes = [models.Index(fields=["client", "-id"], name="credit_transfer_of_client")]

    def __str__(self) -> str:
        return f"{self.public_id}: {self.credits} {self.direction}"


class CreditedMailbox(models.Model):
    """A mailbox whose owner had free credits, as a keyed hash: it reveals no address and outlives the account.

    `organisation_id` is whose they are now; it is no foreign key, because the row stays when the organisation goes.
    """

    digest = models.CharField(max_length=64, primary_key=True)
    organisation_id = models.BigIntegerField(db_column="user_id", null=True, blank=True)
    granted_until = models.DateTimeField(null=True, blank=True)
    welcome_credits_at = models.DateTimeField(
        "full checks at", null=True, blank=True, help_text="When it had those of a new account."
    )
    trial_at = models.DateTimeField(null=True, blank=True)
    referral_bonus_at = models.DateTimeField(
        "welcomed at", null=True, blank=True, help_text="When it had the bonus of an invitation."
    )
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "credited mailboxes"

    def __str__(self) -> str:
        return self.digest


class CreditMonth(models.Model):
    """A credit month of an account: the most a plan has given for it, and which notices went out in it."""

    organisation = models.ForeignKey(Organisation, models.CASCADE, db_column="user_id", related_name="credit_months")
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    limit = models.PositiveBigIntegerField(default=0, help_text="0: nothing was granted for it.")
    warned_at = models.DateTimeField(null=True, blank=True)
    exceeded_at = models.DateTimeField(null=True, blank=True, help_text="Told that nothing is left.")
    refused_at = models.DateTimeField(null=True, blank=True, help_text="Told that a request needed more than was left.")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organisation", "starts_at"], name="credit_month_once")]

    def __str__(self) -> str:
        return f"{self.organisation_id} {self.starts_at:%Y-%m-%d}"


class UsageAlerts(models.Model):
    """Which alerts an account wants; `low_balance` is the number of credits below which one is sent."""

    organisation = models.OneToOneField(
        Organisation, models.CASCADE, db_column="user_id", primary_key=True, related_name="usage_alerts"
    )
    warn_80 = models.BooleanField(default=True)
    warn_100 = models.BooleanField(default=True)
    low_balance = models.PositiveIntegerField(null=True, blank=True)
    low_sent_at = models.DateTimeField(null=True, blank=True, help_text="Cleared when the balance is above again.")

    class Meta:
        verbose_name_plural = "usage alerts"

    def __str__(self) -> str:
        return str(self.organisation_id)
