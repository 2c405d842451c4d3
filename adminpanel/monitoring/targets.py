"""What is probed, and the states that it can be in."""

from django.db import models


class Service(models.TextChoices):
    """What the status page names."""

    EMAIL_VALIDATION = "Email Validation"
    DASHBOARD = "Dashboard"
    VALIDATION = "Validation"
    API = "API"


class Part(models.TextChoices):
    """What else is probed, for staff."""

    DATABASE = "Database"
    PAYMENT = "Payment provider"


class State(models.TextChoices):
    """How a probe ended; `pending` until it has."""

    OPERATIONAL = "operational"
    DEGRADED = "degraded"
    DOWN = "down"
    PENDING = "pending"
