"""Plans that staff made for single customers."""

from django.db import models
from django.db.models import Q
from django.utils import timezone


class CustomPlan(models.Model):
    """A plan that staff made, to be assigned to customers one by one; prices in USD.

    What was assigned keeps its terms: editing changes what is assigned later.
    """

    name = models.CharField(max_length=120)
    description = models.CharField(max_length=1_000, blank=True)
    monthly_price = models.DecimalField(max_digits=12, decimal_places=2)
    yearly_price = models.DecimalField(max_digits=12, decimal_places=2)
    credits = models.PositiveBigIntegerField(help_text="A month.")
    features = models.JSONField(default=list)
    target_customer = models.CharField(max_length=255)
    is_active = models.BooleanField(default=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(monthly_price__gte=0, yearly_price__gte=0), name="custom_plan_prices_not_negative"
            )
        ]

    def __str__(self) -> str:
        return self.name
