"""Deals, contracts, messages of visitors, who gets the newsletter, what people thought of us, and what we claim."""

from datetime import date, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.actors import StaffAct

CLOSES_SOON = timedelta(days=30)
EXPIRES_SOON = timedelta(days=30)


class Stage(models.TextChoices):
    PROSPECT = "prospect"
    QUALIFIED = "qualified"
    PROPOSAL = "proposal"
    NEGOTIATION = "negotiation"
    CLOSED_WON = "closed_won"
    CLOSED_LOST = "closed_lost"


OPEN_STAGES = (Stage.PROSPECT, Stage.QUALIFIED, Stage.PROPOSAL, Stage.NEGOTIATION)


class Deal(models.Model):
    """A sale that may come; `position` orders the deals of a stage, `value` is in USD."""

    company_name = models.CharField(max_length=255)
    contact_name = models.CharField(max_length=150)
    contact_email = models.EmailField()
    value = models.DecimalField(max_digits=14, decimal_places=2)
    stage = models.CharField(max_length=11, choices=Stage, default=Stage.PROSPECT)
    position = models.PositiveIntegerField(default=0)
    expected_close_date = models.DateField()
    notes = models.TextField(blank=True, max_length=5_000)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    last_contact_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["stage", "position"], name="deal_on_the_board")]
        constraints = [models.CheckConstraint(condition=Q(value__gte=0), name="deal_value_not_negative")]

    def __str__(self) -> str:
        return self.company_name


class DealEvent(StaffAct):
    """What happened to a deal, and notes; never changed."""

    deal = models.ForeignKey(Deal, models.CASCADE, related_name="events")
    staff_id = models.BigIntegerField()
    action = models.CharField(max_length=40)
    text = models.TextField(blank=True, max_length=5_000)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return self.action


class ContractStatus(models.TextChoices):
    ACTIVE = "active"
    EXPIRING = "expiring"
    EXPIRED = "expired"
    CANCELLED = "cancelled"


class Contract(models.Model):
    """What was agreed upon, from its first to its last day; `value` in USD.

    A deal, its quote and its plan request share one: `deal` and `quote_id` are unique.
    """

    deal = models.OneToOneField(Deal, models.PROTECT, null=True, blank=True, related_name="contract")
    quote_id = models.CharField(max_length=24, unique=True, null=True, blank=True)
    company_name = models.CharField(max_length=255)
    plan = models.CharField(max_length=120)
    starts_on = models.DateField()
    ends_on = models.DateField(db_index=True)
    value = models.DecimalField(max_digits=14, decimal_places=2)
    renews_on = models.DateField(null=True, blank=True)
    auto_renewal = models.BooleanField(default=False)
    cancelled_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(value__gte=0), name="contract_value_not_negative"),
            models.CheckConstraint(condition=Q(ends_on__gt=F("starts_on")), name="contract_ends_after_it_starts"),
        ]

    def __str__(self) -> str:
        return f"{self.company_name}: {self.plan}"

    def status(self, today: date) -> ContractStatus:
        """By its dates (CRM-014); cancelled is set by hand, and one that renews itself does not expire."""
        if self.cancelled_at:
            return ContractStatus.CANCELLED
        if today > self.ends_on and not self.auto_renewal:
            return ContractStatus.EXPIRED
        if today <= self.ends_on <= today + EXPIRES_SOON:
            return ContractStatus.EXPIRING
        return ContractStatus.ACTIVE


class MessageState(models.TextChoices):
    NEW = "new"
    ANSWERED = "answered"
    CLOSED = "closed"


class Message(models.Model):
    """What a visitor wrote on the contact page; `user` is the account whose verified address they gave."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="messages")
    name = models.CharField(max_length=150)
    email = models.EmailField()
    subject = models.CharField(max_length=200)
    text = models.TextField(max_length=5_000)
    state = models.CharField(max_length=8, choices=MessageState, default=MessageState.NEW)
    deal = models.OneToOneField(Deal, models.SET_NULL, null=True, blank=True, related_name="message")
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [models.Index(fields=["state", "-id"], name="message_by_state")]

    def __str__(self) -> str:
        return self.subject


class SubscriberState(models.TextChoices):
    PENDING = "pending"
    CONFIRMED = "confirmed"
    UNSUBSCRIBED = "unsubscribed"


class Subscriber(models.Model):
    """Who agreed to the newsletter, and to nothing else: no lead, no account."""

    email = models.EmailField(unique=True)
    state = models.CharField(max_length=12, choices=SubscriberState, default=SubscriberState.PENDING)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    unsubscribed_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.email


class Feedback(models.Model):
    """What somebody thought of a finished list or of a page: 1 to 5, a thumb counts 5 or 1.

    Once for an account, or for a visitor without one, and a context, such as `bat_…` or `docs/quickstart`.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="feedback", db_index=False
    )
    visitor = models.CharField(max_length=64, blank=True, help_text="Keyed hash of who is not signed in.")
    context = models.CharField(max_length=100)
    rating = models.PositiveSmallIntegerField()
    text = models.TextField(blank=True, max_length=2_000)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        verbose_name_plural = "feedback"
        constraints = [
            models.CheckConstraint(condition=Q(rating__gte=1, rating__lte=5), name="rating_from_one_to_five"),
            models.UniqueConstraint(fields=["user", "context"], name="feedback_once_an_account"),
            models.UniqueConstraint(
                fields=["visitor", "context"], condition=~Q(visitor=""), name="feedback_once_a_visitor"
            ),
        ]
        indexes = [models.Index(fields=["created_at", "rating"], name="feedback_by_time")]

    def __str__(self) -> str:
        return f"{self.context}: {self.rating}"


class Claim(models.Model):
    """What staff changed about a claim of ours; `crm.claims` knows all of them, and what they say otherwise."""

    key = models.CharField(max_length=40, primary_key=True)
    value = models.CharField(max_length=200)
    source = models.CharField(max_length=300, blank=True)
    as_of = models.DateField(null=True, blank=True)
    shown = models.BooleanField()
    confirmed = models.BooleanField()

    def __str__(self) -> str:
        return self.key
