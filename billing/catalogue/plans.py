"""The plans and their billing cycles, by name."""

from django.db import models


class Plan(models.TextChoices):
    FREE = "free"
    STARTER = "starter"
    GROWTH = "growth"
    PRO = "pro"
    ENTERPRISE = "enterprise"
    CUSTOM = "custom"


class Cycle(models.TextChoices):
    MONTHLY = "monthly"
    YEARLY = "yearly"

    @property
    def months(self) -> int:
        return 12 if self == Cycle.YEARLY else 1
