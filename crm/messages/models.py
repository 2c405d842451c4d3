"""Messages of visitors, subscribers to the newsletter, and feedback."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from crm.deals.models import Deal


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
    """A rating of a finished list or of a page: 1 to 5, a thumb counts 5 or 1.

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
