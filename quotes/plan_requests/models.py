"""What customers chose of their quotes."""

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct
from quotes.quotes.models import Period, PlanStatus, Quote


class PlanRequest(StaffAct):
    """What the customer chose of a quote, until it is a plan. One for each quote."""

    quote = models.OneToOneField(Quote, models.CASCADE, related_name="plan_request")
    selected_plan = models.CharField(max_length=7, choices=Period)
    status = models.CharField(max_length=16, choices=PlanStatus, default=PlanStatus.PENDING)
    amount_paid = models.DecimalField(max_digits=12, decimal_places=2, null=True, blank=True)
    payment_received_at = models.DateTimeField(null=True, blank=True)
    auto_approval_at = models.DateTimeField(null=True, blank=True)
    approved_at = models.DateTimeField(null=True, blank=True)
    plan_started_at = models.DateTimeField("given at", null=True, blank=True, help_text="When the account got it.")
    staff_id = models.BigIntegerField(
        null=True, blank=True, help_text="Who approved it; nobody when it approved itself."
    )
    reason = models.CharField(max_length=500, blank=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        indexes = [
            models.Index(fields=["auto_approval_at"], condition=Q(status="payment_received"), name="plan_request_due"),
            models.Index(fields=["status", "-id"], name="plan_request_by_status"),
        ]

    def __str__(self) -> str:
        return f"{self.quote_id}: {self.status}"
