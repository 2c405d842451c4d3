"""Invoices and credit notes: numbered without gaps, frozen when they are issued."""

from typing import Self

from django.db import models
from django.db.models import Q
from django.utils import timezone

from accounts.activity.actors import StaffAct
from accounts.organisations.models import Organisation, OwnedQuerySet
from billing.payments.models import Payment, Refund
from emailcheck.common.text.slugs import build_slug


class NumberSeries(models.Model):
    """The last number of a series (`INV-2030`); its row is locked while the next one is given, so none is lost."""

    name = models.CharField(max_length=20, primary_key=True)
    last = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name_plural = "number series"

    def __str__(self) -> str:
        return f"{self.name}: {self.last}"


class DocumentKind(models.TextChoices):
    INVOICE = "invoice"
    CREDIT_NOTE = "credit_note"


class InvoiceQuerySet(OwnedQuerySet["Invoice"]):
    """Invoices; views load through `for_org`, so that another account's id is not found."""

    def open(self) -> Self:
        """Those that wait for their money."""
        return self.filter(due_on__isnull=False, settled_at__isnull=True)


class Invoice(StaffAct):
    """An invoice, or the credit note that cancels one; nothing in it changes later.

    `seller` and `buyer` are {name, company, address, email, vat_id} as they were, `buyer` with a `purchase_order` where
    one was set. When the organisation goes, that
    column is null and all else stays, as the law of books wants it; `buyer` is emptied after the legal time. The sums
    of a credit note are negative, so that all documents together add up to what was earned.

    One that was written before it was paid says by when (`due_on`), and for which quote (`reference`); then it is paid
    by a payment, or settled in another way.
    """

    organisation = models.ForeignKey(
        Organisation, models.SET_NULL, db_column="user_id", null=True, related_name="invoices"
    )
    kind = models.CharField(max_length=11, choices=DocumentKind, default=DocumentKind.INVOICE)
    number = models.CharField(max_length=30, unique=True)
    payment = models.OneToOneField(Payment, models.PROTECT, null=True, related_name="invoice")
    refund = models.OneToOneField(Refund, models.PROTECT, null=True, related_name="credit_note")
    cancels = models.OneToOneField("self", models.PROTECT, null=True, related_name="cancelled_by")
    issued_at = models.DateTimeField(default=timezone.now)
    currency = models.CharField(max_length=3, default="USD")
    net = models.DecimalField(max_digits=12, decimal_places=2)
    tax_rate = models.DecimalField(max_digits=5, decimal_places=2, help_text="Percent; 0: no tax line.")
    tax = models.DecimalField(max_digits=12, decimal_places=2)
    total = models.DecimalField(max_digits=12, decimal_places=2)
    paid_with = models.CharField(max_length=60)
    seller = models.JSONField()
    buyer = models.JSONField()
    note = models.CharField(max_length=500, blank=True)
    reference = models.CharField(max_length=80, unique=True, null=True, blank=True)
    due_on = models.DateField(null=True, blank=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    staff_id = models.BigIntegerField(
        null=True, blank=True, help_text="Who noted it as paid; nobody when a payment did it."
    )
    reminded_at = models.DateTimeField(null=True, blank=True)

    objects = InvoiceQuerySet.as_manager()

    class Meta:
        indexes = [
            models.Index(fields=["organisation", "-issued_at"], name="invoice_of_user"),
            models.Index(
                fields=["due_on"], condition=Q(due_on__isnull=False, settled_at__isnull=True), name="invoice_open"
            ),
        ]

    def __str__(self) -> str:
        return self.number

    @property
    def is_paid(self) -> bool:
        return self.payment_id is not None or self.settled_at is not None

    @property
    def file_name(self) -> str:
        """`INV-2030-000042-alder-and-ash.pdf`: its number, and the organisation whose it is."""
        whose = self.organisation and (build_slug(self.organisation.title) or self.organisation.public_id)
        return "-".join([self.number, *([whose] if whose else [])]) + ".pdf"


class InvoiceLine(models.Model):
    """A line: `net` is `quantity` × `unit_price`, without tax."""

    invoice = models.ForeignKey(Invoice, models.CASCADE, related_name="lines")
    position = models.PositiveSmallIntegerField()
    description = models.CharField(max_length=200)
    quantity = models.PositiveIntegerField(default=1)
    unit_price = models.DecimalField(max_digits=12, decimal_places=2)
    net = models.DecimalField(max_digits=12, decimal_places=2)

    class Meta:
        ordering = ("position",)
        constraints = [models.UniqueConstraint(fields=["invoice", "position"], name="invoice_line_once")]

    def __str__(self) -> str:
        return self.description
